// The command that is suggested after one that makes something works when it is pasted.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::next_step_test {
namespace {

/// What stands after "try: " in the last line of standard error that has it.
std::string suggestion_in(const std::string& err) {
  const std::string mark = "headlight: try: ";
  std::string found;
  for (const std::string& line : lines_of(err)) {
    if (line.starts_with(mark)) found = line.substr(mark.size());
  }
  return found;
}

/// The exit status of a line of a shell in the place's folder, where `headlight` is the program.
int status_in_shell(const ToyPlace& place, const std::string& line) {
  const std::string folder = std::filesystem::path(HEADLIGHT_PROGRAM).parent_path().string();
  const std::string script = "cd '" + place.files().path() + "'\nPATH='" + folder + "':$PATH\n{ " +
                             line + "\n} > said 2>&1\n";
  return std::system(("sh '" + place.files().write("script", script) + "'").c_str());
}

TEST_CASE("what makes a model says how to use it") {
  const ToyPlace place;
  place.files().write("rows.jsonl",
                      "{\"text\":\"good\",\"label\":\"positive\"}\n"
                      "{\"text\":\"bad\",\"label\":\"negative\"}\n"
                      "{\"text\":\"good\",\"label\":\"negative\"}\n");
  struct Row {
    std::vector<std::string> arguments;
    std::string suggestion;
  };
  const std::vector<Row> rows = {
      {{"init", "toy/config.json", "-o", "bank"}, R"(headlight classify -m ./bank "…")"},
      {{"init", "toy/config.json", "-o", "zoo/a b's"},
       R"(headlight classify -m 'zoo/a b'\''s' "…")"},
      {{"init", "toy/config.json", "--output=-x"}, R"(headlight classify -m ./-x "…")"},
      {{"evaluate", "rows.jsonl", "-m", "toy", "--fit-temperature"},
       R"(headlight classify -m ./toy "…")"},
      {{"evaluate", "rows.jsonl", "-m", "toy", "--fit-temperature", "--weights",
        "toy/model.safetensors", "-f"},
       R"(headlight classify -m ./toy --weights toy/model.safetensors "…")"},
  };
  for (const auto& [arguments, suggestion] : rows) {
    const Outcome outcome = place.run(arguments);
    check_sane(outcome);
    CHECK(outcome.status == 0);
    CHECK(suggestion_in(outcome.err) == suggestion);
    CHECK(status_in_shell(place, suggestion) == 0);
    CHECK(place.files().read("said").find("…\n") != std::string::npos);
  }
}

TEST_CASE("a model without a vocabulary is inspected, and --quiet suggests nothing") {
  const ToyPlace place;
  place.add("wordless", [](OrderedJson& config) { config.erase("tokenizer"); });
  const Outcome outcome = place.run({"init", "wordless/config.json", "-o", "new"});
  CHECK(suggestion_in(outcome.err) == "headlight inspect -m ./new");
  CHECK(status_in_shell(place, suggestion_in(outcome.err)) == 0);
  CHECK(place.run({"init", "toy/config.json", "-o", "quiet", "-q"}).err == "");
  CHECK(suggestion_in(place.run({"init", "toy/config.json", "-o", "a\nb"}).err) == "");
}

TEST_CASE("a page in a file says how to open it, other formats say nothing") {
  const ToyPlace place;
  place.files().write("rows.jsonl", "{\"text\":\"good\",\"label\":\"positive\"}\n");
  const std::vector<std::vector<std::string>> pages = {
      {"explain", "-m", "toy", "good plot", "--format", "html", "-o", "a page.html"},
      {"attention", "-m", "toy", "good plot", "--format", "html", "-o", "a page.html", "-f"},
      {"inspect", "-m", "toy", "--mask", "--format", "html", "-o", "a page.html", "-f"},
      {"evaluate", "-m", "toy", "rows.jsonl", "--html", "a page.html", "-f"}};
  for (const auto& arguments : pages) {
    CHECK(suggestion_in(place.run(arguments).err) == "xdg-open './a page.html'");
  }
  CHECK(place.run({"explain", "-m", "toy", "good plot", "--format", "html"}).err == "");
  CHECK(place.run({"explain", "-m", "toy", "good plot", "--format", "json", "-o", "a.json"}).err ==
        "");
}

}  // namespace
}  // namespace headlight::next_step_test
