#include "training/rows/row_targets.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
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

/// Empty for a list that cannot be read, which is an error of its row.
std::vector<std::string> names_in(const std::string& spelled) {
  try {
    return spelled_labels(spelled);
  } catch (const TextError&) {
    return {};
  }
}

void sort_names(std::vector<std::string>& names) {
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

/// Whether rows with these labels have any number of them.
bool are_lists(const std::vector<std::string>& labels) {
  constexpr std::size_t kRare = 100;
  constexpr std::size_t kOneOf = 10;
  std::size_t lists = 0;
  std::size_t named = 0;
  std::size_t several = 0;
  std::size_t labelled = 0;
  for (const std::string& spelled : labels) {
    if (!spelled.empty()) ++labelled;
    if (!spells_several(spelled)) continue;
    ++lists;
    const std::size_t names = names_in(spelled).size();
    if (names > 0) ++named;
    if (names > 1) ++several;
  }
  if (2 * lists > labelled) return named > 0;
  return several > 0 && several * (several == 1 ? kOneOf : kRare) >= labelled;
}

/// The label of a column of logits; empty if it is another column.
std::string_view label_of_column(std::string_view column, const std::string& field) {
  for (const std::string& begin : {field + '.', std::string(field == "logits" ? "logit." : "")}) {
    if (!begin.empty() && column.starts_with(begin)) return column.substr(begin.size());
  }
  return {};
}

}  // namespace

LabelSet name_labels(const std::vector<std::string>& spelled, bool is_single) {
  LabelSet labels;
  const bool has_lists = !is_single && are_lists(spelled);
  if (has_lists) labels.problem_type = ProblemType::multi_label;
  for (const std::string& label : spelled) {
    if (has_lists) {
      for (std::string& name : names_in(label)) labels.names.push_back(std::move(name));
    } else if (!label.empty() && (is_single || !spells_several(label))) {
      labels.names.push_back(label);
    }
  }
  sort_names(labels.names);
  return labels;
}

Gold target_of(const std::string& spelled, const GoldReader& reader, bool keeps_unknown) {
  Gold gold = reader.read(spelled);
  const bool is_single = reader.problem_type() == ProblemType::single_label;
  const bool has_several = is_single && gold.labels.size() + gold.unknown.size() > 1;
  Gold target{std::move(gold.labels), double{static_cast<float>(gold.value)}, {}};
  if (keeps_unknown) std::swap(target.unknown, gold.unknown);
  if (!std::isfinite(target.value)) {
    throw TextError("label \"" + shortened(spelled) + "\" is not a number");
  }
  if (!has_several && gold.unknown.empty()) return target;
  if (has_several || (is_single && spells_several(spelled))) {
    throw TextError("label \"" + shortened(spelled) +
                    "\" is a list, but the labels of most rows are not; if rows may have several "
                    "labels, write all as JSON arrays");
  }
  throw TextError("label \"" + shortened(gold.unknown.front()) +
                  "\" is not one of the training rows: " + listed(reader.names(), kListedNames));
}

std::string spelled_teacher_logits(const Row& row, const std::string& field) {
  if (const auto found = kept_field(row, field); found && found->text) return *found->text;
  std::string columns;
  JsonWriter json(columns);
  json.begin_object();
  for (const KeptField& kept : row.kept) {
    const std::string_view label = label_of_column(kept.name, field);
    if (!label.empty() && kept.text) json.key(label).string(*kept.text);
  }
  json.end_object();
  if (columns == "{}") throw TextError("has no teacher logits in \"" + shortened(field) + '"');
  return columns;
}

std::vector<float> teacher_logits_of(const std::string& spelled, const LabelSet& labels) {
  Json json;
  try {
    json = parse_json(spelled, "teacher logits");
  } catch (const Error& error) {
    throw TextError(error.line());
  }
  if (!json.is_object() || json.size() != labels.names.size()) {
    throw TextError("found the teacher logits " + excerpt(json) + ", expected one for each of " +
                    std::to_string(labels.names.size()) + " labels");
  }
  std::vector<float> logits;
  for (const std::string& name : labels.names) {
    const auto found = json.find(name);
    if (found == json.end()) {
      throw TextError("has no teacher logit of the label \"" + shortened(name) + '"');
    }
    const Json number =
        found->is_string() ? Json::parse(found->get<std::string>(), nullptr, false) : *found;
    const float logit = number.is_number() ? number.get<float>() : NAN;
    if (!std::isfinite(logit)) {
      throw TextError("found the teacher logit " + excerpt(*found) + ", expected a number");
    }
    logits.push_back(logit);
  }
  return logits;
}

}  // namespace headlight
