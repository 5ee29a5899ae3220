#include <algorithm>
#include <cmath>

#include "report/explanation/explanation_report.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/predictions/prediction_report.h"

namespace headlight {
namespace {

constexpr std::size_t kCharts = 5;

/// An effect or an interaction, with its word or word pair (markup).
struct Bar {
  std::string name;
  std::string place;
  double value = 0.0;
  std::string number = signed_number(value);
};

std::string marked(const ExplainedWord& word, std::size_t number, const WordMarks& marks,
                   std::size_t label) {
  const std::string title =
      " title=\"" + place_of(word) + ": " + signed_number(word.effect[label]) + "\"";
  const std::string text = html_text(word.text);
  const int strength = marks.strength(number);
  if (strength == 0) return "<span" + title + ">" + text + "</span>";
  const Colour colour = marks.colour(number);
  std::string signs;
  for (int i = 0; i < strength; ++i) signs += marks.share(number) < 0.0 ? "−" : "+";
  return "<mark" + title + " style=\"background:" + colour.hex() +
         ";color:" + (colour.is_dark() ? "#ffffff" : "#000000") +
         ";padding:0.15em 0.3em;border-radius:0.3em;print-color-adjust:exact;"
         "-webkit-print-color-adjust:exact\">" +
         text + "<sup>" + signs + "</sup></mark>";
}

/// One paragraph per text; `marked` gives the markup of a word and its number.
template <typename Marked>
std::string marked_texts(const Explanation& explanation, Marked marked) {
  std::string text;
  for (std::size_t i = 0; i < explanation.words.size(); ++i) {
    const ExplainedWord& word = explanation.words[i];
    const bool begins = i == 0 || word.sequence != explanation.words[i - 1].sequence;
    if (begins) {
      text += text.empty() ? "" : "</p>\n";
      text += "<p style=\"font-size:1.15rem;line-height:2.1;overflow-wrap:anywhere\">";
      if (word.sequence == Sequence::second) text += "⟶ ";
    }
    text += (begins ? "" : " ") + marked(word, i);
  }
  return text.empty() ? "<p>A text without words.</p>\n" : text + "</p>\n";
}

/// A prediction as a paragraph.
std::string verdict_paragraph(const LabelSet& labels, const Prediction& prediction) {
  return "<p style=\"white-space:pre-wrap;font-weight:bold\">" +
         html_text(verdict_line(labels, prediction, verdict_view(labels), /*color=*/false)) +
         "</p>\n";
}

/// A bar from the middle line of its track, whose half is as long as `largest`.
std::string bar_row(const Bar& bar, double largest) {
  const bool below = bar.value < 0.0;
  const double share = largest > 0.0 ? std::abs(bar.value) / largest : 0.0;
  const std::string& number = bar.number;
  const std::string half = "<i style=\"width:" + formatted("%.1f%%", 100.0 * share) + "\"></i>";
  return "<tr title=\"" + bar.name + " (" + bar.place + "): " + number + R"("><th scope="row">)" +
         bar.name + " <small>" + bar.place + "</small></th><td>" + number +
         R"(</td><td class="track"><div><b class="red">)" + (below ? half : "") +
         "</b><b class=\"blue\">" + (below ? "" : half) + "</b></div></td></tr>\n";
}

/// Bars from a middle line: positive ones blue to the right, negative ones red to the left.
std::string chart(const std::vector<Bar>& bars, double largest, const std::string& label) {
  std::string rows;
  for (const Bar& bar : bars) rows += bar_row(bar, largest);
  return R"(<table class="bars" aria-label=")" + label + "\">\n" + rows + "</table>\n";
}

/// The number of words or pairs that a chart does not show.
std::string weaker(std::size_t all, std::size_t shown) {
  return all <= shown ? "" : "<p>And " + std::to_string(all - shown) + " weaker.</p>\n";
}

/// `largest`: the effect with the longest bar.
std::string label_section(const std::string& name, std::size_t label,
                          const Explanation& explanation, std::size_t most, double largest) {
  std::vector<Bar> bars;
  for (const std::size_t number : strongest_words(explanation, label, most)) {
    const ExplainedWord& word = explanation.words[number];
    bars.push_back({html_text(shown_name(word.text)), place_of(word), word.effect[label],
                    effect_text(word, label)});
  }
  if (bars.empty()) return "";
  return "<h2>" + html_text(name) + "</h2>\n" +
         chart(bars, largest, "effect of each word on " + html_text(name)) +
         weaker(explanation.words.size(), bars.size()) +
         (explanation.bias_share.empty()
              ? ""
              : (explanation.is_of_rows ? "<p>The end of the text: "
                                        : "<p>Biases and special tokens: ") +
                    signed_number(explanation.bias_share[label]) + ".</p>\n");
}

