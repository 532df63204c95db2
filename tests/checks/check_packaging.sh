#!/bin/sh
# The recipes of packaging/ and the workflows of .github/ load, agree with the build, and name commands that exist.
# Parts whose tool is absent are left out with a message.
# labels: nothreads
set -eu
cd "$SOURCE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
wrong() { echo "$*"; bad=1; }
has() { command -v "$1" > /dev/null 2>&1 || { echo "not checked without $1 ('sh scripts/setup.sh packaging'): $2"; false; }; }

# Filled in with an archive, no recipe has a placeholder left.
echo archive > "$work/anorank.tar.gz"
sh packaging/fill.sh https://example.net/there/ "$work/anorank.tar.gz" "$work/filled"
if grep -rnE 'example\.org|0{64}' "$work/filled"; then wrong "fill.sh leaves placeholders"; fi
sum=$(sha256sum "$work/anorank.tar.gz" | cut -d ' ' -f 1)
[ "$(grep -rl "$sum" "$work/filled" | wc -l)" = 3 ] || wrong "fill.sh does not fill in the checksum"
grep -rq "$(sha512sum "$work/anorank.tar.gz" | cut -d ' ' -f 1)" "$work/filled/vcpkg" || wrong "fill.sh does not fill in the checksum of vcpkg"

if has ruby "the formula"; then
  for tree in packaging "$work/filled"; do ruby -wc "$tree/homebrew/anorank.rb" > /dev/null || wrong "the formula is not Ruby"; done
fi
if has nix-instantiate "the derivation"; then
  for tree in packaging "$work/filled"; do
    HOME=$work nix-instantiate --parse "$tree/nix/package.nix" > "$work/nix.log" 2>&1 || { cat "$work/nix.log"; wrong "the derivation is not Nix"; }
  done
fi

# The port, with functions in place of those of vcpkg; one without such a function is an error.
cat > "$work/stubs.cmake" << 'END_OF_STUBS'
function(vcpkg_download_distfile out)
  cmake_parse_arguments(PARSE_ARGV 1 a "" "FILENAME;SHA512" "URLS")
  string(LENGTH "${a_SHA512}" length)
  if(a_UNPARSED_ARGUMENTS OR NOT a_URLS MATCHES "^https://[^;]*/${a_FILENAME}$" OR NOT length EQUAL 128)
    message(FATAL_ERROR "vcpkg_download_distfile: ${ARGN}")
  endif()
  set(${out} archive PARENT_SCOPE)
endfunction()
function(vcpkg_extract_source_archive out)
  set(${out} "$ENV{SOURCE}" PARENT_SCOPE)
endfunction()
function(vcpkg_find_acquire_program out)
  set(${out} pkg-config PARENT_SCOPE)
endfunction()
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 a "" "SOURCE_PATH" "OPTIONS")
  file(GLOB cmake_files "${a_SOURCE_PATH}/CMakeLists.txt" "${a_SOURCE_PATH}/cmake/*.cmake")
  foreach(option ${a_OPTIONS})
    if(option MATCHES "^-D(ANORANK_[A-Z]+)=")
      set(known FALSE)
      foreach(file ${cmake_files})
        file(STRINGS "${file}" lines REGEX "(option|set)\\(${CMAKE_MATCH_1} ")
        if(lines)
          set(known TRUE)
        endif()
      endforeach()
      if(NOT known)
        message(FATAL_ERROR "the build has no ${CMAKE_MATCH_1}")
      endif()
    endif()
  endforeach()
endfunction()
foreach(name vcpkg_cmake_install vcpkg_cmake_config_fixup vcpkg_fixup_pkgconfig vcpkg_copy_tools)
  cmake_language(EVAL CODE "function(${name})\nendfunction()")
endforeach()
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 a "" "" "FILE_LIST")
  foreach(file ${a_FILE_LIST})
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "vcpkg_install_copyright: no ${file}")
    endif()
  endforeach()
endfunction()
include("$ENV{PORT_FILE}")
END_OF_STUBS
if has cmake "the port"; then
  for tree in packaging "$work/filled"; do
    case $tree in /*) file=$tree ;; *) file=$SOURCE/$tree ;; esac
    PORT_FILE=$file/vcpkg/portfile.cmake cmake -DPORT=anorank -DVERSION=1 -DCURRENT_PACKAGES_DIR="$work/port" -P "$work/stubs.cmake" \
      > "$work/port.log" 2>&1 && [ -e "$work/port/share/anorank/usage" ] || { cat "$work/port.log"; wrong "the port of vcpkg fails"; }
  done
fi

python=$(PATH=/usr/bin:$PATH command -v python3 || true)
if [ -z "$python" ] || ! "$python" -c 'import yaml' 2> /dev/null; then
  echo "not checked without python3-yaml: versions, dependencies, workflows, the Dockerfile"
else
  "$python" tests/checks/packaging.py || bad=1
fi
exit $bad
