#include "inside/ablated_forward.h"

#include <algorithm>

#include "encoder/forward.h"
#include "encoder/trace.h"

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
    AblatedPart part;
    part.part = parts[i].part;
    part.replacement = parts[i].replacement;
    known.give(part);
    keep(1 + i, forward(model, weights, {batch, scratch, &part}));
  }
  return all;
}

}  // namespace headlight
