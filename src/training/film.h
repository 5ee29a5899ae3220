// What a model makes of one text while it is trained: a view of the states that a training passes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"
#include "training/course/training_log.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

struct FilmFrame {
  double epoch = 0.0;
  std::optional<double> loss;  // of the rows of this epoch; none before the first step
  std::optional<DevelopmentScore> development;
  std::vector<float> scores;  // [c]
  std::string attention;      // [layer][head][query][key], a byte each: 255 is weight 1
};

/// At most 30 frames: where there are more epochs, each second one is left out, and again.
class Film {
 public:
  /// `text` empty: the first training row.
  explicit Film(std::string text) { input_.text = std::move(text); }

  /// Sees the state after an epoch, or before the first. Throws TextError if the text cannot be
  /// scored.
  void see(const Model& model, const std::vector<LabelledRow>& rows, const TrainingReport& report);

  const std::string& text() const { return input_.text; }
  const std::vector<std::string>& tokens() const { return tokens_; }
  const std::vector<std::string>& labels() const { return labels_; }
  /// The number of heads of each layer.
  const std::vector<std::size_t>& heads() const { return heads_; }
  /// With the last state.
  std::vector<FilmFrame> frames() const;

 private:
  TextInput input_;
  std::vector<std::string> tokens_;
  std::vector<std::string> labels_;
  std::vector<std::size_t> heads_;
  std::vector<FilmFrame> frames_;
  std::optional<FilmFrame> latest_;  // unless it is one of them
  std::size_t seen_ = 0;
  std::size_t step_ = 1;  // of `seen_`, between two frames
};

}  // namespace headlight
