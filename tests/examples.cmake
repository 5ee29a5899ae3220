# cmake -DSOURCE=src -DHEADERS=model/model.h;… -DOUTPUT=examples_test.cpp -P examples.cmake
#
# A test of the example that opens each header: the lines of its first comment between "// Example:" and the end of the
# comment, The test runs in the project's folder, and fails if the example throws.
set(includes "")
set(tests "")
foreach(header IN LISTS HEADERS)
  file(READ "${SOURCE}/${header}" text)
  string(FIND "${text}" "#pragma once" end)
  string(SUBSTRING "${text}" 0 ${end} comment)
  string(FIND "${comment}" "// Example:\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "${header} does not open with a comment that has \"// Example:\"")
  endif()
  string(SUBSTRING "${comment}" ${begin} -1 comment)
  string(REPLACE "// Example:\n" "" comment "${comment}")
  string(REGEX REPLACE "(^|\n)// " "\\1" code "${comment}")
  string(APPEND includes "#include \"${header}\"\n")
  string(APPEND tests "
TEST_CASE(\"the example of ${header} runs\") {
  const auto folder = std::filesystem::current_path();
  std::filesystem::current_path(HEADLIGHT_SOURCE);
${code}  std::filesystem::current_path(folder);
}
")
endforeach()
file(WRITE "${OUTPUT}" "// Made by tests/examples.cmake.
#include <filesystem>

#include <doctest/doctest.h>

${includes}
namespace headlight::examples_test {
namespace {
${tests}
}  // namespace
}  // namespace headlight::examples_test
")
