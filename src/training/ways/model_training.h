// What trainings of a start with weights share.
#pragma once

#include <optional>

#include "training/head/classifier_start.h"
#include "training/ways/way.h"

namespace headlight {

class ModelTraining : public Training {
 public:
  /// Throws Error if there is no model, which --train `word` needs.
  ModelTraining(FitStart start, const char* word);

  Origin::Facts marks() const override { return marks_of_files(loaded_.files); }
  TextReading reading() override;
  const Model& model() const override { return start_->model(); }
  /// In the layout of the start, if keep_layout() has said so, else as a native model.
  void write(ModelDirectory& directory) const override;
  bool divide_logits(float temperature) override;

 protected:
  /// Makes a start for a new head of the loaded model, reads the rows as it does, and notes what it
  /// leaves out.
  void prepare(const TrainingRun& run, Learned& made);

  /// Chooses the layout of a classifier of which more than the last layer was trained.
  void keep_layout(const TrainingRun& run, Learned& made);
  /// Divides the last layer.
  virtual void divide_head(float divisor) { start_->divide_head(divisor); }

  Model loaded_;  // until there is a start
  std::optional<ClassifierStart> start_;
  NumberFormat stored_as_ = NumberFormat::f32;

 private:
  bool keeps_layout_ = false;
};

/// Whether the start has a head in a published layout.
bool keeps_layout_of_head(const Model& start);

/// A new last layer on the vectors of the model.
class LastLayerTraining : public ModelTraining {
 public:
  /// `with_ngrams`: and what n-grams add to its logits.
  LastLayerTraining(FitStart start, const char* word, HeadSettings settings, bool with_ngrams)
      : ModelTraining(std::move(start), word),
        settings_(std::move(settings)),
        with_ngrams_(with_ngrams) {}

  Learned learn(const TrainingRun& run, LabelledRows rows) override;
  void write(ModelDirectory& directory) const override;
  bool divide_logits(float temperature) override;

 private:
  HeadSettings settings_;
  bool with_ngrams_;
};

}  // namespace headlight
