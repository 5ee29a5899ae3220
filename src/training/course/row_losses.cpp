#include "training/course/row_losses.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.h"
#include "gradient/losses.h"

namespace headlight {
namespace {

/// What the rows of a batch should give.
struct BatchTargets {
  std::vector<std::uint32_t> labels;  // [t] of a single-label model
  std::vector<float> values;          // [t, c] of other models
  std::vector<float> teacher;         // [t, c]; empty: none
  std::vector<float> vectors;         // [t, d]; empty: none
};

bool has_teacher(const LabelledRow& row, const RowLossOptions& options) {
  return options.teacher_share > 0.0F && !row.teacher_logits.empty();
}

void add_values(const Description& model, const Gold& target, std::vector<float>& values) {
  if (model.problem_type == ProblemType::regression) {
    values.push_back(static_cast<float>(target.value));
    return;
  }
  const std::size_t begin = values.size();
  values.resize(begin + model.classes());
  for (const std::size_t label : target.labels) values[begin + label] = 1.0F;
}

BatchTargets targets_of(const Description& model, const RowPointers& rows,
                        const RowLossOptions& options) {
  BatchTargets targets;
  for (const LabelledRow* row : rows) {
    if (model.classes() > 0 && model.problem_type == ProblemType::single_label) {
      const auto& labels = row->target.labels;
      targets.labels.push_back(labels.empty() ? kNoTarget
                                              : static_cast<std::uint32_t>(labels.front()));
    } else if (model.classes() > 0) {
      add_values(model, row->target, targets.values);
    }
    if (has_teacher(*row, options)) {
      targets.teacher.insert(targets.teacher.end(), row->teacher_logits.begin(),
                             row->teacher_logits.end());
    }
    if (options.vectors != nullptr) {
      const auto vector = options.vectors->rows().row(row->number);
      targets.vectors.insert(targets.vectors.end(), vector.begin(), vector.end());
    }
  }
  return targets;
}

/// A batch with all that its loss needs.
class RowLoss {
 public:
  RowLoss(const Description& model, const RowPointers& rows, const RowLossOptions& options)
      : model_(model),
        options_(options),
        rows_(rows.size()),
        targets_(targets_of(model, rows, options)) {}

  double operator()(const Outputs& outputs, const OutputGradients& gradients) const {
    const float each = 1.0F / static_cast<float>(rows_);
    const bool taught = !targets_.teacher.empty();
    double loss = 0.0;
    if (model_.classes() > 0) {
      const float share = taught ? 1.0F - options_.teacher_share : 1.0F;
      loss += label_loss(outputs, gradients, each * share);
    }
    if (taught) loss += teacher_loss(outputs, gradients, each * options_.teacher_share);
    if (!targets_.vectors.empty()) {
      const ConstMatrix wanted(targets_.vectors.data(), rows_, outputs.vectors.cols);
      loss += cosine_distance(outputs.vectors, wanted, each, gradients.vectors);
    }
    return loss;
  }

 private:
  double label_loss(const Outputs& outputs, const OutputGradients& gradients, float weight) const {
    if (model_.problem_type == ProblemType::single_label) {
      return cross_entropy(outputs.logits, targets_.labels, options_.label_smoothing,
                           {weight, options_.class_weights}, gradients.logits);
    }
    const ConstMatrix wanted(targets_.values.data(), rows_, model_.classes());
    if (model_.problem_type == ProblemType::regression) {
      return squared_error(outputs.logits, wanted, weight, gradients.logits);
    }
    const float label = weight / static_cast<float>(model_.classes());
    return binary_cross_entropy(outputs.logits, wanted, {label, options_.class_weights},
                                gradients.logits);
  }

  double teacher_loss(const Outputs& outputs, const OutputGradients& gradients,
                      float weight) const {
    const ConstMatrix teacher(targets_.teacher.data(), rows_, model_.classes());
    switch (model_.problem_type) {
      case ProblemType::single_label:
        return teacher_divergence(outputs.logits, teacher, options_.temperature, weight,
                                  gradients.logits);
      case ProblemType::multi_label:
        return binary_teacher_divergence(outputs.logits, teacher, options_.temperature,
                                         weight / static_cast<float>(model_.classes()),
                                         gradients.logits);
      case ProblemType::regression:
        break;
    }
    return squared_error(outputs.logits, teacher, weight, gradients.logits);
  }

