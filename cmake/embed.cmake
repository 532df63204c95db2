# embed_files(OUT PREFIX FILE...): a C source OUT with each file as an array called PREFIX_NAME_ENDING, and its size.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(embed_script ${CMAKE_CURRENT_LIST_FILE})
  function(embed_files out prefix)
    add_custom_command(OUTPUT ${out}
                       COMMAND ${CMAKE_COMMAND} "-DFILES=${ARGN}" -DPREFIX=${prefix} -DOUT=${out} -P ${embed_script}
                       DEPENDS ${ARGN} ${embed_script} VERBATIM)
  endfunction()
  return()
endif()

set(text "/* Made by cmake/embed.cmake. */\n#include <stddef.h>\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  string(REPLACE "." "_" name ${PREFIX}_${name})
  file(READ ${file} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,){20})" "\\1\n" bytes "${bytes}")
  string(APPEND text "extern const unsigned char ${name}[];\nextern const size_t ${name}_size;\n"
                     "const unsigned char ${name}[] = {${bytes} 0};\nconst size_t ${name}_size = ${size};\n")
endforeach()
file(WRITE ${OUT} "${text}")
