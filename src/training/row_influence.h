// From a model that `headlight fit` made, and the file of its training rows, to the rows that
// pushed the verdict on a text (head/head_influence.h). What takes long is kept beside the model:
// the rows' vectors in DIR.rows.vectors, the inverse of the Hessian in DIR.influence.
//
// Example:
//   const Model model = engine.ready(load_model(locate_model("my-model", "")), Workload::many);
//   RowReader file("train.csv", {.format = RowFormat::csv, .needs_label = true});
//   RowInfluence influence(model, engine, file);
//   FitWatch watch;
//   if (influence.prepare(watch)) influence.strongest({"not bad", {}, {}}, {1}, 10);
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/engine.h"
#include "training/directory/training_facts.h"
#include "training/head/head_influence.h"
#include "training/head/text_vectors.h"
#include "training/watch.h"

namespace headlight {

/// Endings of what is kept beside a model, as a VectorFile.
inline constexpr const char* kRowVectorsEnding = ".rows.vectors";
inline constexpr const char* kInfluenceEnding = ".influence";

/// A row of the training file, and what it does to a text.
struct InfluentialRow {
  const LabelledRow* row = nullptr;
  std::string label;          // as the file could spell it
  std::vector<float> effect;  // [c] the logit less the logit if the row were left out
};

class RowInfluence {
 public:
  /// Reads the rows. `model` must outlive it. Throws Error unless the last layer of the model was
  /// fitted to them.
  RowInfluence(const Model& model, const Engine& engine, RowReader& file);

  /// Encodes the rows and inverts the Hessian, as far as that is not kept, and keeps it beside the
  /// model if files can be written there. Returns false after a signal. Throws Error.
  bool prepare(FitWatch& watch);

  /// As strongest_rows(). Throws TextError if the text cannot be read.
  std::vector<InfluentialRow> strongest(const TextInput& text,
                                        const std::vector<std::size_t>& labels,
                                        std::size_t most) const;

  /// Whether more than the last layer was trained: the effects are those of that layer alone.
  bool is_partial() const { return facts_.trains_all; }

 private:
  std::string label_of(const Gold& target) const;
  void refuse_other_rows(const std::string& file, const std::string& mark) const;

  const Model& model_;
  const Engine& engine_;
  std::string directory_;
  TrainingFacts facts_;
  LabelledRows rows_;
  std::vector<Gold> targets_;
  std::optional<SparseRows> ngrams_;
  std::unique_ptr<VectorFile> vectors_;
  std::optional<HeadHessian> hessian_;
};

}  // namespace headlight
