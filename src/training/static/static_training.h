// Makes a model without layers from rows alone (`headlight fit --train static`): its words, sizes
// and course are chosen by the rows.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gradient/parameters.h"
#include "math/table.h"
#include "training/course/planned_course.h"
#include "training/fit.h"
#include "training/rows/labelled_rows.h"
#include "training/whole/fresh_model.h"

namespace headlight {

/// configs/static.json, of which models are made unless another config is given.
extern const char* const kStaticConfig;

/// A description to train, and its rows as its tokenizer reads them.
struct StaticStart {
  FreshModel fresh;
  LabelledRows rows = {};
  bool has_own_sizes = false;       // else the number of n-grams is chosen by the rows
  bool may_read_words = false;      // whether whole words are tried as well as word pieces
  std::vector<float> vectors = {};  // of the tokens [V, d], to begin with; empty: random ones
};

/// Throws Error if the model has no n-grams, or weights besides its vectors and the last layer.
void check_static(const Description& model, const std::string& where);

/// Of kStaticConfig, without rows.
StaticStart static_start();

class StaticTraining {
 public:
  explicit StaticTraining(const PlannedCourse& first) : next_(first) {}

  /// Of word pieces and whole words, development rows choose. If these were held out, the model is
  /// trained again on all rows. Leaves the rows and the weights in `start` and completes `made`. A
  /// signal stops the run, which is said. Throws Error.
  FitEnd run(StaticStart& start, Fit& made);

 private:
  struct Trained;
  /// Empty if stopped.
  std::optional<Trained> train(StaticStart& start, const LabelledRows& rows,
                               std::optional<std::size_t> epochs);
  /// Leaves the better one of word pieces and whole words in `start`. Empty if stopped.
  std::optional<Trained> choose(StaticStart& start);
  void store(FreshModel& fresh);

  PlannedCourse next_;
  LogPart log_;
  // The weights of the model.
  std::optional<Parameters> parameters_;
  std::optional<Int8Table> tokens_;
  std::optional<Int8Table> ngrams_;
};

}  // namespace headlight
