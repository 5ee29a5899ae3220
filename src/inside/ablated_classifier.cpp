#include "inside/ablated_classifier.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "classifier/batched_encoder.h"
#include "encoder/forward.h"

namespace headlight {
namespace {

/// Puts the rows [n, width] of all texts after one another. `rows_of` gives those of a text.
template <typename RowsOf>
Matrix gather(const Trace& trace, std::size_t tokens, Buffer& memory, const RowsOf& rows_of) {
  std::size_t all = 0;
  for (const TextTrace& text : trace.texts) all += rows_of(text).size();
  const Matrix rows = memory.shape(tokens, all / tokens);
  std::size_t next = 0;
  for (const TextTrace& text : trace.texts) {
    const std::vector<float>& own = rows_of(text);
    for (auto row = own.begin(); row != own.end(); row += static_cast<std::ptrdiff_t>(rows.cols)) {
      std::copy_n(row, rows.cols, rows.row(next++).begin());
    }
  }
  return rows;
}

/// The values of the whole model at one layer.
class KnownLayer {
 public:
  KnownLayer(const Trace& trace, std::size_t tokens) : trace_(trace), tokens_(tokens) {}

  /// Fills in the known values at the part's layer.
  void give(AblatedPart& part) {
    const std::size_t layer = part.part.layer;
    if (layer != layer_) {
      layer_ = layer;
      hidden_rows_ = gather(
          trace_, tokens_,
          hidden_, [&](const TextTrace& text) -> auto& { return text.hidden[layer]; });
      context_rows_ = gather(
          trace_, tokens_,
          context_, [&](const TextTrace& text) -> auto& { return text.context[layer]; });
    }
    part.hidden = hidden_rows_;
    part.context = context_rows_;
  }

 private:
  const Trace& trace_;
  std::size_t tokens_;
  std::size_t layer_ = SIZE_MAX;
  Buffer hidden_;
  Buffer context_;
  Matrix hidden_rows_;
  Matrix context_rows_;
};

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

ConstMatrix forward_without(const Description& model, const Weights& weights,
                            std::span<const PartAway> parts, const Batch& batch, Scratch& scratch,
                            Buffer& out, const std::function<void()>& check) {
  const std::size_t c = model.classes();
  const Matrix all = out.shape(batch.texts(), (1 + parts.size()) * c);
  const auto keep = [&](std::size_t number, ConstMatrix logits) {
    const Matrix own = all.column_range(number * c, c);
    for (std::size_t text = 0; text < own.rows; ++text) {
      std::ranges::copy(logits.row(text), own.row(text).begin());
    }
  };
  check();
  Trace trace;
  trace.wants_hidden = true;
  trace.wants_context = true;
  keep(0, forward(model, weights, {batch, scratch, &trace}));
  KnownLayer known(trace, batch.tokens());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    check();
    AblatedPart part{parts[i].part, parts[i].replacement};
    known.give(part);
    Pass pass{batch, scratch};
    pass.part = &part;
    keep(1 + i, forward(model, weights, pass));
  }
  return all;
}

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
      prediction.whole.error = text.error;
      if (!text.error.empty()) continue;
      const std::vector<float> all = text.windows.mean();
      const std::size_t c = all.size() / (1 + parts_.size());
      prediction.whole = classifier_.predict(text.size, std::span(all).first(c));
      if (!prediction.whole.error.empty()) continue;
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
