# Manual pages and completions are written by the program itself, from its own tables, so they cannot disagree
# with it. They are made where the program can run: not in a cross build without an emulator.
set(generated_dir ${PROJECT_BINARY_DIR}/generated)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "anorank: no manual pages or completions: the program cannot run while cross-compiling")
  return()
endif()
if(ANORANK_SANITIZE) # the tests look at the texts; a sanitizer's complaint must not end up in them
  return()
endif()
file(MAKE_DIRECTORY ${generated_dir})

# ---- completions -----------------------------------------------------------------------------------------
set(completion_bash ${generated_dir}/anorank.bash)
set(completion_zsh ${generated_dir}/_anorank)
set(completion_fish ${generated_dir}/anorank.fish)
foreach(shell bash zsh fish)
  add_custom_command(OUTPUT ${completion_${shell}} COMMAND anorank completion ${shell} > ${completion_${shell}}
                     DEPENDS anorank VERBATIM)
endforeach()
add_custom_target(completions ALL DEPENDS ${completion_bash} ${completion_zsh} ${completion_fish})
install(FILES ${completion_bash} RENAME anorank DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completion_zsh} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completion_fish} DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# ---- manual pages ----------------------------------------------------------------------------------------
find_program(SCDOC scdoc)
if(NOT SCDOC)
  message(STATUS "anorank: no manual pages: scdoc was not found (Debian: apt install scdoc)")
  return()
endif()
# A page for each command that is not hidden; cli/cmd_NAME.c is where a command lives.
file(GLOB command_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/cmd_*.c)
set(manual_pages ${generated_dir}/anorank.1)
set(manual_source ${generated_dir}/anorank.1.scd)
add_custom_command(OUTPUT ${generated_dir}/anorank.1
                   COMMAND anorank manual > ${manual_source}
                   COMMAND ${SCDOC} < ${manual_source} > ${generated_dir}/anorank.1
                   DEPENDS anorank VERBATIM)
foreach(source ${command_sources})
  get_filename_component(name ${source} NAME_WE)
  string(REPLACE "cmd_" "" name ${name})
  if(name STREQUAL "manual")
    continue()
  endif()
  set(page ${generated_dir}/anorank-${name}.1)
  add_custom_command(OUTPUT ${page}
                     COMMAND anorank manual ${name} > ${page}.scd
                     COMMAND ${SCDOC} < ${page}.scd > ${page}
                     DEPENDS anorank VERBATIM)
  list(APPEND manual_pages ${page})
endforeach()
add_custom_target(manual ALL DEPENDS ${manual_pages})
install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
