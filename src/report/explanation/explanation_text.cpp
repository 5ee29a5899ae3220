#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "report/explanation/explanation_report.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"
#include "report/predictions/prediction_report.h"

namespace headlight {
namespace {

constexpr std::size_t kLabels = 2;      // number of columns of effects
constexpr std::size_t kNameWidth = 16;  // of a label above its effects
constexpr std::size_t kBarWidth = 12;   // columns on each side, of the bars of a line together

std::string marked(const std::string& word, std::size_t number, const WordMarks& marks,
                   const ExplanationView& view) {
  const int strength = marks.strength(number);
  if (strength == 0) return word;
  const std::string sign(static_cast<std::size_t>(strength), marks.share(number) < 0.0 ? '-' : '+');
  if (!view.color) return "[" + sign + word + "]";
  return painted(sign + word, {-1.0, 1.0, /*diverging=*/true}, marks.share(number), view.terminal);
}

/// One line per text.
std::string marked_texts(const Explanation& explanation, const WordMarks& marks,
                         const ExplanationView& view) {
  std::string text;
  for (std::size_t i = 0; i < explanation.words.size(); ++i) {
    const ExplainedWord& word = explanation.words[i];
    const bool begins = i == 0 || word.sequence != explanation.words[i - 1].sequence;
    const bool second = begins && word.sequence == Sequence::second;
    text += (begins ? "\n" : " ") + std::string(second ? "⟶ " : "") +
            marked(printable(word.text), i, marks, view);
  }
  return text.empty() ? text : text + '\n';
}

/// The line below a table that gives the number of words or pairs not shown.
std::string rest(std::size_t all, std::size_t shown) {
  return all == shown ? "" : "and " + std::to_string(all - shown) + " weaker; -k shows more\n";
}

/// An effect and its bar for each of the best labels; all bars have one scale.
std::string words_table(const LabelSet& labels, const Explanation& explanation, std::size_t most) {
  if (explanation.words.empty()) return "";
  const auto shown = labels_to_explain(labels, explanation, kLabels);
  const bool has_difference = explanation.towards.has_value();
  const double largest =
      largest_effect(explanation, has_difference ? std::span(shown).first(1) : std::span(shown));
  const std::size_t width = has_difference ? kBarWidth : kBarWidth / shown.size();
  std::vector<std::string> heading = {"word", "offset"};
  std::vector<std::string> names;
  names.reserve(shown.size());
  for (const std::size_t label : shown) {
    names.push_back(label < labels.names.size() ? labels.names[label] : "difference");
  }
  for (const auto& name : shown_names(names, kNameWidth)) heading.insert(heading.end(), {name, ""});
  TextTable table(heading, 1);
  const auto words = strongest_words(explanation, shown.front(), most);
  for (const std::size_t number : words) {
    const ExplainedWord& word = explanation.words[number];
    std::vector<std::string> row = {shown_name(word.text), place_of(word)};
    for (const std::size_t label : shown) {
      const double effect = word.effect[label];
      row.push_back(effect_text(word, label));
      const bool has_bar = !has_difference || label == shown.front();
      row.push_back(has_bar ? signed_text_bar(largest > 0.0 ? effect / largest : 0.0, width) : "");
    }
    table.add(row);
  }
  if (!explanation.bias_share.empty()) {
    std::vector<std::string> row = {explanation.is_of_rows ? "(rest)" : "(biases)", ""};
    for (const std::size_t label : shown) {
      row.insert(row.end(), {signed_number(explanation.bias_share[label]), ""});
    }
    table.add(row);
  }
  return table.text() + rest(explanation.words.size(), words.size());
}

std::string pairs_table(const LabelSet& labels, const Explanation& explanation, std::size_t label,
                        std::size_t most) {
  if (explanation.pairs.empty()) return "";
  const bool is_difference = label >= labels.names.size();
  TextTable table(
      {"word pair", "offsets", is_difference ? "difference" : shown_name(labels.names[label]),
       "interaction", ""},
      1);
  const auto pairs = strongest_pairs(explanation, label, most);
  const double largest =
      std::abs(static_cast<double>(explanation.pairs[pairs.front()].interaction[label]));
  for (const std::size_t number : pairs) {
    const WordPair& pair = explanation.pairs[number];
    const ExplainedWord& first = explanation.words[pair.first];
    const ExplainedWord& second = explanation.words[pair.second];
    const double beyond = pair.interaction[label];
    table.add({shown_name(first.text) + " … " + shown_name(second.text),
               place_of(first) + ", " + place_of(second), signed_number(pair.effect[label]),
               signed_number(beyond),
               signed_text_bar(largest > 0.0 ? beyond / largest : 0.0, kBarWidth)});
  }
  return table.text() + rest(explanation.pairs.size(), pairs.size());
}

std::string flip_lines(const LabelSet& labels, const Explanation& explanation, bool color) {
  if (!explanation.flip) return "";
  std::string line = '\n' + flip_text(explanation) + '\n';
  if (explanation.flip->words.empty()) return line;
  const Prediction& prediction = explanation.flip->prediction;
  return line + verdict_line(labels, prediction, verdict_view(labels), color) + '\n';
}

std::string faithfulness_text(const std::vector<JudgedMethod>& judged) {
  if (judged.empty()) return "";
  TextTable table(kFaithfulnessHeading, 1);
  for (const JudgedMethod& each : judged) table.add(judged_row(each));
  return table.text();
}

}  // namespace

std::string explanation_text(const LabelSet& labels, const Explanation& explanation,
                             const ExplanationView& view) {
  const std::size_t label = labels_to_explain(labels, explanation, kLabels).front();
  const WordMarks marks(explanation, label);
  const std::string method = method_text(explanation);
  const std::string towards = towards_text(labels, explanation);
  return verdict_line(labels, explanation.prediction, verdict_view(labels), view.color) + '\n' +
         (towards.empty() ? "" : towards + '\n') + marked_texts(explanation, marks, view) +
         words_table(labels, explanation, view.most) +
         pairs_table(labels, explanation, label, view.most) +
         (method.empty() ? "" : method + '\n') + flip_lines(labels, explanation, view.color) +
         faithfulness_text(explanation.faithfulness) +
         (view.training_rows == nullptr ? "" : training_rows_text(labels, *view.training_rows));
}

}  // namespace headlight
