# cmake -DSHARED=style.css -DPAGE=page.css -DOUTPUT=page_style.cpp -P style.cmake
#
# The style of pages without scripts as a constant in C++: what all pages share, then what these pages have beside it.
file(READ "${SHARED}" shared)
file(READ "${PAGE}" page)
set(style "${shared}\n${page}")
if("${style}" MATCHES "</")
  message(FATAL_ERROR "the style holds ${CMAKE_MATCH_0}, which would end it in a page")
endif()
file(WRITE "${OUTPUT}" "#include \"report/formats/html.h\"

namespace headlight {

const std::string_view kPageStyle = R\"style(${style})style\";

}  // namespace headlight
")
