# Writes the name of the build to the file HEADER: VERSION and a hash of the sources, and for people
# the commit if SOURCE is a repository. The file is left alone if nothing changed.
file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/src/* ${SOURCE}/apps/*)
list(FILTER files INCLUDE REGEX "\\.(cpp|h|js|css|html|bash|zsh|fish|1|cmake|txt)$")
foreach(file CMakeLists.txt ${files})
  file(SHA256 ${SOURCE}/${file} hash)
  string(APPEND all "${file} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 12 hash)
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} --no-optional-locks describe --always --abbrev=12 --dirty --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(commit)
  string(PREPEND commit ", commit ")
endif()
# The libraries that are linked, with their versions where dpkg knows them. The file has name;package;licence.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/libraries.txt rows)
foreach(row IN LISTS rows)
  list(GET row 0 name)
  list(GET row 1 package)
  execute_process(COMMAND dpkg-query --show --showformat=\ \${Version} ${package}
                  OUTPUT_VARIABLE version ERROR_QUIET)
  string(APPEND libraries "\\n${name}${version}")
endforeach()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define HEADLIGHT_BUILD \"${VERSION}+${hash}\"
#define HEADLIGHT_COMMIT \"${commit}\"
#define HEADLIGHT_LIBRARIES \"${libraries}\"\n")
