// The parts of an explanation that text and pages show.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "inside/explanation.h"
#include "report/explanation/training_rows.h"
#include "report/formats/colours.h"
#include "report/predictions/prediction_report.h"

namespace headlight {

struct ExplanationView {
  std::size_t most = 20;  // maximum number of listed words, and of listed pairs
  bool color = false;
  TerminalColours terminal;  // if `color`
  const TrainingRows* training_rows = nullptr;
};

/// The parts of the verdict. The effects are changes of logits, so the logits of the whole text are
/// shown too, unless there are many labels.
PredictionView verdict_view(const LabelSet& labels);

/// The `most` best labels, best first, or a regression's first `most` values; with
/// Explanation::towards the difference of two labels, then these.
std::vector<std::size_t> labels_to_explain(const LabelSet& labels, const Explanation& explanation,
                                           std::size_t most);
/// The name of such a label, or "positive rather than negative".
std::string name_of_explained(const LabelSet& labels, const Explanation& explanation,
                              std::size_t label);
/// "why not negative: …", with the difference of the logits; empty without Explanation::towards.
std::string towards_text(const LabelSet& labels, const Explanation& explanation);

/// The largest absolute effect of a word on any of `labels`: the length of the longest bar, so that
/// the bars of all labels have one scale.
double largest_effect(const Explanation& explanation, std::span<const std::size_t> labels);

/// How the words of a text are marked: by sign, and by strength relative to the strongest word.
class WordMarks {
 public:
  WordMarks(const Explanation& explanation, std::size_t label);

  /// The effect of a word divided by the largest absolute effect, from -1 to 1.
  double share(std::size_t word) const;
  /// 0 if the effect is too weak for a mark, else 1 to 3.
  int strength(std::size_t word) const;
  /// Blue if the word supports the label, red if it opposes it.
  Colour colour(std::size_t word) const;

 private:
  const Explanation& explanation_;
  std::size_t label_;
  double largest_ = 0.0;
};

/// The offset of a word, "9-14", or "pair 9-14" in the second text of a pair.
std::string place_of(const ExplainedWord& word);

/// How the effects were computed: "effects: Shapley values, …"; empty for occlusion.
std::string method_text(const Explanation& explanation);

/// What --flip found: "smallest change: without "not", "bad"", with places where the text has a
/// word twice, on two lines for a search; or that nothing changes the label. The explanation must
/// have it.
std::string flip_text(const Explanation& explanation);

/// "+3.12", and "±0.05" after it if it was sampled.
std::string effect_text(const ExplainedWord& word, std::size_t label);

/// The words with the largest effects on `label`, at most `most`.
std::vector<std::size_t> strongest_words(const Explanation& explanation, std::size_t label,
                                         std::size_t most);
/// The pairs with the largest interactions, at most `most`.
std::vector<std::size_t> strongest_pairs(const Explanation& explanation, std::size_t label,
                                         std::size_t most);

/// The heading of a table of faithful methods, and the cells of one method.
extern const std::vector<std::string> kFaithfulnessHeading;
std::vector<std::string> judged_row(const JudgedMethod& judged);

/// "+3.12", "-0.50", "0.00"
std::string signed_number(double value);

}  // namespace headlight
