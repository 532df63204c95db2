# Both libraries, the header, the command line, pkg-config and CMake package files.
include(CMakePackageConfigHelpers)
install(TARGETS anorank_shared anorank_static EXPORT anorankTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS anorank RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(ANORANK_HEADERS include/anorank/anorank.h include/anorank/arrow.h include/anorank/criterion.h
    include/anorank/experimental.h include/anorank/io.h include/anorank/report.h)
install(FILES ${ANORANK_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/anorank)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The prefix is found from where the file lies: `cmake --install --prefix` may choose another than was configured.
file(RELATIVE_PATH PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/anorank.pc.in anorank.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/anorank.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/anorank)
configure_package_config_file(cmake/anorankConfig.cmake.in anorankConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(anorankConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/anorankConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/anorankConfigVersion.cmake DESTINATION ${package_dir})
install(EXPORT anorankTargets NAMESPACE anorank:: DESTINATION ${package_dir})
