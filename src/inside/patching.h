// What the vectors inside a model already decide. The head on the vectors of each layer (the "logit
// lens", nostalgebraist 2020), and the vectors of one text in the run of another (Vig et al. 2020,
// "Investigating Gender Bias in Language Models Using Causal Mediation Analysis"; Meng et al. 2022,
// "Locating and Editing Factual Associations in GPT", §2). State 0 is the output of the embedding,
// state l that of layer l - 1.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "encoder/batch.h"
#include "encoder/scratch.h"
#include "encoder/trace.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// Logits [c] of the final norm and the head, applied to the vectors of each state. Empty for a
/// state of another width than the last. `text` is one text, `trace` has its hidden vectors. The
/// model must not label tokens.
std::vector<std::vector<float>> logits_by_state(const Description& model, const Weights& weights,
                                                const Batch& text, const TextTrace& trace,
                                                Scratch& scratch);

/// The two texts of patched_logits(): the hidden vectors of both, of the same number of tokens.
struct PatchedTexts {
  const Batch& text;  // one text
  const TextTrace& own;
  const TextTrace& other;
};

/// [state][token][c]: the logits of the text if one token has the vector of the other text at one
/// state. Calls `check` before each pass; it may throw.
using PatchedLogits = std::vector<std::vector<std::vector<float>>>;
PatchedLogits patched_logits(const Description& model, const Weights& weights,
                             const PatchedTexts& texts, Scratch& scratch,
                             const std::function<void()>& check);

}  // namespace headlight
