# cmake -DSTYLE=style.css -DOUTPUT=shared_style.cpp -P style.cmake
#
# The style sheet as a constant in C++.
file(READ "${STYLE}" style)
if("${style}" MATCHES "</")
  message(FATAL_ERROR "the style holds ${CMAKE_MATCH_0}, which would end it in a page")
endif()
file(WRITE "${OUTPUT}" "#include \"report/formats/shared_style.h\"

namespace headlight {

const std::string_view kSharedStyle = R\"style(${style})style\";

}  // namespace headlight
")
