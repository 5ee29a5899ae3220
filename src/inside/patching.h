// What the vectors inside a model already decide. The head on the vectors of each layer (the "logit
// lens", nostalgebraist 2020), and the vectors of one text in the run of another (Vig et al. 2020,
// "Investigating Gender Bias in Language Models Using Causal Mediation Analysis"; Meng et al. 2022,
// "Locating and Editing Factual Associations in GPT", §2). State 0 is the output of the embedding,
// state l that of layer l - 1.
#pragma once

#include <vector>

#include "inside/inside.h"

namespace headlight {

/// The predictions that the final norm and the head make of the vectors of each state; a state of
/// another width than the last has no logits.
struct LayerVerdicts {
  TracedText text;
  std::vector<Prediction> states;
};
/// The text must have its hidden vectors, and the model a head that labels texts; here and below.
LayerVerdicts layer_verdicts(const Classifier& classifier, TracedText text);

struct PatchedText {
  TracedText text;
  TracedText other;
  /// [state][token][c]: the logits of the text if one token has the vector of the other text at one
  /// state.
  std::vector<std::vector<std::vector<float>>> logits;
};
/// The texts must have the same number of tokens.
PatchedText patch(const Classifier& classifier, TracedText text, TracedText other);

}  // namespace headlight
