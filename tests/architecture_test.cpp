// The rooms of src/ stand in the order of work: a room includes itself and what it links, and links
// only rooms above it. The order is read from src/CMakeLists.txt, links from the CMakeLists.txt of
// each room.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"

namespace headlight::architecture_test {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = fs::path(HEADLIGHT_SOURCE) / "src";
const std::string kPrefix = "headlight_";

/// The arguments of each call of `command` in the CMakeLists.txt of `folder`.
std::vector<std::vector<std::string>> calls_of(const std::string& command, const fs::path& folder) {
  const std::string text = content_of(folder / "CMakeLists.txt");
  std::vector<std::vector<std::string>> calls;
  const std::string opening = command + "(";
  for (std::size_t at = text.find(opening); at != std::string::npos; at = text.find(opening, at)) {
    at += opening.size();
    std::istringstream words(text.substr(at, text.find(')', at) - at));
    auto& call = calls.emplace_back();
    for (std::string word; words >> word;) call.push_back(word);
  }
  return calls;
}

bool is_room(const std::string& target) {
  return target.starts_with(kPrefix) && target != kPrefix + "options";
}

/// The rooms in order.
std::vector<std::string> rooms() {
  std::vector<std::string> names;
  for (const auto& call : calls_of("add_subdirectory", kSource)) names.push_back(call[0]);
  return names;
}

/// Each room with those that it links, directly or through others.
std::map<std::string, std::set<std::string>> linked_rooms() {
  std::map<std::string, std::set<std::string>> linked;
  for (const auto& name : rooms()) {
    auto& below = linked[name];
    for (const auto& call : calls_of("target_link_libraries", kSource / name)) {
      for (auto word = call.begin() + 1; word != call.end(); ++word) {
        if (!is_room(*word)) continue;
        const std::string room = word->substr(kPrefix.size());
        below.insert(room);
        below.insert(linked[room].begin(), linked[room].end());
      }
    }
  }
  return linked;
}

struct Include {
  std::string file;  // that has the line, from the folder
  std::string room;  // of that file
  std::string header;
  bool ours;  // in quotes
};

/// Those of all sources in a folder.
std::vector<Include> all_includes(const fs::path& folder = kSource) {
  std::vector<Include> includes;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".h" && ending != ".cpp") continue;
    const fs::path file = entry.path().lexically_relative(folder);
    std::istringstream lines(content_of(entry.path()));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("#include ")) continue;
      const std::size_t begin = line.find_first_of("\"<") + 1;
      const std::size_t end = line.find_first_of("\">", begin);
      includes.push_back({file.string(), file.begin()->string(), line.substr(begin, end - begin),
                          line[begin - 1] == '"'});
    }
  }
  return includes;
}

std::string room_of(const std::string& header) { return header.substr(0, header.find('/')); }

TEST_CASE("a room links only rooms above it") {
  const auto order = rooms();
  REQUIRE(order.size() >= 8);
  CHECK(order.front() == "base");
  const auto place = [&](const std::string& room) {
    return std::find(order.begin(), order.end(), room) - order.begin();
  };
  for (const auto& [room, linked] : linked_rooms()) {
    for (const auto& other : linked) {
      CAPTURE(room);
      CAPTURE(other);
      CHECK(place(other) < place(room));
    }
  }
}

TEST_CASE("each folder is a room, and what is written there is compiled") {
  const auto order = rooms();
  for (const auto& entry : fs::directory_iterator(kSource)) {
    if (!entry.is_directory()) continue;
    const std::string room = entry.path().filename().string();
    CAPTURE(room);
    CHECK(std::count(order.begin(), order.end(), room) == 1);
    const auto libraries = calls_of("add_library", entry.path());
    REQUIRE(libraries.size() == 1);
    CHECK(libraries[0][0] == kPrefix + room);
    for (const auto& file : fs::recursive_directory_iterator(entry.path())) {
      if (file.path().extension() != ".cpp") continue;
      const std::string name = file.path().lexically_relative(entry.path()).string();
      CAPTURE(name);
      CHECK(std::count(libraries[0].begin(), libraries[0].end(), name) == 1);
    }
  }
}

TEST_CASE("each source of a test is compiled") {
  const fs::path tests = kSource.parent_path() / "tests";
  std::istringstream words(content_of(tests / "CMakeLists.txt"));
  std::set<std::string> listed;
  for (std::string word; words >> word;) listed.insert(word.substr(0, word.find(')')));
  for (const auto& file : fs::recursive_directory_iterator(tests)) {
    if (!file.path().filename().string().ends_with("_test.cpp")) continue;
    const std::string name = file.path().lexically_relative(tests).string();
    CAPTURE(name);
    CHECK(listed.contains(name));
  }
}

TEST_CASE("a room includes only itself and the rooms that it links") {
  const auto linked = linked_rooms();
  const auto includes = all_includes();
  REQUIRE(includes.size() > 100);
  for (const auto& include : includes) {
    if (!include.ours) continue;
    CAPTURE(include.file);
    CAPTURE(include.header);
    CHECK(fs::exists(kSource / include.header));  // written from src/, not from the file's folder
    const std::string other = room_of(include.header);
    CHECK((other == include.room || linked.at(include.room).contains(other)));
  }
}

TEST_CASE("the rooms that must not know each other do not") {
  struct Row {
    std::string room;
    std::string header;     // as it begins
    std::string exception;  // a file that may
  };
  const Row rows[] = {
      {"math", "text/", ""},
      {"text", "math/", ""},
      {"encoder", "fstream", ""},
      {"encoder", "filesystem", ""},
      {"encoder", "nlohmann/", ""},
      {"encoder", "base/json", ""},
      {"encoder", "base/fields.h", ""},
      {"encoder", "base/file.h", ""},
      {"encoder", "model/model.h", ""},
      {"encoder", "model/file_tensors.h", ""},
      {"report", "model/model.h", "report/models/model_report."},
      {"report", "nlohmann/", ""},
  };
  for (const auto& include : all_includes()) {
    for (const auto& [room, header, exception] : rows) {
      if (include.room != room || !include.header.starts_with(header)) continue;
      CAPTURE(include.header);
      CAPTURE(include.file);
      CHECK((!exception.empty() && include.file.starts_with(exception)));
    }
  }
}

TEST_CASE("BLAS and xtensor have one door each") {
  const fs::path root = kSource.parent_path();
  for (const char* folder : {"src", "apps", "tests"}) {
    for (const auto& include : all_includes(root / folder)) {
      CAPTURE(folder);
      CAPTURE(include.file);
      CAPTURE(include.header);
      const bool math = folder == std::string("src") && include.room == "math";
      if (!include.ours && include.header.find("blas") != std::string::npos) {
        CHECK((math && (include.file == "math/blas.cpp" || include.file == "math/tensor.cpp")));
      } else if (include.header.starts_with("xtensor") || include.header.starts_with("xtl/")) {
        CHECK((math && include.file == "math/tensor.h"));
      }
    }
  }
}

TEST_CASE("xtensor is for sources of inside and training, and for tests") {
  for (const auto& include : all_includes()) {
    if (include.header != "math/tensor.h") continue;
    CAPTURE(include.file);
    CHECK((include.room == "inside" || include.room == "training" ||
           include.file == "math/tensor.cpp"));
    CHECK(include.file.ends_with(".cpp"));
  }
  for (const auto& include : all_includes(kSource.parent_path() / "apps")) {
    CHECK(include.header != "math/tensor.h");
  }
}

}  // namespace
}  // namespace headlight::architecture_test
