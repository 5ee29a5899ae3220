// The prediction for one text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/description.h"
#include "text/encoding.h"

namespace headlight {

/// The activation set by the model, or the default for its problem type and number of labels.
ScoreActivation default_activation(const Description& model);
/// That of the problem type, whatever a model sets.
ScoreActivation activation_of_problem(ProblemType problem, std::size_t labels);

/// The meaning of the numbers in a prediction.
struct LabelSet {
  std::vector<std::string> names;  // c labels by number, all different
  ProblemType problem_type = ProblemType::single_label;
  bool probabilities = true;  // predictions have probabilities
  /// [c] minimum score at which a multi-label model gives a label; empty: kDefaultThreshold.
  std::vector<float> thresholds = {};
  bool each_token = false;  // predictions have entities instead of a label
  bool zero_shot = false;   // the names are candidates of a ZeroShotTask
  /// What the model's own file puts before the names; empty: it is not one of fastText.
  std::optional<std::string> prefix = {};

  float threshold(std::size_t label) const {
    return thresholds.empty() ? kDefaultThreshold : thresholds[label];
  }
};

/// A name in a text, or a token with another label than "O".
struct Entity {
  std::string label;  // without the prefix B- or I-, except with Aggregation::none
  std::string text;   // the slice of the text
  Offset offset;      // in code points of the text
  float probability = 0.0F;
  std::optional<std::size_t> index = {};  // of the token; only with Aggregation::none
  std::string word = {};                  // its tokens, as the reference decodes them
  std::size_t first = 0, last = 0;        // its tokens, in what find_entities() got
};

/// What a model with a label for each token says of a text with n tokens.
struct TokenLabels {
  std::vector<Entity> entities;  // in the order of the text
  std::vector<float> logits;     // [n, c]
  std::vector<TokenId> ids;      // [n]
  std::vector<Offset> offsets;   // [n], [0,0] for an inserted token
};

/// The numbers of tokens read and cut.
struct TextSize {
  std::size_t tokens = 0;  // including special tokens and padding; with windows, of the whole text
  std::size_t truncated = 0;  // tokens cut
  std::size_t windows = 1;
  std::uint64_t key = 0;    // with ReadingOptions::finds_equal: the same for equal texts; else 0
  std::size_t own = 0;      // tokens read of the text itself, not special or padding
  std::size_t unknown = 0;  // of these the unknown token

  /// Adds the tokens of another text.
  void add(const TextSize& text) {
    tokens += text.tokens;
    own += text.own;
    unknown += text.unknown;
  }
};

/// What every result says of its text.
struct TextResult : TextSize {
  std::string error;       // if not empty, the text could not be scored and nothing else is set
  bool passed_on = false;  // the large model of a cascade answered
};

struct Prediction : TextResult {
  std::vector<float> logits;  // [c]; empty with a label for each token; the mean of all windows
  std::vector<float> scores;  // [c] probabilities or regression values; empty: not requested
  std::size_t best = 0;       // the best label; ties go to the lower number
  TokenLabels token_labels;   // only of a model with a label for each token
  /// The first `ranked_for` labels, if the model has an order of its own for equal scores; it may
  /// leave out labels without a chance.
  std::vector<std::size_t> ranked = {};
  std::size_t ranked_for = 0;
  bool no_label = false;  // the model knows nothing of the text: the numbers are those of no text

  /// The score of a label; without scores its logit.
  float score(std::size_t label) const { return scores.empty() ? logits[label] : scores[label]; }
};

/// Logits [c], divided by `temperature`, → scores [c]; in float64, with the maximum subtracted so
/// that huge logits do not overflow.
std::vector<float> activate_scores(ScoreActivation activation, std::span<const float> logits,
                                   double temperature = 1.0);

/// How uncertain probabilities [c] are, in nats: −Σ p ln p. If labels are given or
/// not each by itself, the sum of the entropies of that, as if they were independent.
double entropy_of(const LabelSet& labels, std::span<const float> probabilities);

/// Label numbers, best first (by score; by logit if scores are equal or missing). Only labels with
/// at least `threshold` (needs scores), at most `most` labels.
std::vector<std::size_t> ranked_labels(const Prediction& prediction, std::optional<float> threshold,
                                       std::optional<std::size_t> most);

}  // namespace headlight
