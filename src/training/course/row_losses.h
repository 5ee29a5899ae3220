// The loss of a batch of labelled rows: that of the labels, and of what a teacher says.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradient/backward.h"
#include "model/description.h"
#include "training/rows/labelled_rows.h"
#include "training/rows/teacher_vectors.h"

namespace headlight {

struct RowLossOptions {
  float label_smoothing = 0.0F;      // of a single-label model
  std::vector<float> class_weights;  // [c]; empty: 1
  /// Share of the teacher's logits in the loss, where rows have them. The rest is that of labels.
  float teacher_share = 0.8F;
  float temperature = 2.0F;  // of the teacher's logits
  /// Row i is the vector that the row with this number should have; nullptr: none. If the model
  /// has labels, their loss is added.
  const TeacherVectors* vectors = nullptr;
};

/// Throws Error if the rows do not have what the options need: teacher logits in all rows or in
/// none, a vector of the right width for each row.
void check_row_losses(const Description& model, const LabelledRows& rows,
                      const RowLossOptions& options);

/// The mean loss of rows. The model and the options must outlive it.
Loss loss_of_rows(const Description& model, const RowPointers& rows, const RowLossOptions& options);

/// How many windows of a row are trained on, from the first: at least one, and as many as have 8192
/// tokens together, because a backward pass keeps what it computes of each token.
std::size_t trained_windows(const LabelledRow& row);
/// [n] The numbers of their tokens.
std::vector<std::size_t> lengths_of(const std::vector<LabelledRow>& rows);
/// The loss of texts for the means of the outputs of their windows, as texts are scored. `texts`
/// [w]: the text of each window, ascending; each of them has one.
Loss loss_of_windows(Loss loss, std::vector<std::size_t> texts);

/// Weights of labels that are inversely proportional to their number of rows; their mean over the
/// rows is 1. A label without rows has the weight 1.
std::vector<float> balanced_class_weights(const LabelledRows& rows);

}  // namespace headlight
