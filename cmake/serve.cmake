# `anorank serve` needs libmicrohttpd; without it the command says so and all else is as ever.
set(ANORANK_SERVE AUTO CACHE STRING "Build 'anorank serve' (needs libmicrohttpd >= 0.9.75): AUTO, ON or OFF")
if(NOT ANORANK_SERVE OR NOT EXISTS ${PROJECT_SOURCE_DIR}/serve)
  return()
endif()
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux") # it waits for signals and looks at files as Linux has them
  message(STATUS "anorank: no 'anorank serve' on ${CMAKE_SYSTEM_NAME}")
  return()
endif()
pkg_check_modules(MICROHTTPD libmicrohttpd>=0.9.75)
if(NOT MICROHTTPD_FOUND)
  if(ANORANK_SERVE STREQUAL "AUTO")
    message(STATUS "anorank: no 'anorank serve': libmicrohttpd was not found (Debian: apt install libmicrohttpd-dev)")
    return()
  endif()
  message(FATAL_ERROR "ANORANK_SERVE is ON, but libmicrohttpd >= 0.9.75 was not found (Debian: apt install libmicrohttpd-dev)")
endif()

# The files that the service answers with are part of the program.
set(serve_files page.html page.js page.css openapi.json)
list(TRANSFORM serve_files PREPEND ${PROJECT_SOURCE_DIR}/serve/)
set(serve_embedded ${PROJECT_BINARY_DIR}/serve_embedded.c)
embed_files(${serve_embedded} serve ${serve_files})

file(GLOB serve_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/serve/*.c)
add_library(anorank_serve OBJECT ${serve_sources} ${serve_embedded})
# Of the command line it takes the writer of JSON, of core the texts: tests/checks/check_layers.sh has the list.
target_include_directories(anorank_serve PUBLIC ${PROJECT_SOURCE_DIR}/serve
                           PRIVATE ${PROJECT_SOURCE_DIR}/cli ${PROJECT_SOURCE_DIR}/src ${MICROHTTPD_INCLUDE_DIRS})
# The library itself is loaded when a service starts (serve/mhd.h).
target_link_libraries(anorank_serve PRIVATE anorank_static anorank_flags Threads::Threads)
target_sources(anorank PRIVATE $<TARGET_OBJECTS:anorank_serve>)
target_compile_definitions(anorank PRIVATE ANORANK_HAS_SERVE)
target_include_directories(anorank PRIVATE ${PROJECT_SOURCE_DIR}/serve)
target_link_libraries(anorank PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
