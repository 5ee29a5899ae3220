// A model that decides between some of its labels alone.
#pragma once

#include <memory>

#include "classifier/classifier.h"

namespace headlight {

/// The numbers of options.among in the model, in its order. Throws Error if one is no label of
/// it, or if its scores are no softmax.
std::vector<std::size_t> numbers_among(const Model& model, const ClassifierOptions& options);

/// The classifier of a model whose softmax is over the labels of options.among: their logits, and
/// probabilities that add up to 1. Those of a SparseModel, which has its own, are divided by their
/// sum. The model must outlive it. Throws Error as numbers_among().
std::unique_ptr<TextClassifier> make_classifier_among(const Model& model,
                                                      const ClassifierOptions& options);

}  // namespace headlight
