#include "training/row_labels.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kListedNames = 12;

template <typename Number>
std::optional<Number> parsed(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

float value_of_label(const std::string& spelled) {
  const auto value = parsed<double>(spelled);
  const auto narrow = static_cast<float>(value.value_or(NAN));
  if (std::isfinite(narrow)) return narrow;
  throw TextError("label \"" + shortened(spelled) + "\" is not a number");
}

}  // namespace

bool spells_several(std::string_view spelled) {
  if (spelled.find('|') != std::string_view::npos) return true;
  return spelled.starts_with('[') &&
         Json::parse(spelled, nullptr, /*allow_exceptions=*/false).is_array();
}

std::vector<std::string> spelled_labels(const std::string& spelled) {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (!name.empty()) names.push_back(std::move(name));
  };
  if (spelled.starts_with('[')) {
    const Json array = Json::parse(spelled, nullptr, /*allow_exceptions=*/false);
    if (!array.is_array()) {
      throw TextError("label \"" + shortened(spelled) + "\" is not a JSON array");
    }
    for (const Json& item : array) {
      if (item.is_structured() || item.is_null()) {
        throw TextError("label \"" + shortened(spelled) + "\" is not an array of names");
      }
      add(item.is_string() ? item.get<std::string>() : item.dump());
    }
    return names;
  }
  for (std::size_t begin = 0; begin <= spelled.size();) {
    const std::size_t end = std::min(spelled.find('|', begin), spelled.size());
    add(spelled.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

void number_labels(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());  // the order of UTF-8 bytes is that of code points
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::pair<std::int64_t, std::string>> numbered;
  for (const std::string& name : names) {
    const auto value = parsed<std::int64_t>(name);
    if (!value) return;
    numbered.emplace_back(*value, name);
  }
  std::sort(numbered.begin(), numbered.end());
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = numbered[i].second;
}

LabelReader::LabelReader(const LabelNames& labels) : labels_(labels) {
  for (std::size_t i = 0; i < labels.names.size(); ++i) numbers_.emplace(labels.names[i], i);
}

std::size_t LabelReader::number_of(const std::string& name) const {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  throw TextError("label \"" + shortened(name) +
                  "\" is not one of the training rows: " + listed(labels_.names, kListedNames));
}

RowTarget LabelReader::target_of(const std::string& spelled) const {
  RowTarget target;
  if (labels_.problem_type == ProblemType::regression) {
    target.value = value_of_label(spelled);
  } else if (labels_.problem_type == ProblemType::single_label) {
    target.labels = {number_of(spelled)};
  } else {
    for (const std::string& name : spelled_labels(spelled)) {
      target.labels.push_back(number_of(name));
    }
    std::sort(target.labels.begin(), target.labels.end());
    const auto repeated = std::unique(target.labels.begin(), target.labels.end());
    target.labels.erase(repeated, target.labels.end());
  }
  return target;
}

}  // namespace headlight
