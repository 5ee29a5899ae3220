#include "inside/ablated_classifier.h"

#include <utility>

#include "base/error.h"
#include "classifier/batched_encoder.h"

namespace headlight {
namespace {

/// Ends a forward pass without all parts.
struct Stopped {};

/// A layer can be passed over if its output is as wide as its input.
void check_part(const Model& model, const Part& part) {
  const HeadsDescription& heads = model.description.layers[part.layer].heads;
  const std::size_t own = model.description.layers[part.layer].weights;
  const bool projected = model.weights.layers[own].attention.output.has_value();
  if (part.kind != PartKind::layer || projected) return;
  if (heads.width() == model.description.hidden_size) return;
  throw Error(model.place.path, "layer " + std::to_string(part.layer) +
                                    " cannot be passed over, because its output is not as wide as "
                                    "its input");
}

}  // namespace

AblatedClassifier::AblatedClassifier(const Classifier& classifier, std::vector<PartAway> parts)
    : classifier_(classifier), parts_(std::move(parts)) {
  for (const PartAway& away : parts_) check_part(classifier_.model(), away.part);
}

std::vector<AblatedPrediction> AblatedClassifier::classify(std::span<const TextInput> inputs,
                                                           ScoringScratch& scratch,
                                                           const StopCheck& stopped) const {
  const Model& model = classifier_.model();
  Buffer logits;
  const auto check = [&] {
    if (stopped()) throw Stopped();
  };
  const auto run = [&](const Batch& batch, Scratch& memory) {
    return forward_without(model.description, model.weights, parts_, batch, memory, logits, check);
  };
  const auto read = [&](std::size_t i) { return classifier_.reader().read(inputs[i]); };
  std::vector<AblatedPrediction> predictions;
  try {
    BatchedEncoder encoder(run, tokens_at_once(model.description), scratch);
    for (const EncodedText& text : encoder.encode(inputs.size(), read, stopped)) {
      AblatedPrediction& prediction = predictions.emplace_back();
      prediction.error = text.error;
      if (!text.error.empty()) continue;
      const std::vector<float> all = text.windows.mean();
      const std::size_t c = all.size() / (1 + parts_.size());
      static_cast<Prediction&>(prediction) =
          classifier_.predict(text.size, std::span(all).first(c));
      if (!prediction.error.empty()) continue;
      for (std::size_t part = 1; part <= parts_.size(); ++part) {
        prediction.without.push_back(
            classifier_.predict(text.size, std::span(all).subspan(part * c, c)));
      }
    }
  } catch (const Stopped&) {
    return {};
  }
  return predictions;
}

}  // namespace headlight
