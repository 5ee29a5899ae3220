// The C interface, C++, Python and JavaScript name every option of a call and every word that it
// takes.
#include <regex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "classifier/text_reader.h"
#include "inside/explanation.h"
#include "model/engine.h"

namespace headlight::library_words_test {
namespace {

const std::string kSource = HEADLIGHT_SOURCE;
const std::string kHeader = content_of(kSource + "/src/library/headlight.h");

template <typename Words>
std::vector<std::string> quoted(const Words& words) {
  std::vector<std::string> all;
  for (const auto& word : words) all.push_back('"' + std::string(word.name) + '"');
  return all;
}

/// The fields of hl_run_options, without the sizes of the struct and of an array.
std::vector<std::string> run_options() {
  std::vector<std::string> names;
  const std::size_t end = kHeader.find("} hl_run_options;");
  const std::size_t begin = kHeader.rfind("typedef struct {", end);
  const std::string fields = kHeader.substr(begin, end - begin);
  const std::regex field(R"((\w+);)");
  for (auto found = std::sregex_iterator(fields.begin(), fields.end(), field);
       found != std::sregex_iterator(); ++found) {
    const std::string name = (*found)[1];
    if (name != "struct_size" && !name.ends_with("_count")) names.push_back(name);
  }
  return names;
}

/// max_tokens → maxTokens
std::string camel(const std::string& name) {
  std::string made;
  for (std::size_t i = 0; i < name.size(); ++i) {
    made += name[i] == '_' ? static_cast<char>(name[++i] - 'a' + 'A') : name[i];
  }
  return made;
}

void check_names(const std::string& file, const std::vector<std::string>& names) {
  const std::string text = content_of(kSource + "/" + file);
  for (const std::string& name : names) {
    CAPTURE(file);
    CAPTURE(name);
    CHECK(std::regex_search(text, std::regex("(^|[^\\w])" + name + "($|[^\\w])")));
  }
}

TEST_CASE("every method, way to read long texts and precision is named in each language") {
  for (const char* file :
       {"src/library/headlight.h", "src/library/headlight.hpp", "src/library/module/headlight.js",
        "scripts/wheel/headlight/_model.py"}) {
    check_names(file, quoted(kExplanationMethods));
    check_names(file, quoted(kLongTextsWords));
    check_names(file, quoted(kPrecisionWords));
  }
  check_names("scripts/wheel/headlight/sklearn.py", quoted(kLongTextsWords));
}

TEST_CASE("the types of Python allow every word") {
  const std::string module = content_of(kSource + "/scripts/wheel/headlight/_model.py");
  const auto is_literal = [&](const std::vector<std::string>& words) {
    std::string listed;
    for (const std::string& word : words) listed += (listed.empty() ? "" : ", ") + word;
    return module.find("Literal[" + listed + "]") != std::string::npos;
  };
  CHECK(is_literal(quoted(kExplanationMethods)));
  CHECK(is_literal(quoted(kLongTextsWords)));
}

TEST_CASE("every option of a call is one in each language") {
  const auto options = run_options();
  REQUIRE(options.size() >= 6);
  std::vector<std::string> scripted;
  for (const std::string& name : options) {
    // The WebAssembly module takes the options up to the heads.
    if (name != "among" && name != "unknown" && name != "best") scripted.push_back(camel(name));
  }
  check_names("src/library/headlight.hpp", options);
  check_names("scripts/wheel/headlight/_model.py", options);
  check_names("scripts/wheel/headlight/_library.py", options);
  check_names("src/library/module/headlight.js", scripted);
  check_names("src/library/module/memory.js", scripted);
}

}  // namespace
}  // namespace headlight::library_words_test
