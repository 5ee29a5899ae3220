#include "metrics/gold.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/json.h"
#include "base/outer_blanks.h"
#include "base/utf8.h"
#include "rows/label_shape.h"

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
  std::string plain(without_outer_blanks(spelled));
  if (plain.size() > 1 && plain[0] == '+' && plain[1] != '-') plain.erase(0, 1);
  const auto value = read_number<double>(plain);
  if (value && std::isfinite(*value)) return *value;
  throw TextError("label \"" + shortened(spelled) + "\" is not a number");
}

/// "7" of "7.0", as pandas writes whole numbers beside missing ones; any other text itself.
std::string plain_whole(const std::string& spelled) {
  constexpr std::string_view kNothingMore = ".0";
  if (!spelled.ends_with(kNothingMore)) return spelled;
  return spelled.substr(0, spelled.size() - kNothingMore.size());
}

/// "7" of "LABEL_7"; any other name itself.
std::string plain_number(const std::string& name) {
  constexpr std::string_view kUnnamed = "LABEL_";
  const std::string rest = name.starts_with(kUnnamed) ? name.substr(kUnnamed.size()) : "";
  return read_number<std::size_t>(rest) ? rest : name;
}

std::vector<std::string> array_items(const std::string& spelled) {
  std::vector<std::string> items;
  const Json array = Json::parse(spelled, nullptr, /*allow_exceptions=*/false);
  if (!array.is_array()) {
    throw TextError("label \"" + shortened(spelled) + "\" is not a JSON array");
  }
  for (const Json& item : array) {
    if (item.is_structured() || item.is_null()) {
      throw TextError("label \"" + shortened(spelled) + "\" is not an array of names");
    }
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

template <typename Label>
void sort_unique(std::vector<Label>& labels) {
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
}

}  // namespace

std::vector<bool> flags_of(const std::vector<std::size_t>& numbers, std::size_t labels) {
  std::vector<bool> flags(labels);
  for (const std::size_t number : numbers) flags[number] = true;
  return flags;
}

bool spells_several(std::string_view spelled) {
  if (spelled.find('|') != std::string_view::npos) return true;
  return spelled.starts_with('[') &&
         Json::parse(spelled, nullptr, /*allow_exceptions=*/false).is_array();
}

std::vector<std::string> spelled_labels(const std::string& spelled) {
  auto names = spelled.starts_with('[') ? array_items(spelled) : between_bars(spelled);
  std::erase(names, "");
  return names;
}

void MultiHotLists::add(const std::string& spelled) {
  if (!all_are_ || !spelled.starts_with('[')) return;
  const Json list = Json::parse(spelled, nullptr, /*allow_exceptions=*/false);
  if (!list.is_array()) return;
  if (length_ == 0) length_ = list.size();
  const auto is_share = [](const Json& item) {  // between 0 and 1
    return item.is_number_float() && item.get<double>() > 0 && item.get<double>() < 1;
  };
  const auto is_place = [&](const Json& item) { return is_flag(item) || is_share(item); };
  all_are_ = list.size() == length_ && length_ > 1 && std::ranges::all_of(list, is_place);
  if (first_.empty()) first_ = spelled;
  const std::set<Json> different(list.begin(), list.end());
  is_sure_ = is_sure_ || different.size() < list.size() || spelled != first_ ||
             std::ranges::any_of(list, is_share);
}

void MultiHotLists::refuse(const std::string& file) const {
  if (!all_are_ || !is_sure_) return;
  throw Error(
      file,
      "its labels are multi-hot lists, such as " + shortened(first_) + "; expected lists of names",
      "--label-names A,B,C says what the places stand for, from the first");
}

GoldReader::GoldReader(const LabelSet& labels,
                       const std::map<std::string, std::size_t>& translations, LabelNumbers numbers)
    : problem_type_(labels.problem_type),
      names_(labels.names),
      numbers_read_(numbers),
      named_by_numbers_(std::ranges::all_of(names_, [](const std::string& name) {
        return read_number<double>(plain_number(name)).has_value();
      })) {
  for (std::size_t i = 0; i < names_.size(); ++i) numbers_.emplace(names_[i], i);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (named_by_numbers_) numbers_.emplace(plain_number(names_[i]), i);
    if (numbers == LabelNumbers::positions) numbers_[std::to_string(i)] = i;
  }
  for (const auto& [spelled, number] : translations) numbers_[spelled] = number;
}

GoldReader::Match GoldReader::match(const std::string& spelled) const {
  if (find(spelled)) return Match::name;
  const auto number = read_number<std::size_t>(plain_whole(spelled));
  return !named_by_numbers_ && number && *number < names_.size() ? Match::number : Match::none;
}

std::optional<std::size_t> GoldReader::find(const std::string& spelled) const {
  auto found = numbers_.find(spelled);
  const bool are_numbers = named_by_numbers_ || reads_positions();
  if (found == numbers_.end() && are_numbers) found = numbers_.find(plain_whole(spelled));
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

/// Tries the whole text first: a label name may contain a bar or a bracket.
std::vector<std::string> GoldReader::parts(const std::string& spelled) const {
  if (find(spelled)) return {spelled};
  if (problem_type_ == ProblemType::multi_label) return spelled_labels(spelled);
  if (spelled.empty()) return {};
  if (!spells_several(spelled)) return {spelled};
  std::vector<std::string> names = spelled_labels(spelled);
  return names.empty() || spelled.starts_with('[') ? names : std::vector{spelled};
}

Gold GoldReader::read(const std::optional<std::string>& spelled) const {
  if (!spelled) throw TextError("has no label");
  Gold gold;
  if (problem_type_ == ProblemType::regression) {
    gold.value = value_of(*spelled);
    return gold;
  }
  for (const auto& part : parts(*spelled)) {
    if (const auto number = find(part)) {
      gold.labels.push_back(*number);
    } else {
      gold.unknown.push_back(part);
    }
  }
  sort_unique(gold.labels);
  sort_unique(gold.unknown);
  if (problem_type_ == ProblemType::single_label && gold.labels.empty() && gold.unknown.empty()) {
    throw TextError("has no label");
  }
  return gold;
}

std::string GoldReader::positions() const {
  std::vector<std::string> positions;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::string number = std::to_string(i);
    positions.push_back(number + " = " + names_[find(number).value_or(i)]);
  }
  return listed(positions, kListedLabels);
}

}  // namespace headlight
