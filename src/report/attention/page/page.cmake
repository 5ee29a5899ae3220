# cmake -DPARTS=page.html;style.css;page.css;a.js;…;sides.js -DOUTPUT=page_template.cpp -P page.cmake
#
# One page of the template, its styles and its scripts, with the hashes that its Content-Security-Policy
# allows, as a constant in C++. All scripts but the last share the scope of one function, in the order they are
# named. The last one calls that function, startSide(suffix), for each side of the page.

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

list(POP_FRONT PARTS template shared own)
list(POP_BACK PARTS last)
file(READ "${template}" page)
file(READ "${shared}" shared)
file(READ "${own}" own)
set(style "\n${shared}${own}")
set(script "\n(() => {\n\"use strict\";\nfunction startSide(suffix) {\n")
foreach(part IN LISTS PARTS)
  file(READ "${part}" content)
  string(APPEND script "${content}")
endforeach()
file(READ "${last}" content)
string(APPEND script "}\n${content}})();\n")
if("${script}${style}" MATCHES "</|<!--|@[A-Z_]+@")
  message(FATAL_ERROR "a script or the style holds ${CMAKE_MATCH_0}, which would end it in a page")
endif()

hash_base64("${style}" style_hash)
hash_base64("${script}" script_hash)
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
file(WRITE "${OUTPUT}" "#include \"report/attention/attention_page.h\"

namespace headlight {

const std::string_view kPageTemplate = R\"page(${page})page\";

}  // namespace headlight
")
