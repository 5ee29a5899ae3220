# cmake -DPARTS=page.html;page.css;a.js;… -DOUTPUT=page_template.cpp -P page.cmake
#
# One page of the template, its style and its scripts, with the hashes that its Content-Security-Policy
# allows, as a constant in C++. All scripts share one function's scope, in the order they are named.

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

list(POP_FRONT PARTS template style)
file(READ "${template}" page)
file(READ "${style}" style)
set(script "\n(() => {\n\"use strict\";\n")
foreach(part IN LISTS PARTS)
  file(READ "${part}" content)
  string(APPEND script "${content}")
endforeach()
string(APPEND script "})();\n")
if("${script}${style}" MATCHES "</|<!--|@[A-Z_]+@")
  message(FATAL_ERROR "a script or the style holds ${CMAKE_MATCH_0}, which would end it in a page")
endif()

hash_base64("${style}" style_hash)
hash_base64("${script}" script_hash)
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
file(WRITE "${OUTPUT}" "#include \"report/attention/page_template.h\"

namespace headlight {

const std::string_view kPageTemplate = R\"page(${page})page\";

}  // namespace headlight
")
