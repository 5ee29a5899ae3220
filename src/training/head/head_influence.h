// Which rows a fitted linear head owes the logits of a text to: by how much they change if a row is
// left out of the fit. That is one Newton step from the fitted parameters θ with the Hessian of the
// other rows, which takes the row's leverage into account (Pregibon 1981, "Logistic Regression
// Diagnostics"; as a step for every row, Rad and Maleki 2020, "A scalable estimate of the
// out-of-sample prediction error via approximate leave-one-out"):
//
//   θ without row i ≈ θ + (H - Hᵢ)⁻¹ gᵢ,  Hᵢ = x xᵀ ⊗ W, gᵢ = x ⊗ r
//
// where r [c] and W [c, c] are the derivatives of the row's loss by its scores. With A = xᵀ H⁻¹ x
// of all pairs of labels, (H - Hᵢ)⁻¹ gᵢ = H⁻¹ (x ⊗ (I - W A)⁻¹ r). Of many labels, H has the blocks
// of the labels alone (HeadHessian). Weights of labels and the scale of the vectors stay those of
// all rows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "training/head/head_hessian.h"

namespace headlight {

struct RowEffect {
  std::size_t row = 0;
  std::vector<double> effect;  // [c] the logit less the logit without the row
};

/// The `most` rows with the largest effect on one of `labels` of a text, strongest first; x [d] is
/// the vector of the text. The inverse of the Hessian must be known. The rows are chosen from at
/// least 256 with the largest effects without leverage.
std::vector<RowEffect> strongest_rows(const HeadHessian& hessian, std::span<const float> x,
                                      const std::vector<std::size_t>& labels, std::size_t most);

}  // namespace headlight
