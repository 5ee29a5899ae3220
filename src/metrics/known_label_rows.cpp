#include "metrics/known_label_rows.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "text/lookalikes.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

constexpr std::size_t kMostLabels = 300;
constexpr std::size_t kShownLabels = 12;

/// As it is seen, without blanks at the ends, in lower case.
std::u32string folded_label(const std::string& text) {
  std::u32string plain = seen_characters(text);
  plain.erase(0, std::min(plain.find_first_not_of(U' '), plain.size()));
  plain.erase(plain.find_last_not_of(U' ') + 1);
  std::ranges::transform(plain, plain.begin(), to_lowercase);
  return plain;
}

std::vector<std::string> escaped_labels(std::vector<std::string> labels) {
  for (std::string& label : labels) label = with_escapes(label);
  return labels;
}

/// For a shell.
std::string in_quotes(const std::string& text) {
  constexpr const char* kPlain =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz=,._-+/:";
  return text.find_first_not_of(kPlain) == std::string::npos ? text : '"' + text + '"';
}

/// A pair whose first label has a comma needs an option of its own.
std::string option(const std::vector<std::string>& pairs) {
  std::string list;
  std::string apart;
  for (const auto& pair : pairs) {
    if (pair.find(',') < pair.find('=')) {
      apart += " --label-map " + in_quotes(pair);
    } else {
      list += (list.empty() ? "" : ",") + pair;
    }
  }
  return (list.empty() ? "" : " --label-map " + in_quotes(list)) + apart;
}

}  // namespace

LabelCensus::LabelCensus(const GoldReader& gold) : gold_(gold) {
  for (const std::string& name : gold.names()) folded_.emplace(folded_label(name), name);
  folded_.erase(U"");
}

void LabelCensus::add(const std::string& spelled) {
  if (gold_.problem_type() == ProblemType::regression) return;
  lists_.add(spelled);
  std::vector<std::string> labels;
  try {
    labels = gold_.parts(spelled);
  } catch (const TextError&) {
    return;
  }
  for (const auto& label : labels) {
    const GoldReader::Match match = gold_.match(label);
    if (match == GoldReader::Match::name) ++names_;
    if (match == GoldReader::Match::number) ++numbers_;
    if (match == GoldReader::Match::none) {
      ++unknown_;
      if (!similar_label(label).empty()) ++similar_;
    }
    if (found_.size() < kMostLabels) found_.insert(shortened(label));
  }
}

std::set<std::string> LabelCensus::found() const {
  return found_.size() < kMostLabels ? found_ : std::set<std::string>();
}

bool LabelCensus::has_many() const { return found_.size() > kShownLabels; }

std::string LabelCensus::similar_label(const std::string& spelled) const {
  const auto found = folded_.find(folded_label(spelled));
  return found == folded_.end() ? "" : found->second;
}

std::string LabelCensus::complaint() const {
  const std::vector<std::string> found(found_.begin(), found_.end());
  return "its labels are not the model's: found " + listed(escaped_labels(found), kShownLabels) +
         "; the model has " + listed(escaped_labels(gold_.names()), kShownLabels);
}

std::string LabelCensus::remedy() const {
  const auto& names = gold_.names();
  std::vector<std::string> pairs;
  for (const auto& label : found_) {
    if (gold_.match(label) == GoldReader::Match::name) continue;
    const std::string name = similar_label(label);
    if (!name.empty()) pairs.push_back(label + "=" + name);
  }
  if (!pairs.empty() && pairs.size() <= kShownLabels) return "use" + option(pairs);
  const bool from_one = !found_.contains("0") && found_.contains(std::to_string(names.size()));
  if (numbers_ == 0 && !from_one) return "--label-map FOUND=LABEL,… translates them";
  return std::string("say what they mean with --label-map NUMBER=NAME,…") +
         (from_one || gold_.reads_positions() ? ""
                                              : ", or read them as positions with --label-numbers");
}

/// While no label is known, reads on: a file whose labels are all unknown is refused before
/// anything is computed.
std::optional<Row> KnownLabelRows::next() {
  if (has_ahead_) {
    if (auto row = ahead_.next()) return row;
    has_ahead_ = false;
  }
  std::optional<Row> row = read();
  while (row && census_.all_unknown()) {
    has_ahead_ = true;
    ahead_.add(std::move(*row));
    row = read();
  }
  if (!has_ahead_) return row;
  if (row) ahead_.add(std::move(*row));
  return ahead_.next();
}

std::optional<Row> KnownLabelRows::read() {
  const bool is_single = gold_.problem_type() == ProblemType::single_label;
  std::optional<Row> row = rows_.next();
  while (row && is_single && row->has_only_ignored) row = rows_.next();
  if (!row) {
    if (census_.all_unknown() && !stop_requested()) refuse();
    return row;
  }
  if (!row->error.empty()) return row;
  try {
    if (row->label) census_.add(*row->label);
    gold_.read(row->label);
  } catch (const TextError& error) {
    row->error = error.line();
  }
  census_.refuse_multi_hot(name_);
  if (census_.differs()) refuse();
  return row;
}

void KnownLabelRows::refuse() {
  constexpr std::size_t kMostRows = 100'000;
  for (std::size_t read = 0; read < kMostRows && !census_.has_many(); ++read) {
    const std::optional<Row> row = rows_.next();
    if (!row) break;
    if (row->error.empty() && row->label) census_.add(*row->label);
  }
  if (on_refusal_) on_refusal_(census_);
  throw Error(name_, census_.complaint(), census_.remedy());
}

}  // namespace headlight
