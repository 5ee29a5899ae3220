#include "training/film.h"

#include <cmath>
#include <utility>

#include "base/error.h"
#include "inside/inside.h"

namespace headlight {
namespace {

constexpr std::size_t kMostFrames = 30;

std::string bytes_of(const std::vector<std::vector<float>>& attention) {
  std::string bytes;
  for (const std::vector<float>& layer : attention) {
    for (const float weight : layer) bytes += static_cast<char>(std::lround(weight * 255.0F));
  }
  return bytes;
}

}  // namespace

void Film::see(const Model& model, const std::vector<LabelledRow>& rows,
               const TrainingReport& report) {
  if (input_.text.empty()) input_ = rows.front().input;
  ClassifierOptions reading;
  reading.long_texts = LongTexts::truncate;
  const Classifier classifier(model, reading);
  Trace wanted;
  wanted.wants_attention = true;
  const TracedText traced = trace_text(classifier, input_, wanted);
  if (traced.trace.attention.empty()) {
    throw Error(model.place.config, "has no layers, so there is no attention to film");
  }
  tokens_ = traced.encoding.tokens;
  labels_ = model.description.labels;
  heads_.clear();
  for (const LayerDescription& layer : model.description.layers) {
    heads_.push_back(layer.heads.sizes.size());
  }
  FilmFrame frame;
  frame.epoch = report.epoch;
  if (report.step > 0) frame.loss = report.loss;
  if (report.latest != nullptr) frame.development = *report.latest;
  const Prediction& prediction = traced.prediction;
  frame.scores = prediction.scores.empty() ? prediction.logits : prediction.scores;
  frame.attention = bytes_of(traced.trace.attention);
  latest_.reset();
  if (seen_++ % step_ != 0) {
    latest_ = std::move(frame);
    return;
  }
  frames_.push_back(std::move(frame));
  if (frames_.size() < kMostFrames) return;
  step_ *= 2;  // the last of an even number is left out, too
  latest_ = std::move(frames_.back());
  for (std::size_t i = 0; 2 * i < frames_.size(); ++i) std::swap(frames_[i], frames_[2 * i]);
  frames_.resize(kMostFrames / 2);
}

std::vector<FilmFrame> Film::frames() const {
  std::vector<FilmFrame> frames = frames_;
  if (latest_) frames.push_back(*latest_);
  return frames;
}

}  // namespace headlight
