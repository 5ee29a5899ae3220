// Each way to train: from a start and rows to a model that is not written yet.
#pragma once

#include "training/static/static_training.h"
#include "training/trained_model.h"
#include "training/whole/fresh_model.h"

namespace headlight {

/// `made` has what is known before. A signal stops each of them, which is said.

/// A new last layer on the vectors of `start`, and n-grams beside them if the plan says so. Throws
/// Error if these are not possible.
TrainedModel train_last_layer(const TrainingRun& run, Model start, LabelledRows rows, Fit made);

/// All weights of `start`; if there are labels, first those of a new last layer.
TrainedModel train_all(const TrainingRun& run, Model start, LabelledRows rows, Fit made);

/// The encoder of `start` by contrast (train_contrastive()), then a new last layer on its vectors.
/// If rows were held out, both again on all rows. Throws Error for rows with several labels.
TrainedModel train_by_contrast(const TrainingRun& run, Model start, LabelledRows rows, Fit made);

/// All weights, from random ones.
TrainedModel train_bare(const TrainingRun& run, FreshModel fresh, LabelledRows rows, Fit made);

/// A model without layers.
TrainedModel train_static(const TrainingRun& run, StaticStart start, Fit made);

/// The same with the tokenizer of an encoder, and to begin with the vectors that it gives its
/// tokens.
TrainedModel train_student(const TrainingRun& run, const Model& encoder, StaticStart start,
                           Fit made);
/// The start of it, without rows.
StaticStart start_of_student(const Model& encoder);

/// "6 layers, hidden size 384, 12 heads, vocabulary of 30522"
std::string architecture_line(const Description& model);

}  // namespace headlight
