#include "metrics/gold.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kListedLabels = 12;

template <typename Number>
std::optional<Number> read_number(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

double value_of(const std::string& spelled) {
  const auto value = read_number<double>(spelled);
  if (value && std::isfinite(*value)) return *value;
  throw TextError("label \"" + shortened(spelled) + "\" is not a number");
}

std::vector<std::string> array_items(const std::string& spelled) {
  std::vector<std::string> items;
  const Json array = Json::parse(spelled, nullptr, /*allow_exceptions=*/false);
  if (!array.is_array()) {
    throw TextError("label \"" + shortened(spelled) + "\" is not a JSON array");
  }
  for (const Json& item : array) {
    items.push_back(item.is_string() ? item.get<std::string>() : item.dump());
  }
  return items;
}

std::vector<std::string> between_bars(const std::string& spelled) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < spelled.size();) {
    const std::size_t end = std::min(spelled.find('|', begin), spelled.size());
    parts.push_back(spelled.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

GoldReader::GoldReader(const LabelSet& labels,
                       const std::map<std::string, std::size_t>& translations)
    : problem_type_(labels.problem_type), names_(labels.names) {
  for (std::size_t i = 0; i < names_.size(); ++i) numbers_.emplace(names_[i], i);
  for (const auto& [spelled, number] : translations) numbers_[spelled] = number;
}

GoldReader::Match GoldReader::match(const std::string& spelled) const {
  if (numbers_.contains(spelled)) return Match::name;
  return find(spelled) ? Match::number : Match::none;
}

Gold GoldReader::read(const std::optional<std::string>& spelled) const {
  if (!spelled) throw TextError("has no label");
  Gold gold;
  if (problem_type_ == ProblemType::regression) {
    gold.value = value_of(*spelled);
  } else if (problem_type_ == ProblemType::single_label) {
    if (spelled->empty() && !find(*spelled)) throw TextError("has no label");
    gold.labels = {number_of(*spelled)};
  } else {
    for (const auto& part : parts(*spelled)) gold.labels.push_back(number_of(part));
    std::sort(gold.labels.begin(), gold.labels.end());
    gold.labels.erase(std::unique(gold.labels.begin(), gold.labels.end()), gold.labels.end());
  }
  return gold;
}

std::optional<std::size_t> GoldReader::find(const std::string& spelled) const {
  const auto named = numbers_.find(spelled);
  if (named != numbers_.end()) return named->second;
  const auto number = read_number<std::size_t>(spelled);
  return number && *number < names_.size() ? number : std::nullopt;
}

std::size_t GoldReader::number_of(const std::string& spelled) const {
  if (const auto number = find(spelled)) return *number;
  throw TextError("label \"" + shortened(spelled) +
                  "\" is not one of the model's: " + listed(names_, kListedLabels));
}

/// Tries the whole text first: a label name may contain a bar or a bracket.
std::vector<std::string> GoldReader::parts(const std::string& spelled) const {
  if (problem_type_ != ProblemType::multi_label || find(spelled)) return {spelled};
  return spelled.starts_with('[') ? array_items(spelled) : between_bars(spelled);
}

}  // namespace headlight
