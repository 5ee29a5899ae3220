#include "training/rows/row_labels.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kListedNames = 12;

std::optional<std::int64_t> integer_in(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

bool are_lists(const std::vector<std::string>& labels) {
  constexpr std::size_t kRare = 100;
  std::size_t lists = 0;
  std::size_t several = 0;
  for (const std::string& spelled : labels) {
    if (!spells_several(spelled)) continue;
    ++lists;
    try {
      if (spelled_labels(spelled).size() > 1) ++several;
    } catch (const TextError&) {
      continue;  // an error of its row
    }
  }
  const auto labelled =
      labels.size() - static_cast<std::size_t>(std::count(labels.begin(), labels.end(), ""));
  return 2 * lists > labelled || (several > 0 && several * kRare >= labelled);
}

void number_labels(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());  // the order of UTF-8 bytes is that of code points
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::pair<std::int64_t, std::string>> numbered;
  for (const std::string& name : names) {
    const auto value = integer_in(name);
    if (!value) return;
    numbered.emplace_back(*value, name);
  }
  std::sort(numbered.begin(), numbered.end());
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = numbered[i].second;
}

GoldReader reader_of(const LabelNames& labels) {
  LabelSet set;
  set.names = labels.names;
  set.problem_type = labels.problem_type;
  return GoldReader(set);
}

RowTarget target_of(const std::string& spelled, const GoldReader& reader) {
  Gold gold = reader.read(spelled);
  RowTarget target{std::move(gold.labels), static_cast<float>(gold.value)};
  if (!std::isfinite(target.value)) {
    throw TextError("label \"" + shortened(spelled) + "\" is not a number");
  }
  if (gold.unknown.empty()) return target;
  const std::string label = "label \"" + shortened(gold.unknown.front());
  if (reader.problem_type() == ProblemType::single_label && spells_several(spelled)) {
    throw TextError(label +
                    "\" is a list, but the labels of most rows are not; if rows may have several "
                    "labels, write all as JSON arrays");
  }
  throw TextError(label +
                  "\" is not one of the training rows: " + listed(reader.names(), kListedNames));
}

}  // namespace headlight
