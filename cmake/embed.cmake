# cmake -DFILES=... -DOUT=... -P embed.cmake: files as arrays of C, called serve_NAME_ENDING, with their sizes.
set(text "/* Made by cmake/embed.cmake. */\n#include <stddef.h>\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  string(REPLACE "." "_" name ${name})
  file(READ ${file} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,){20})" "\\1\n" bytes "${bytes}")
  string(APPEND text "extern const unsigned char serve_${name}[];\nextern const size_t serve_${name}_size;\n"
                     "const unsigned char serve_${name}[] = {${bytes} 0};\nconst size_t serve_${name}_size = ${size};\n")
endforeach()
file(WRITE ${OUT} "${text}")
