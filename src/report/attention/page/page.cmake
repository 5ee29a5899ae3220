# cmake -DPAGE=page.html -DSTYLES=style.css;page.css -DBACKGROUND=worker.js -DCOMMON=a.js;… -DSIDE=b.js;… -DSTART=sides.js
#       -DOUTPUT=page_template.cpp -P page.cmake
#
# One page of the template, its styles and its scripts, with the hashes that its Content-Security-Policy
# allows, as a constant in C++. The scripts of COMMON are there once. Those of SIDE share the scope of one function,
# startSide(suffix, first), in the order they are named; START calls it for each side of the page.

# SHA-256 of `text` in base64 (RFC 4648). Digits are taken six at a time, three bytes for four letters.
function(hash_base64 text out)
  set(letters ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(SHA256 digits "${text}")
  string(APPEND digits 00)
  set(result "")
  foreach(at RANGE 0 60 6)
    string(SUBSTRING ${digits} ${at} 6 three)
    foreach(shift 18 12 6 0)
      math(EXPR letter "(0x${three} >> ${shift}) & 63")
      string(SUBSTRING ${letters} ${letter} 1 letter)
      string(APPEND result ${letter})
    endforeach()
  endforeach()
  string(SUBSTRING ${result} 0 43 result)
  set(${out} "${result}=" PARENT_SCOPE)
endfunction()

# The contents of `files`, joined.
function(join_files out)
  set(all "")
  foreach(file IN LISTS ARGN)
    file(READ "${file}" content)
    string(APPEND all "${content}")
  endforeach()
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

file(READ "${PAGE}" page)
join_files(style ${STYLES})
join_files(worker ${BACKGROUND})
join_files(common ${COMMON})
join_files(side ${SIDE})
join_files(start ${START})
set(style "\n${style}")
set(script "\n(() => {\n\"use strict\";\n${common}function startSide(suffix, first) {\n${side}}\n${start}})();\n")
if("${script}${style}${worker}" MATCHES "</|<!--|@[A-Z_]+@")
  message(FATAL_ERROR "a script or the style holds ${CMAKE_MATCH_0}, which would end it in a page")
endif()

hash_base64("${style}" style_hash)
hash_base64("${script}" script_hash)
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
string(REPLACE "@WORKER_SCRIPT@" "\n${worker}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
file(WRITE "${OUTPUT}" "#include \"report/attention/attention_page.h\"

namespace headlight {

const std::string_view kPageTemplate = R\"page(${page})page\";

}  // namespace headlight
")