  const Description& model_;
  const RowLossOptions& options_;
  std::size_t rows_;
  BatchTargets targets_;
};

void check_teacher(const Description& model, const std::vector<LabelledRow>& rows,
                   const RowLossOptions& options) {
  const bool taught = !rows.empty() && has_teacher(rows.front(), options);
  for (const LabelledRow& row : rows) {
    if (has_teacher(row, options) != taught) {
      throw Error("row " + std::to_string(row.number),
                  taught ? "has no teacher logits, but other rows have"
                         : "has teacher logits, but other rows have none");
    }
    if (taught && row.teacher_logits.size() != model.classes()) {
      throw Error("row " + std::to_string(row.number),
                  "has " + std::to_string(row.teacher_logits.size()) +
                      " teacher logits, expected " + std::to_string(model.classes()));
    }
  }
}

void check_vectors(const Description& model, const std::vector<LabelledRow>& rows,
                   const TeacherVectors& file) {
  const ConstMatrix vectors = file.rows();
  if (model.pooling == Pooling::label_attention || model.pooling == Pooling::each_token) {
    throw Error("",
                "a model with pooling label_attention or none has no vector of a text to learn");
  }
  if (vectors.cols != model.encoded_size()) {
    throw Error(file.path(), "has vectors of " + std::to_string(vectors.cols) +
                                 " numbers, but those of the model have " +
                                 std::to_string(model.encoded_size()));
  }
  for (const LabelledRow& row : rows) {
    if (row.number >= vectors.rows) {
      throw Error(file.path(), "has " + std::to_string(vectors.rows) +
                                   " vectors, but there is a row " + std::to_string(row.number));
    }
    for (const float value : vectors.row(row.number)) {
      if (value - value != 0.0F) {
        throw Error(file.path(), "the vector of row " + std::to_string(row.number) +
                                     " has a number that is not finite");
      }
    }
  }
}

/// Adds to each text [t, c] its share of its windows [w, c], or to each window that of its text.
void add_shares(const std::vector<std::size_t>& texts, const std::vector<float>& shares,
                ConstMatrix from, Matrix to) {
  if (from.cols == 0) return;
  const bool to_windows = to.rows == texts.size();
  for (std::size_t window = 0; window < texts.size(); ++window) {
    const std::size_t text = texts[window];
    const std::span<const float> source = from.row(to_windows ? text : window);
    const std::span<float> target = to.row(to_windows ? window : text);
    for (std::size_t i = 0; i < from.cols; ++i) target[i] += shares[text] * source[i];
  }
}

}  // namespace

void check_row_losses(const Description& model, const LabelledRows& rows,
                      const RowLossOptions& options) {
  check_teacher(model, rows.train, options);
  const bool has_vectors = options.vectors != nullptr;
  if (has_vectors) check_vectors(model, rows.train, *options.vectors);
  if (model.classes() > 0) return;
  if (!has_vectors) throw Error("", "a model without labels needs a teacher's vectors");
  check_vectors(model, rows.dev, *options.vectors);
}

Loss loss_of_rows(const Description& model, const RowPointers& rows,
                  const RowLossOptions& options) {
  return RowLoss(model, rows, options);
}

std::size_t trained_windows(const LabelledRow& row) {
  constexpr std::size_t kMostTokens = 8192;
  std::size_t count = 1;
  std::size_t tokens = row.tokens.size();
  while (count < row.windows() && (tokens += row.window(count).size()) <= kMostTokens) ++count;
  return count;
}

std::vector<std::size_t> lengths_of(const std::vector<LabelledRow>& rows) {
  std::vector<std::size_t> lengths;
  lengths.reserve(rows.size());
  for (const LabelledRow& row : rows) {
    std::size_t& length = lengths.emplace_back();
    for (std::size_t i = 0; i < trained_windows(row); ++i) length += row.window(i).size();
  }
  return lengths;
}

Loss loss_of_windows(Loss loss, std::vector<std::size_t> texts) {
  const std::size_t t = texts.back() + 1;
  if (t == texts.size()) return loss;
  std::vector<float> shares(t);
  for (const std::size_t text : texts) ++shares[text];
  for (float& share : shares) share = 1.0F / share;
  return [=, loss = std::move(loss), texts = std::move(texts)](const Outputs& each,
                                                               const OutputGradients& gradients) {
    std::array<std::vector<float>, 4> memory;
    const auto zeros = [&](std::size_t i, std::size_t cols) {
      memory.at(i).resize(t * cols);
      return Matrix(memory.at(i).data(), t, cols);
    };
    const Matrix logits = zeros(0, each.logits.cols);
    const Matrix vectors = zeros(1, each.vectors.cols);
    add_shares(texts, shares, each.logits, logits);
    add_shares(texts, shares, each.vectors, vectors);
    const OutputGradients slopes{zeros(2, logits.cols), zeros(3, vectors.cols)};
    const double sum = loss({logits, vectors}, slopes);
    add_shares(texts, shares, slopes.logits, gradients.logits);
    add_shares(texts, shares, slopes.vectors, gradients.vectors);
    return sum;
  };
}

std::vector<float> balanced_class_weights(const LabelledRows& rows) {
  const std::size_t classes = rows.labels.names.size();
  const std::vector<std::size_t> counts = label_counts(rows.train, classes);
  const std::size_t all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  const auto used = static_cast<std::size_t>(
      std::count_if(counts.begin(), counts.end(), [](std::size_t count) { return count > 0; }));
  std::vector<float> weights(classes, 1.0F);
  for (std::size_t i = 0; i < classes; ++i) {
    if (counts[i] == 0) continue;
    weights[i] =
        static_cast<float>(static_cast<double>(all) / static_cast<double>(used * counts[i]));
  }
  return weights;
}

}  // namespace headlight
