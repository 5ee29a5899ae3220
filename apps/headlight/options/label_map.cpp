#include "options/label_map.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/json.h"
#include "base/outer_blanks.h"
#include "base/utf8.h"
#include "options/help_group.h"
#include "training/directory/training_facts.h"

namespace headlight {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> lines_of(const std::string& path) {
  guard_input(path);
  std::vector<std::string> lines;
  std::string bytes(MappedFile(path).text());
  if (bytes.find('\n') == std::string::npos) std::ranges::replace(bytes, '\r', '\n');
  std::istringstream text{std::move(bytes)};
  for (std::string line; std::getline(text, line);) {
    const std::string_view bom = "\xEF\xBB\xBF";
    if (lines.empty() && line.starts_with(bom)) line.erase(0, bom.size());
    lines.emplace_back(without_outer_blanks(line));
  }
  std::erase(lines, "");
  return lines;
}

Pairs pairs_in_list(const std::string& list);

/// The pairs of a file: a line each, or an object of JSON.
Pairs pairs_in(const std::string& path) {
  Pairs pairs;
  const std::vector<std::string> lines = lines_of(path);
  if (!lines.empty() && lines.front().starts_with('{')) {
    Json object = read_json_file(path);
    if (object.contains("id2label") && object["id2label"].is_object()) {
      object = Json(object["id2label"]);  // of a config.json
    }
    for (const auto& [found, label] : object.items()) {
      pairs.emplace_back(found, label.is_string() ? label.get<std::string>() : label.dump());
    }
    return pairs;
  }
  for (std::string line : lines) {
    const char between = line.find('\t') == std::string::npos ? ',' : '\t';
    const std::size_t place = line.find('=') == std::string::npos ? line.find(between) : 0;
    if (place > 0 && place != std::string::npos) line[place] = '=';
    const Pairs one = pairs_in_list(line);
    if (one.empty()) throw Error(path, "found \"" + shortened(line) + "\", expected FOUND=LABEL");
    pairs.insert(pairs.end(), one.begin(), one.end());
  }
  return pairs;
}

/// The pairs of a list. A part without = belongs to the label before it, which has a comma; so do
/// the first ones to the first label.
Pairs pairs_in_list(const std::string& list) {
  Pairs pairs;
  if (list.find('=') == std::string::npos) return pairs;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t from = pairs.empty() ? list.find('=') : begin;
    const std::size_t end = std::min(list.find(',', from), list.size());
    const std::string part = list.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    if (equals != std::string::npos) {
      pairs.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    } else {
      pairs.back().second += ',' + part;
    }
    begin = end + 1;
  }
  return pairs;
}

Pairs pairs_of(const std::string& value) {
  return file_exists(value) ? pairs_in(value) : pairs_in_list(value);
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
  return add_value(command, "--label-map LIST|FILE", lists, help)
      ->allow_extra_args(false)
      ->check(readable_by(has_pairs, "FOUND=LABEL,FOUND=LABEL…, or a file of these"));
}

[[noreturn]] void fail_unknown(const std::string& label, const LabelSet& labels) {
  constexpr std::size_t kListedLabels = 12;
  throw UsageError("--label-map: \"" + shortened(label) +
                   "\" is not one of the model's labels: " + listed(labels.names, kListedLabels));
}

}  // namespace

std::vector<std::string> names_in_list(const std::string& list_or_file) {
  if (file_exists(list_or_file)) return lines_of(list_or_file);
  std::vector<std::string> names;
  std::istringstream list(list_or_file);
  for (std::string name; std::getline(list, name, ',');) {
    names.emplace_back(without_outer_blanks(name));
  }
  return names;
}

MergedLabels mapped_labels(const std::vector<std::string>& lists) {
  MergedLabels mapped;
  for (const std::string& list : lists) {
    for (const auto& [typed, label] : pairs_of(list)) {
      const std::string found(without_outer_blanks(typed));
      const std::string name(without_outer_blanks(label));
      if (!mapped.emplace(found, name).second) {
        throw UsageError("--label-map: \"" + shortened(found) + "\" is translated twice");
      }
    }
  }
  std::erase_if(mapped, [](const auto& pair) { return pair.first == pair.second; });
  return mapped;
}

CLI::Option* add_label_map(CLI::App& command, std::vector<std::string>& lists) {
  return add_map(
      command, lists,
      "Read labels of the file as others; such as 0=bad,1=good; FILE has a FOUND=LABEL a "
      "line, or an object of JSON");
}

void LabelMap::add_to(CLI::App& command) {
  const HelpGroup group(command, kInputGroup);
  command_ = &command;
  rule(add_map(command, lists_,
               "Translate the file's labels to the model's; such as 1=world,2=sports; FILE has one "
               "a line, or an object of JSON"))
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

void LabelMap::say_unused(const std::set<std::string>& found, const Console& console) const {
  constexpr std::size_t kListedKeys = 12;
  if (found.empty()) return;
  std::vector<std::string> unused;
  for (const auto& list : lists_) {
    for (const auto& [key, label] : pairs_of(list)) {
      const std::string plain(without_outer_blanks(key));
      const bool is_found = found.contains(shortened(key)) || found.contains(shortened(plain));
      if (!is_found) unused.push_back('"' + plain + '"');
    }
  }
  if (unused.empty()) return;
  console.note("--label-map: no row has the label " + listed(unused, kListedKeys));
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
  rule(add_map(command, lists_, "Call labels of the model differently; such as 0=bad,1=good"))
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
