set(ANORANK_RELEASE_URL "https://example.org/anorank")

vcpkg_download_distfile(ARCHIVE
  URLS "${ANORANK_RELEASE_URL}/anorank-${VERSION}.tar.gz"
  FILENAME "anorank-${VERSION}.tar.gz"
  SHA512 00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")
vcpkg_find_acquire_program(PKGCONFIG)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DANORANK_TESTS=OFF -DANORANK_SERVE=OFF "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}"
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/anorank)
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES anorank AUTO_CLEAN)

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/THIRD_PARTY.md")
