# cmake -DINPUT=film.js -DHEADER=report/training/film_page.h -DNAME=kFilmScript -DOUTPUT=film_script.cpp -P script.cmake
#
# A script of a page as a constant in C++.
file(READ "${INPUT}" script)
if("${script}" MATCHES "</|<!--")
  message(FATAL_ERROR "the script holds ${CMAKE_MATCH_0}, which would end it in a page")
endif()
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"

namespace headlight {

const std::string_view ${NAME} = R\"script(${script})script\";

}  // namespace headlight
")
