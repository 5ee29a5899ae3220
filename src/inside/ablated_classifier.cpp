#include "inside/ablated_classifier.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "classifier/batched_encoder.h"
#include "encoder/forward.h"
#include "encoder/trace.h"

namespace headlight {
namespace {

/// The rows of a layer of all texts, one text after another.
std::vector<float> rows_of(const Trace& trace, std::vector<std::vector<float>> TextTrace::*values,
                           std::size_t layer) {
  std::vector<float> rows;
  for (const TextTrace& text : trace.texts) {
    const std::vector<float>& of_text = (text.*values)[layer];
    rows.insert(rows.end(), of_text.begin(), of_text.end());
  }
  return rows;
}

/// Ends a forward pass without all parts.
struct Stopped {};

/// A layer can be passed over if its output is as wide as its input.
void check_part(const Model& model, const Part& part) {
  const HeadsDescription& heads = model.description.layers[part.layer].heads;
  const std::size_t weights = model.description.layers[part.layer].weights;
  const bool projected = model.weights.layers[weights].attention.output.has_value();
  if (part.kind != PartKind::layer || projected) return;
  if (heads.width() == model.description.hidden_size) return;
  throw Error(model.place.path, "layer " + std::to_string(part.layer) +
                                    " cannot be passed over, because its output is not as wide as "
                                    "its input");
}

}  // namespace

ConstMatrix forward_without(const Description& model, const Weights& weights,
                            std::span<const std::vector<Part>> parts, const Batch& batch,
                            Scratch& scratch, Buffer& out, const std::function<void()>& check) {
  const std::size_t c = model.classes();
  const Matrix all = out.shape(batch.texts(), (1 + parts.size()) * c);
  const auto keep = [&](std::size_t number, ConstMatrix logits) {
    const Matrix columns = all.column_range(number * c, c);
    for (std::size_t text = 0; text < columns.rows; ++text) {
      std::ranges::copy(logits.row(text), columns.row(text).begin());
    }
  };
  check();
  Trace trace;
  // With a decoder each pass begins anew, because its layers read what the encoder gives.
  const bool begins_anew = model.decoder.has_value();
  trace.wants_hidden = trace.wants_context = !begins_anew;
  keep(0, forward(model, weights, {batch, scratch, &trace}));
  std::size_t known = SIZE_MAX;  // the layer of the values
  std::vector<float> hidden;
  std::vector<float> context;
  const auto matrix = [&](const std::vector<float>& rows) {
    return rows.empty() ? ConstMatrix()
                        : ConstMatrix(rows.data(), batch.tokens(), rows.size() / batch.tokens());
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    check();
    const std::size_t layer = parts[i].front().layer;
    if (layer != known && !begins_anew) {
      hidden = rows_of(trace, &TextTrace::hidden, layer);
      context = rows_of(trace, &TextTrace::context, layer);
      known = layer;
    }
    AblatedParts without;
    without.parts = parts[i];
    without.hidden = matrix(hidden);
    without.context = matrix(context);
    keep(1 + i, forward(model, weights, {batch, scratch, &without}));
  }
  return all;
}

AblatedClassifier::AblatedClassifier(const Classifier& classifier,
                                     std::vector<std::vector<Part>> parts)
    : classifier_(classifier), parts_(std::move(parts)) {
  for (const auto& some : parts_) check_part(classifier_.model(), some.front());
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
    BatchedEncoder encoder(run, model.description, tokens_at_once(model.description), scratch);
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
