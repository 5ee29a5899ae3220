#include "base/nearest_name.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// Edit distance, one row at a time. Two exchanged neighbours are one edit ("optimal string
/// alignment").
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> earlier;  // the row before `previous`
  std::vector<std::size_t> previous;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    earlier = std::move(previous);
    previous = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, previous[j] + 1, row[j - 1] + 1});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], earlier[j - 2] + 1);
    }
  }
  return row.back();
}

/// `name` without leading dashes, in lower case.
std::string spelling(std::string_view name) {
  std::string letters(name.substr(std::min(name.find_first_not_of('-'), name.size())));
  for (char& c : letters) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return letters;
}

bool is_near(const std::string& a, const std::string& b, std::size_t edits) {
  constexpr std::size_t kShortest = 3;  // fewer letters begin too many names
  const bool begins = a.starts_with(b) || b.starts_with(a);
  if (begins && std::min(a.size(), b.size()) >= kShortest) return true;
  return edits * 3 <= std::max(a.size(), b.size());
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  const std::string typed = spelling(name);
  std::string nearest;
  std::size_t fewest = std::string::npos;
  for (const std::string& candidate : known) {
    const std::string letters = spelling(candidate);
    const std::size_t edits = distance(typed, letters);
    if (edits >= fewest || !is_near(typed, letters, edits)) continue;
    fewest = edits;
    nearest = candidate;
  }
  return nearest;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? "" : "did you mean " + nearest + "?";
}

}  // namespace headlight
