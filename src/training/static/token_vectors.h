// The vectors of an encoder's tokens, from which a model without layers learns. Each token goes
// through the encoder as a text; what differs most between them is kept, and frequent tokens weigh
// less (Arora et al. 2017, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings"; Tulkens
// and van Dongen 2024, "Model2Vec").
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "math/matrix.h"
#include "model/model.h"
#include "training/rows/labelled_rows.h"
#include "training/training_run.h"

namespace headlight {

/// x [n, k] ← its rows less their mean, along the `count` directions in which they vary most
/// (principal components), the first one first: [n, count]. If there are fewer directions, the
/// others are 0.
std::vector<float> principal_components(ConstMatrix x, std::size_t count);

/// [V, count] for the tokens of `encoder`, which is prepared for many texts; `rows` say how
/// frequent they are. Empty if a signal stopped the work, which was said; what is done is kept
/// beside the output. Throws Error.
std::optional<std::vector<float>> token_vectors(const Model& encoder, const LabelledRows& rows,
                                                std::size_t count, const TrainingRun& run);

}  // namespace headlight
