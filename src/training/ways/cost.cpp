#include "training/ways/cost.h"

#include <algorithm>

#include "model/flops.h"

namespace headlight {
namespace {

// FLOP a second.
constexpr double kEncoding = 180e9;
constexpr double kTraining = 120e9;
constexpr double kFitting = 40e9;  // of a last layer, in float64

double vectors_seconds(const Model& start, const TrainingSize& size) {
  return static_cast<double>(size.tokens) *
         static_cast<double>(flops_per_token(start.description)) / kEncoding;
}

}  // namespace

TrainingSize size_of(const std::vector<LabelledRow>& rows, const LabelSet& labels) {
  TrainingSize size{rows.size(), 0, labels.names.size()};
  size.has_one_label = labels.problem_type == ProblemType::single_label;
  size.has_other = labels.problem_type == ProblemType::regression;
  for (const LabelledRow& row : rows) {
    size.has_other = size.has_other || row.input.pair.has_value();
    for (std::size_t i = 0; i < row.windows(); ++i) size.tokens += row.window(i).size();
  }
  return size;
}

TrainingCost cost_of_last_layer(const Model& start, const TrainingSize& size) {
  const double encoding = vectors_seconds(start, size);
  const double multiply = 4.0 * static_cast<double>(size.rows * size.labels) *
                          static_cast<double>(start.description.classifier_size());
  TrainingCost cost;
  cost.seconds = encoding + kFits * multiply / kFitting;
  cost.rows_per_second = static_cast<double>(size.rows) / encoding;
  return cost;
}

TrainingCost cost_of_all(const Model& start, const TrainingSize& size, std::size_t epochs) {
  constexpr double kPasses = 3.0;  // forward, and backward for inputs and weights
  TrainingCost cost = cost_of_last_layer(start, size);
  cost.seconds +=
      static_cast<double>(epochs) * kPasses * vectors_seconds(start, size) * kEncoding / kTraining;
  return cost;
}

std::size_t weight_bytes(const Model& made, const Model& start) {
  if (made.features) return made.features->bytes();
  const Description& model = made.description;
  const std::size_t beside = model.label_ngrams ? model.label_ngrams->buckets : 0;
  const std::size_t last = model.classes() * (model.classifier_size() + 1 + beside);
  const std::size_t ngrams = model.ngrams ? model.ngrams->buckets : 0;
  const std::size_t rest = model.layers.empty() ? (model.vocab_size + ngrams) * model.hidden_size
                                                : start.tensors->parameters();
  return rest * bytes_each(made.weights.embeddings.token.format) + last * sizeof(float);
}

}  // namespace headlight
