#include "encoder/sentence_vectors.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>
#include <vector>

#include "encoder/forward.h"
#include "encoder/pooling.h"

namespace headlight {
namespace {

/// Whether only one row of a text is read; then the others need not be computed.
bool reads_one_row(std::span<const TokenPooling> modes) {
  return modes.size() == 1 && (modes[0] == TokenPooling::cls || modes[0] == TokenPooling::last);
}

/// The row of each text that is pooled, or empty if several are.
std::span<const std::size_t> pooled_rows(const SentencePooling& pooling, const Pass& pass) {
  std::vector<std::size_t>& rows = pass.scratch.rows;
  rows.clear();
  if (!reads_one_row(pooling.modes)) return rows;
  const bool first = pooling.modes[0] == TokenPooling::cls;
  for (std::size_t text = 0; text < pass.batch.texts(); ++text) {
    rows.push_back(first ? pass.batch.starts()[text] + pooling.skipped
                         : pass.batch.starts()[text + 1] - 1);
  }
  return rows;
}

/// Σ (i + 1) · row i / Σ (i + 1), where the first row is number `first` of its text.
void weighted_mean_of_rows(ConstMatrix x, std::size_t first, std::span<float> out) {
  double weights = 0.0;
  for (std::size_t i = 0; i < x.rows; ++i) weights += static_cast<double>(first + i + 1);
  for (std::size_t j = 0; j < out.size(); ++j) {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.rows; ++i) {
      sum += static_cast<double>(first + i + 1) * static_cast<double>(x.row(i)[j]);
    }
    out[j] = static_cast<float>(sum / weights);
  }
}

/// x [n, d] → out [d], where the first row is number `first` of its text.
void pool_rows(TokenPooling mode, ConstMatrix x, std::size_t first, std::span<float> out) {
  switch (mode) {
    case TokenPooling::cls:
      std::copy_n(x.row(0).data(), out.size(), out.data());
      return;
    case TokenPooling::last:
      std::copy_n(x.row(x.rows - 1).data(), out.size(), out.data());
      return;
    case TokenPooling::max:
      return max_of_rows(x, out);
    case TokenPooling::mean:
      return mean_of_rows(x, out);
    case TokenPooling::mean_sqrt_length: {
      mean_of_rows(x, out);
      const float root = std::sqrt(static_cast<float>(x.rows));
      for (float& value : out) value *= root;
      return;
    }
    case TokenPooling::weighted_mean:
      return weighted_mean_of_rows(x, first, out);
  }
}

/// x [t, in] → y [t, out]
void apply_dense(const DenseModule& dense, ConstMatrix x, Buffer& buffer, Matrix y) {
  dense.linear.apply(x, y, dense.activation);
  if (dense.projection) {
    const Matrix projected = buffer.shape(y.rows, y.cols);
    dense.projection->apply(x, projected);
    add(projected, y);
  } else if (dense.residual) {
    add(x, y);
  }
}

}  // namespace

ConstMatrix pooled_vectors(const Description& model, const Weights& weights,
                           const SentencePooling& pooling, Pass pass) {
  const ConstMatrix x = encode(model, weights, pass, pooled_rows(pooling, pass));
  if (!pass.rows.empty()) return x;  // the layers computed only these rows
  const Batch& batch = pass.batch;
  const Matrix z = pass.scratch.pooled.shape(batch.texts(), pooling.modes.size() * x.cols);
  if (model.ngrams && pooling.modes.front() == TokenPooling::mean) {
    pool(model, weights, pass, x, z);
    return z;
  }
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    const ConstMatrix rows =
        x.row_range(batch.starts()[text] + pooling.skipped, batch.length(text) - pooling.skipped);
    for (std::size_t k = 0; k < pooling.modes.size(); ++k) {
      pool_rows(pooling.modes[k], rows, pooling.skipped, z.row(text).subspan(k * x.cols, x.cols));
    }
  }
  return z;
}

Matrix apply_modules(std::span<const VectorModule> modules, Matrix vectors,
                     ModuleBuffers& buffers) {
  for (const VectorModule& module : modules) {
    if (const auto* norm = std::get_if<LayerNorm>(&module)) {
      layer_norm(*norm, vectors, vectors);
    } else if (const auto* dense = std::get_if<DenseModule>(&module)) {
      buffers.output.swap();
      const Matrix y = buffers.output.current.shape(vectors.rows, dense->linear.out());
      apply_dense(*dense, vectors, buffers.residual, y);
      vectors = y;
    } else {
      normalize_rows(vectors);
    }
  }
  return vectors;
}

}  // namespace headlight
