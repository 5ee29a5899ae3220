// What is measured on the probabilities themselves: how much the right label was given, and how
// well it is told from the others. Everything is float64.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "metrics/score_table.h"

namespace headlight {

/// The mean of −ln of what each row's gold label was given; a probability counts as at least 2⁻⁵²
/// and at most 1 − 2⁻⁵², as in scikit-learn.
double log_loss(const ScoreTable& probabilities, std::span<const std::size_t> gold);
/// The same where labels are judged each by itself, a flag a number of the table: the mean over all
/// of them.
double log_loss(const ScoreTable& probabilities, const std::vector<bool>& gold);

/// The mean squared distance from what would be right: of label 1 alone where there are two labels,
/// else summed over the labels.
double brier_score(const ScoreTable& probabilities, std::span<const std::size_t> gold);

/// The area under the ROC curve: how often a positive scores above a negative, ties counting half.
/// Nothing where there are none of one kind.
std::optional<double> roc_area(const std::vector<float>& scores, const std::vector<bool>& positive);

/// Of label 1 where there are two, else each label against the rest: the plain mean over those for
/// which it is defined; nothing where there is none.
std::optional<double> roc_area(const ScoreTable& probabilities, std::span<const std::size_t> gold);
std::optional<double> roc_area(const ScoreTable& probabilities, const std::vector<bool>& gold);

}  // namespace headlight
