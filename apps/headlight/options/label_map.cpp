#include "options/label_map.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "base/outer_blanks.h"
#include "base/utf8.h"
#include "options/help_group.h"
#include "training/directory/training_facts.h"

namespace headlight {
namespace {

/// The pairs of a list. A part without = belongs to the label before it, which has a comma.
std::vector<std::pair<std::string, std::string>> pairs_of(const std::string& list) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string part = list.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    if (equals != std::string::npos) {
      pairs.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    } else if (pairs.empty()) {
      return {};
    } else {
      pairs.back().second += ',' + part;
    }
    begin = end + 1;
  }
  return pairs;
}

bool has_pairs(const std::string& list) { return !pairs_of(list).empty(); }

/// A name as typed or without blanks around it, or a number if no label has this name.
std::optional<std::size_t> number_of(const std::string& typed,
                                     const std::vector<std::string>& names) {
  const std::string label(without_outer_blanks(typed));
  for (const std::string& name : {typed, label}) {
    const auto named = std::find(names.begin(), names.end(), name);
    if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
  }
  std::size_t number = 0;
  const char* end = label.data() + label.size();
  const auto [stop, error] = std::from_chars(label.data(), end, number);
  if (error != std::errc() || stop != end || number >= names.size()) return std::nullopt;
  return number;
}

CLI::Option* add_map(CLI::App& command, std::vector<std::string>& lists, const std::string& help) {
  return add_value(command, "--label-map LIST", lists, help)
      ->allow_extra_args(false)
      ->check(readable_by(has_pairs, "FOUND=LABEL,FOUND=LABEL…"));
}

[[noreturn]] void fail_unknown(const std::string& label, const LabelSet& labels) {
  constexpr std::size_t kListedLabels = 12;
  throw UsageError("--label-map: \"" + shortened(label) +
                   "\" is not one of the model's labels: " + listed(labels.names, kListedLabels));
}

}  // namespace

void LabelMap::add_to(CLI::App& command) {
  const HelpGroup group(command, kInputGroup);
  command_ = &command;
  rule(add_map(command, lists_,
               "Translate the file's labels to the model's, such as 1=world,2=sports"))
      .needs(kLabelsTexts)
      .needs(kHasLabelNames);
  rule(command.add_flag("--label-numbers", numbers_,
                        "Numbers in the file are positions of the model's labels, from 0"))
      .needs(kHasLabelNames);
}

GoldReader LabelMap::reader(const LabelSet& labels, const ModelPlace& place,
                            const Console& console) const {
  check_fact(*command_, kHasLabelNames, labels.problem_type != ProblemType::regression,
             ", but the model predicts a value");
  const auto translated = translations(labels, place);
  if (!numbers_) return GoldReader(labels, translated);
  GoldReader reader(labels, translated, LabelNumbers::positions);
  console.note("numbers are positions of labels: " + reader.positions());
  return reader;
}

std::map<std::string, std::size_t> LabelMap::translations(const LabelSet& labels,
                                                          const ModelPlace& place) const {
  std::map<std::string, std::size_t> translations;
  for (const auto& list : lists_) {
    for (const auto& [found, label] : pairs_of(list)) {
      const auto number = number_of(label, labels.names);
      if (!number) fail_unknown(label, labels);
      const bool is_new = translations.emplace(found, *number).second;
      const auto plain = translations.emplace(without_outer_blanks(found), *number).first;
      if (!is_new || plain->second != *number) {
        throw UsageError("--label-map: \"" + shortened(found) + "\" is translated twice");
      }
    }
  }
  for (const auto& [found, label] : merged_labels(place)) {
    if (const auto number = number_of(label, labels.names)) translations.emplace(found, *number);
  }
  return translations;
}

void LabelNames::add_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  rule(add_map(command, lists_, "Call labels of the model differently, such as 0=bad,1=good"))
      .needs(kLabelsTexts);
}

LabelSet LabelNames::written(LabelSet labels) const {
  const LabelSet own = labels;
  for (const auto& list : lists_) {
    for (const auto& [label, name] : pairs_of(list)) {
      const auto number = number_of(label, own.names);
      if (!number) fail_unknown(label, own);
      labels.names[*number] = without_outer_blanks(name);
    }
  }
  std::set<std::string> names;
  for (const std::string& name : labels.names) {
    if (names.insert(name).second) continue;
    throw UsageError("--label-map: two labels would be \"" + shortened(name) + "\"");
  }
  return labels;
}

}  // namespace headlight
