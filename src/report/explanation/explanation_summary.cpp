#include "report/explanation/explanation_summary.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/json.h"
#include "metrics/confidence.h"
#include "report/evaluation/evaluation_report.h"
#include "report/explanation/explanation_view.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"

namespace headlight {
namespace {

constexpr std::size_t kShownWords = 20;
constexpr std::array kMeasures = {"comprehensiveness", "normalized_comprehensiveness",
                                  "sufficiency", "normalized_sufficiency"};

/// In lower case, without punctuation at its ends; the word itself if nothing else is left.
std::string plain_word(const std::string& word) {
  const auto is_mark = [](char c) { return std::ispunct(static_cast<unsigned char>(c)) != 0; };
  const auto first = std::find_if_not(word.begin(), word.end(), is_mark);
  if (first == word.end()) return word;
  const auto last = std::find_if_not(word.rbegin(), word.rend(), is_mark).base();
  std::string plain(first, last);
  for (char& c : plain) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return plain;
}

const KeptField* field_of(const Row& row, const char* name) {
  const auto found = std::ranges::find(row.kept, name, &KeptField::name);
  return found == row.kept.end() || !found->text ? nullptr : &*found;
}

std::string mean_text(const std::vector<double>& values, bool share) {
  if (values.empty()) return "-";
  const auto& [mean, interval] = mean_of(values);
  const auto number = [&](double value) { return share ? percent(value) : decimal(value); };
  if (!interval) return number(mean);
  return number(mean) + " (" + number(interval->low) + " to " + number(interval->high) + ")";
}

}  // namespace

void ExplanationSummary::add(const Row& row) {
  ++rows_;
  const KeptField* words = field_of(row, "words");
  if (words == nullptr) {
    ++errors_;
    return;
  }
  for (const Json& word : parse_json(*words->text, "words")) {
    const std::string plain = plain_word(word.at("word").get<std::string>());
    for (const auto& [label, effect] : word.at("effect").items()) {
      WordSum& sum = words_[label][plain];
      ++sum.count;
      sum.total += effect.get<double>();
    }
  }
  const KeptField* faithfulness = field_of(row, "faithfulness");
  if (faithfulness == nullptr) return;
  const Json found = parse_json(*faithfulness->text, "faithfulness");
  for (const Json& method : found.at("methods")) {
    const auto name = method.at("method").get<std::string>();
    if (!faithfulness_.contains(name)) methods_.push_back(name);
    Measure& measures = faithfulness_[name];
    for (const char* measure : kMeasures) {
      if (method.contains(measure)) measures[measure].push_back(method.at(measure).get<double>());
    }
  }
}

std::vector<ExplanationSummary::Listed> ExplanationSummary::by_total(const std::string& label,
                                                                     std::size_t most) const {
  std::vector<Listed> listed;
  for (const auto& [word, sum] : words_.at(label)) listed.push_back({&word, sum.count, sum.total});
  std::ranges::stable_sort(listed,
                           [](const Listed& a, const Listed& b) { return a.total > b.total; });
  listed.resize(std::min(listed.size(), most));
  return listed;
}

std::vector<std::string> ExplanationSummary::labels() const {
  std::vector<std::string> found;
  for (const std::string& name : names_) {
    if (words_.contains(name)) found.push_back(name);
  }
  return found;
}

std::string ExplanationSummary::text() const {
  std::string text = begin_in("rows", 24) + std::to_string(rows_) + '\n';
  if (errors_ > 0) text += begin_in("errors", 24) + std::to_string(errors_) + '\n';
  for (const std::string& label : labels()) {
    TextTable table({"words for " + shown_name(label), "times", "mean effect", "sum"}, 1);
    for (const auto& [word, count, total] : by_total(label, most_.value_or(kShownWords))) {
      if (total <= 0.0) break;
      table.add({shown_name(*word), std::to_string(count),
                 signed_number(total / static_cast<double>(count)), signed_number(total)});
    }
    text += table.text();
  }
  if (methods_.empty()) return text;
  TextTable table(
      {"method", "texts", "comprehensiveness (95 % CI)", "of best", "sufficiency", "of best"}, 1);
  bool few = false;
  for (const auto& name : methods_) {
    const Measure& measures = faithfulness_.at(name);
    few = few || measures.at("comprehensiveness").size() < kLeastRowsOfInterval;
    std::vector<std::string> row = {name, std::to_string(measures.at("comprehensiveness").size())};
    for (const char* measure : kMeasures) {
      const auto found = measures.find(measure);
      row.push_back(mean_text(found == measures.end() ? std::vector<double>() : found->second,
                              std::string_view(measure).starts_with("normalized")));
    }
    table.add(row);
  }
  return text + table.text() + (few ? std::string(kTooFewRows) + '\n' : "");
}

void ExplanationSummary::write(JsonWriter& json) const {
  json.begin_object().field("rows", rows_).field("errors", errors_).key("words").begin_object();
  for (const std::string& label : labels()) {
    json.key(label).begin_array();
    for (const auto& [word, count, total] : by_total(label, most_.value_or(SIZE_MAX))) {
      json.begin_object()
          .field("word", *word)
          .field("count", count)
          .field("mean_effect", total / static_cast<double>(count))
          .field("total_effect", total)
          .end_object();
    }
    json.end_array();
  }
  json.end_object();
  if (!methods_.empty()) {
    json.key("faithfulness").begin_array();
    for (const auto& name : methods_) {
      const Measure& measures = faithfulness_.at(name);
      json.begin_object().field("method", name);
      json.field("rows", measures.at("comprehensiveness").size());
      for (const auto& [measure, values] : measures) {
        const auto& [mean, interval] = mean_of(values);
        interval_field(json.field(measure, mean), measure + "_interval", interval);
      }
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace headlight