std::string pairs_section(const std::string& name, std::size_t label,
                          const Explanation& explanation, std::size_t most) {
  std::vector<Bar> bars;
  double largest = 0.0;
  for (const std::size_t number : strongest_pairs(explanation, label, most)) {
    const WordPair& pair = explanation.pairs[number];
    const ExplainedWord& first = explanation.words[pair.first];
    const ExplainedWord& second = explanation.words[pair.second];
    bars.push_back({html_text(shown_name(first.text) + " … " + shown_name(second.text)),
                    place_of(first) + ", " + place_of(second), pair.interaction[label]});
    largest = std::max(largest, std::abs(bars.back().value));
  }
  if (bars.empty()) return "";
  return "<h2>Word pairs: " + html_text(name) +
         "</h2>\n<p>The interaction of a pair is the effect of leaving out both words minus the "
         "effects of leaving out each word alone. If its sign is opposite to these effects, the "
         "words "
         "work only together, as in “not bad”. If its sign is the same, one word can replace the "
         "other.</p>\n" +
         chart(bars, largest, "interactions of words for " + html_text(name)) +
         weaker(explanation.pairs.size(), bars.size());
}

std::string meaning_of_effects(const Explanation& explanation) {
  switch (explanation.method) {
    case ExplanationMethod::occlusion:
      return std::string("Without a blue word ") +
             (explanation.towards ? "the difference of the two logits" : "its logit") +
             " falls, without a red word it rises; the chart shows by how much.";
    case ExplanationMethod::shapley:
      return "The chart shows by how much the logit changes when the word joins the others, as a "
             "mean over orders of the words (" +
             html_text(method_text(explanation)) + ").";
    default:
      return "The effects are estimates by gradients (" + html_text(method_text(explanation)) +
             ").";
  }
}

std::string flip_section(const LabelSet& labels, const Explanation& explanation) {
  if (!explanation.flip) return "";
  const Flip& flip = *explanation.flip;
  std::string section =
      "<h2>Smallest change</h2>\n<p>" + html_text(flip_text(explanation)) + "</p>\n";
  if (flip.words.empty()) return section;
  section += marked_texts(explanation, [&](const ExplainedWord& word, std::size_t number) {
    const std::string text = html_text(word.text);
    return std::ranges::binary_search(flip.words, number) ? "<del>" + text + "</del>" : text;
  });
  return section + verdict_paragraph(labels, flip.prediction);
}

std::string faithfulness_section(const std::vector<JudgedMethod>& judged) {
  if (judged.empty()) return "";
  std::string table = "<table>\n" + html_row(kFaithfulnessHeading, "th");
  for (const JudgedMethod& each : judged) table += html_row(judged_row(each));
  return "<h2>Faithfulness</h2>\n<p>Comprehensiveness: how much the score of the predicted label "
         "falls without the 10 to 50 % of the words that a method names first; high is good. "
         "Sufficiency: how much it falls with only these words; low is good. The percentages are 0 "
         "% for the worst order of the words that was found, and 100 % for the best.</p>\n" +
         html_scroller("faithfulness of methods", table + "</table>\n");
}

}  // namespace

std::string explanation_page(const std::string& title, const LabelSet& labels,
                             const Explanation& explanation, const ExplanationView& view) {
  const auto shown = labels_to_explain(labels, explanation, kCharts);
  const std::size_t label = shown.front();
  const std::string name = html_text(name_of_explained(labels, explanation, label));
  const std::string towards = towards_text(labels, explanation);
  const WordMarks marks(explanation, label);
  std::string body = verdict_paragraph(labels, explanation.prediction) +
                     (towards.empty() ? "" : "<p>" + html_text(towards) + ".</p>\n") +
                     marked_texts(explanation,
                                  [&](const ExplainedWord& word, std::size_t number) {
                                    return marked(word, number, marks, label);
                                  }) +
                     "<p>Blue words with + support " + name + "; red words with − oppose it. " +
                     meaning_of_effects(explanation) +
                     " Words without a mark have less "
                     "than a tenth of the strongest effect. All bars have the same scale.</p>\n";
  const double largest = largest_effect(explanation, shown);
  for (const std::size_t each : shown) {
    body += label_section(name_of_explained(labels, explanation, each), each, explanation,
                          view.most, largest);
  }
  if (labels.names.size() > shown.size() && !explanation.towards) {
    body += "<p>And " + std::to_string(labels.names.size() - shown.size()) + " other labels.</p>\n";
  }
  body +=
      pairs_section(name_of_explained(labels, explanation, label), label, explanation, view.most);
  body += flip_section(labels, explanation) + faithfulness_section(explanation.faithfulness);
  if (view.training_rows != nullptr) body += training_rows_section(labels, *view.training_rows);
  return html_page(title, body);
}

}  // namespace headlight
