// Labels that are probably wrong, by probabilities of models that did not see them: confident
// learning (Northcutt et al. 2021, "Confident Learning", section 3).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "classifier/prediction.h"
#include "metrics/score_table.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// [n] The given label of each row; empty: it is not judged.
using GivenLabels = std::vector<std::optional<std::size_t>>;

/// [n] The cell of each row in the confident joint: the most probable of the labels that reach the
/// mean probability of their own rows (equations 1 and 2); empty if none does. Unlike in the paper,
/// 0.9 is always enough: if all probabilities are high, many rows are below the mean.
GivenLabels confident_labels(const ScoreTable& probabilities, const GivenLabels& given);

/// The rows whose label is probably wrong, the least probable first: as many as the joint has
/// beside its diagonal, at most all whose most probable label is another one. The joint is not
/// calibrated (equation 3), which counts too many where the models are unsure.
std::vector<std::size_t> improbable_rows(const ScoreTable& probabilities, const GivenLabels& given);

/// The probability of the label, or of the least certain of several that are given or not.
double probability_of(const Gold& target, std::span<const float> probabilities,
                      ProblemType problem);

struct Suspect {
  std::size_t row = 0;
  Gold suggested;
};

/// The same rows with the most probable label; if rows have several, each is judged by itself, as
/// given or not. `judged` [c]: labels that the models could know.
std::vector<Suspect> find_suspects(ProblemType problem, const ScoreTable& probabilities,
                                   std::span<const Gold> targets, const std::vector<bool>& judged);

}  // namespace headlight
