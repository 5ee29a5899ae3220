#include "base/sorted_lines.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace headlight::sorted_lines_test {
namespace {

/// Numbers that repeat, so that the order of equal lines shows, and lines of many lengths.
std::vector<std::pair<double, std::string>> many_lines() {
  std::vector<std::pair<double, std::string>> lines;
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < 2000; ++i) {
    state = state * 1664525U + 1013904223U;
    const double number = static_cast<double>(state >> 28U) - 8.0;
    lines.emplace_back(number, std::to_string(i) + std::string(state >> 22U & 511U, 'x'));
  }
  return lines;
}

std::vector<std::string> sorted(const std::vector<std::pair<double, std::string>>& lines,
                                std::size_t most_bytes) {
  SortedLines sorting(most_bytes);
  for (const auto& [number, line] : lines) sorting.add(number, line);
  std::vector<std::string> found;
  sorting.pass_on([&](std::string_view line) { found.emplace_back(line); });
  return found;
}

/// TMPDIR during the lifetime of this object.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(const std::string& path) {
    if (const char* value = std::getenv("TMPDIR")) before_ = value;
    ::setenv("TMPDIR", path.c_str(), 1);
  }
  ~TemporaryDirectory() {
    if (before_.empty()) {
      ::unsetenv("TMPDIR");
    } else {
      ::setenv("TMPDIR", before_.c_str(), 1);
    }
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

 private:
  std::string before_;
};

TEST_CASE("lines have the same order whatever fits into memory, equal ones that of adding") {
  const auto lines = many_lines();
  auto stable = lines;
  std::stable_sort(stable.begin(), stable.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> expected;
  for (const auto& [number, line] : stable) expected.push_back(line);
  // In memory; in two parts; in some hundred; each line a part.
  for (const std::size_t most :
       {std::size_t{1} << 30U, std::size_t{400000}, std::size_t{4000}, std::size_t{0}}) {
    CAPTURE(most);
    CHECK((sorted(lines, most) == expected));
  }
}

TEST_CASE("a line longer than a buffer, an empty one and none at all") {
  const std::string large(200000, 'y');
  CHECK((sorted({{1.0, ""}, {2.0, large}, {3.0, "z"}}, 100) ==
         std::vector<std::string>{"z", large, ""}));
  CHECK(sorted({}, 0).empty());
}

TEST_CASE("the temporary file leaves nothing, and says where it cannot be") {
  const TemporaryFolder folder;
  {
    const TemporaryDirectory named(folder.path());
    SortedLines sorting(0);
    sorting.add(1.0, "a");
    CHECK(std::filesystem::is_empty(folder.path()));
  }
  const TemporaryDirectory missing(folder / "missing");
  CHECK(error_of([] { SortedLines(0).add(1.0, "a"); }) ==
        folder / "missing" +
            ": cannot create a temporary file: No such file or directory; TMPDIR names another "
            "directory");
}

}  // namespace
}  // namespace headlight::sorted_lines_test
