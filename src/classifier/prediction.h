// The verdict on one text.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/description.h"

namespace headlight {

/// The one that a model names, or that its problem type and number of labels ask for.
ScoreActivation default_activation(const Description& model);

/// What the numbers of a prediction stand for.
struct LabelSet {
  std::vector<std::string> names;  // c labels by number, all different
  ProblemType problem_type = ProblemType::single_label;
  bool probabilities = true;  // predictions have them
  /// From which score on a multi-label model gives a label, [c]; empty: kDefaultThreshold.
  std::vector<float> thresholds;

  float threshold(std::size_t label) const {
    return thresholds.empty() ? kDefaultThreshold : thresholds[label];
  }
};

struct Prediction {
  std::vector<float> logits;  // [c]
  std::vector<float> scores;  // [c] probabilities, or a regression's values; empty: none asked for
  std::size_t best = 0;       // the best label; ties go to the lower number
  std::size_t tokens = 0;     // special ones included; of a text in windows those of all of it
  std::size_t truncated = 0;  // tokens cut
  std::size_t windows = 1;    // that it was read through; the logits are their mean
  std::string error;          // not empty: the text could not be scored, nothing else is set
};

/// Logits [c], divided by `temperature`, → scores [c]; in float64, with the maximum subtracted, so
/// that huge logits are safe.
std::vector<float> activate_scores(ScoreActivation activation, std::span<const float> logits,
                                   double temperature = 1.0);

/// Label numbers, best first (by score, and where scores are equal or missing by logit): those of
/// at least `threshold` (needs scores), at most `most` of them.
std::vector<std::size_t> ranked_labels(const Prediction& prediction, std::optional<float> threshold,
                                       std::optional<std::size_t> most);

}  // namespace headlight
