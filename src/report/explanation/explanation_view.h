// What of an explanation people are shown, as text and on pages.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "classifier/explanation.h"
#include "report/formats/colours.h"

namespace headlight {

struct ExplanationView {
  std::size_t most = 20;  // words, and pairs of words, that are listed, the strongest first
  bool color = false;
};

/// The best label and those that come after it, or a regression's values by number; at most `most`.
std::vector<std::size_t> labels_to_explain(const LabelSet& labels, const Prediction& prediction,
                                           std::size_t most);

/// How the words of a text are marked: by sign, and by strength beside the strongest.
class WordMarks {
 public:
  WordMarks(const Explanation& explanation, std::size_t label);

  /// The effect of a word beside the largest there is, from -1 to 1.
  double share(std::size_t word) const;
  /// 0 where it is too weak for a mark, else 1 to 3.
  int strength(std::size_t word) const;
  /// Blue where it speaks for the label, red where against it.
  Colour colour(std::size_t word) const;

 private:
  const Explanation& explanation_;
  std::size_t label_;
  double largest_ = 0.0;
};

/// Where a word stands, "9-14", in the second text of a pair "pair 9-14".
std::string place_of(const ExplainedWord& word);

/// "+3.12", "-0.50", "0.00"
std::string signed_number(double value);

}  // namespace headlight
