// src/references.md lists every paper that the source names, each with a file that names it.
// CITATION.cff has the version of the program.
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"

namespace headlight::references_test {
namespace {

namespace fs = std::filesystem;

const fs::path kProject = fs::path(HEADLIGHT_SOURCE);

/// In one line: without line breaks, and without what begins the lines of a comment.
std::string prose_of(const fs::path& path) {
  const std::string text =
      std::regex_replace(content_of(path), std::regex(R"(\n[ \t]*(///?)?[ \t]*)"), " ");
  return std::regex_replace(text, std::regex(" +"), " ");
}

/// "Su et al. 2021", "Abnar and Zuidema 2020"
std::set<std::string> papers_in(const std::string& prose) {
  static const std::regex kPaper(R"([A-Z][A-Za-z]+ (et al\.|and [A-Z][a-z]+) (19|20)[0-9]{2})");
  std::set<std::string> papers;
  for (std::sregex_iterator found(prose.begin(), prose.end(), kPaper), end; found != end; ++found) {
    papers.insert(found->str());
  }
  return papers;
}

TEST_CASE("each reference stands in the source file that it names") {
  const std::string list = content_of(kProject / "src/references.md");
  const std::regex row(R"re(\| [^|]+ \| ([^|"]+), "[^|"]+" \| \[([^\]]+)\]\(([^)]+)\) \|)re");
  std::size_t rows = 0;
  for (std::sregex_iterator found(list.begin(), list.end(), row), end; found != end; ++found) {
    const std::string paper = (*found)[1];
    const std::string file = (*found)[2];
    INFO(paper, " in ", file);
    CHECK((*found)[3] == file);
    CHECK(prose_of(kProject / "src" / file).find(paper) != std::string::npos);
    ++rows;
  }
  constexpr std::size_t kEachTable = 2;  // lines that begin with |, which are no rows
  std::size_t lines = 0;
  std::size_t tables = 0;
  std::istringstream text(list);
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with('|')) ++lines;
    if (line.starts_with("|--")) ++tables;
  }
  CHECK(rows == lines - kEachTable * tables);
  CHECK(rows > 60);
}

TEST_CASE("each paper of the source is in the list of references") {
  const std::set<std::string> listed = papers_in(content_of(kProject / "src/references.md"));
  for (const auto& entry : fs::recursive_directory_iterator(kProject / "src")) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".h" && ending != ".cpp" && ending != ".js") continue;
    for (const std::string& paper : papers_in(prose_of(entry.path()))) {
      INFO(entry.path().string(), ": ", paper);
      CHECK(listed.contains(paper.starts_with("Haddow") ? "Sennrich et al. 2016" : paper));
    }
  }
}

TEST_CASE("CITATION.cff has the version of the program") {
  const std::string project = content_of(kProject / "CMakeLists.txt");
  std::smatch version;
  const std::regex stated(R"re(project\(headlight VERSION (\S+) [^#]*VERSION_SUFFIX "([^"]*)")re");
  REQUIRE(std::regex_search(project, version, stated));
  const std::string line = "\nversion: " + version.str(1) + version.str(2) + '\n';
  CHECK(content_of(kProject / "CITATION.cff").find(line) != std::string::npos);
}

}  // namespace
}  // namespace headlight::references_test
