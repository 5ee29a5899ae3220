# cmake -DSOURCE=src -DHEADERS=model/model.h;… -DOUTPUT=examples_test.cpp -P examples.cmake
#
# A test of the example that opens each header: the lines of its first comment between "// Example:" and the end of the
# comment. The test runs in a folder with the project's data and a file of rows, and fails if the example throws.
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
  const ExampleFolder folder;
${code}}
")
endforeach()
file(WRITE "${OUTPUT}" "// Made by tests/examples.cmake.
#include <filesystem>

#include <doctest/doctest.h>

#include \"base/temporary_folder.h\"
${includes}
namespace headlight::examples_test {
namespace {

/// The current folder during an example.
class ExampleFolder {
 public:
  ExampleFolder() {
    std::filesystem::create_symlink(HEADLIGHT_SOURCE \"/data\", folder_ / \"data\");
    std::string rows = \"text,label\\n\";
    for (int i = 0; i < 10; ++i) {
      const std::string number = std::to_string(i);
      rows += \"good film \" + number + \",positive\\nbad film \" + number + \",negative\\n\";
    }
    folder_.write(\"reviews.csv\", rows);
    std::filesystem::current_path(folder_.path());
  }
  ~ExampleFolder() { std::filesystem::current_path(before_); }

 private:
  TemporaryFolder folder_;
  std::filesystem::path before_ = std::filesystem::current_path();
};
${tests}
}  // namespace
}  // namespace headlight::examples_test
")
