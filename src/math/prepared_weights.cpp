#include "math/prepared_weights.h"

#include <algorithm>

#include "math/products.h"

namespace headlight {
namespace {

void pack_panels(const Table& weight, std::size_t first, std::size_t last, float* panels) {
  thread_local Buffer widened;
  for (std::size_t panel = first; panel < last; ++panel) {
    const std::size_t row = panel * kPanelColumns;
    const std::size_t count = std::min(kPanelColumns, weight.rows - row);
    pack(weight.floats(row, count, widened), panels + panel * kPanelColumns * weight.cols);
  }
}

}  // namespace

PreparedWeights unprepared(LinearForm form) {
  PreparedWeights weights;
  weights.form = form;
  if (form == LinearForm::int8) weights.layout = best_quantized_layout();
  if (form == LinearForm::bf16) weights.method = best_bfloat_method();
  return weights;
}

std::size_t prepared_bytes(LinearForm form, std::size_t out, std::size_t in) {
  switch (form) {
    case LinearForm::packed:
      return Panels::floats(in, out) * sizeof(float);
    case LinearForm::int8:
      return QuantizedPanels::bytes(in, out);
    case LinearForm::bf16:
      return BfloatPanels::bytes(in, out);
    case LinearForm::stored:
    case LinearForm::blas:
      break;
  }
  return 0;
}

bool can_prepare(LinearForm form, std::size_t in) {
  return form != LinearForm::int8 || in <= kMostQuantizedDepth;
}

void prepare_panels(const Table& weight, const PreparedWeights& like, std::size_t first,
                    std::size_t last, std::byte* memory) {
  switch (like.form) {
    case LinearForm::packed:
      return pack_panels(weight, first, last, reinterpret_cast<float*>(memory));
    case LinearForm::int8:
      return quantize_panels(weight, like.layout, first, last, memory);
    case LinearForm::bf16:
      return round_panels(weight, first, last, memory);
    case LinearForm::stored:
    case LinearForm::blas:
      break;
  }
}

}  // namespace headlight
