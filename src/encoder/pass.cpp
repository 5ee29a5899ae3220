#include "encoder/pass.h"

namespace headlight {

Matrix Pass::normed(const LayerNorm& norm, Moment unnormed, Matrix x) const {
  note(unnormed, x);
  const Matrix out = result_of(x);
  layer_norm(norm, x, out);
  return out;
}

Matrix Pass::activated(Activation activation, Moment raw, Matrix x, Buffer& memory) const {
  if (!keeps_values()) return x;
  note(raw, x);
  const Matrix out = memory.shape(x.rows, x.cols);
  copy_rows(x, out);
  activate(activation, out);
  return out;
}

ConstMatrix Pass::selected(Buffer& memory, ConstMatrix x) const {
  if (rows.empty()) return x;
  const Matrix out = matrix(memory, rows.size(), x.cols);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    copy_rows(x.row_range(rows[i], 1), out.row_range(i, 1));
  }
  return out;
}

}  // namespace headlight
