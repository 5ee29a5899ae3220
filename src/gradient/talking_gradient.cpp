#include "gradient/talking_gradient.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "math/function_gradients.h"
#include "math/products.h"

namespace headlight {
namespace {

/// The heads of one text and their memory. Matrices of a block have m rows for each head.
struct TalkGradient {
  std::vector<Head> heads;
  std::vector<HeadGradient> gradients;
  std::vector<Buffer> key_memory;
  std::vector<Buffer> value_memory;
  std::vector<Panels> keys;    // [e, n] of each head
  std::vector<Panels> values;  // [e, n]
  Buffer scores;               // S · scale
  Buffer weights;              // A', the softmax of the mixed scores
  Buffer dropped;              // A' after dropout
  Buffer mixed;                // A
  Buffer slopes;               // the gradients of A, then those of the mixed scores
  Buffer unmixed;              // those of A', then those of S · scale
};
TalkGradient& talk_gradient() {
  thread_local TalkGradient own;
  return own;
}

/// Sums over heads: row k · m + i of `out` is Σ_l mixing[k, l] · row l · m + i of x; with
/// `transposed`, mixing[l, k].
void mix_rows(ConstMatrix mixing, bool transposed, ConstMatrix x, Matrix out) {
  const std::size_t h = mixing.rows;
  const std::size_t m = x.rows / h;
  for (std::size_t i = 0; i < x.rows; ++i) {
    const auto to = out.row(i);
    std::fill(to.begin(), to.end(), 0.0F);
    for (std::size_t l = 0; l < h; ++l) {
      const float factor = transposed ? mixing.row(l)[i / m] : mixing.row(i / m)[l];
      const auto from = x.row(l * m + i % m);
      for (std::size_t j = 0; j < to.size(); ++j) to[j] += factor * from[j];
    }
  }
}

/// mixing[k, l] += Σ of the products of head k of `slopes` and head l of x.
void add_mixing_gradient(ConstMatrix slopes, ConstMatrix x, Matrix mixing) {
  const std::size_t m = x.rows / mixing.rows;
  for (std::size_t k = 0; k < mixing.rows; ++k) {
    for (std::size_t l = 0; l < mixing.rows; ++l) {
      double sum = 0.0;
      for (std::size_t i = 0; i < m; ++i) {
        const auto a = slopes.row(k * m + i);
        const auto b = x.row(l * m + i);
        for (std::size_t j = 0; j < a.size(); ++j) {
          sum += static_cast<double>(a[j]) * static_cast<double>(b[j]);
        }
      }
      mixing.row(k)[l] += static_cast<float>(sum);
    }
  }
}

/// A block of queries of all heads.
struct TalkBlock {
  std::size_t first;
  std::size_t count;
  KeyRange range;
  Matrix scores, weights, dropped, mixed;
};

/// Computes the weights of the block again.
void forward_block(const HeadMixing& mixing, TalkGradient& own, const TalkBlock& block) {
  const std::size_t n = own.keys.front().columns;
  const auto rows_of = [&](Matrix x, std::size_t k) {
    return x.row_range(k * block.count, block.count);
  };
  for (std::size_t k = 0; k < own.heads.size(); ++k) {
    const Matrix rows = rows_of(block.scores, k);
    score_block(own.heads[k], block.first, own.keys[k], block.range, rows);
    for (std::size_t i = 0; i < block.count; ++i) {
      for (float& x : rows.row(i)) x *= own.heads[k].scale;
    }
  }
  mix_rows(mixing.scores, false, block.scores, block.weights);
  for (std::size_t k = 0; k < own.heads.size(); ++k) {
    Head scaled = own.heads[k];
    scaled.scale = 1.0F;
    for (std::size_t i = 0; i < block.count; ++i) {
      const std::size_t position = scaled.first_position + block.first + i;
      const auto row = rows_of(block.weights, k).row(i);
      const float factor = 1.0F / exp_scores(scaled, position, block.range.first, n, row);
      for (float& x : row) x *= factor;
      const auto dropped = rows_of(block.dropped, k).row(i);
      std::copy(row.begin(), row.end(), dropped.begin());
      scaled.dropout.apply(scaled.number, position, block.range.first, dropped);
    }
  }
  mix_rows(mixing.weights, false, block.dropped, block.mixed);
}

/// The gradients of values, and those of A in `slopes`.
void values_gradient(TalkGradient& own, const TalkBlock& block, Matrix slopes) {
  const KeyRange& range = block.range;
  for (std::size_t k = 0; k < own.heads.size(); ++k) {
    const HeadGradient& gradient = own.gradients[k];
    const ConstMatrix dout = gradient.out.row_range(block.first, block.count);
    add_transposed_product(block.mixed.row_range(k * block.count, block.count), dout,
                           gradient.value.row_range(range.first, range.count()));
    const Panels values{own.values[k].data + range.first * own.values[k].depth, own.values[k].depth,
                        range.count()};
    multiply(dout, values, nullptr, slopes.row_range(k * block.count, block.count));
  }
}

void add_talk_block_gradient(const TextAttention& text, const TextAttentionGradient& gradient,
                             TalkGradient& own, std::size_t first, std::size_t count) {
  const Head& any = own.heads.front();
  const std::size_t h = own.heads.size();
  const KeyRange range =
      block_keys(any, any.first_position + first, count, own.keys.front().columns);
  const auto shape = [&](Buffer& memory) { return memory.shape(h * count, range.count()); };
  const TalkBlock block{
      first,           count, range, shape(own.scores), shape(own.weights), shape(own.dropped),
      shape(own.mixed)};
  forward_block(text.mixing, own, block);
  const Matrix slopes = shape(own.slopes);
  const Matrix unmixed = shape(own.unmixed);
  values_gradient(own, block, slopes);
  add_mixing_gradient(slopes, block.dropped, gradient.mixed_weights);
  mix_rows(text.mixing.weights, true, slopes, unmixed);
  for (std::size_t k = 0; k < h; ++k) {
    const Head& head = own.heads[k];
    const Matrix rows = unmixed.row_range(k * count, count);
    for (std::size_t i = 0; i < count; ++i) {
      head.dropout.apply(head.number, head.first_position + first + i, range.first, rows.row(i));
    }
    softmax_gradient(block.weights.row_range(k * count, count), 1.0F, rows);
  }
  add_mixing_gradient(unmixed, block.scores, gradient.mixed_scores);
  mix_rows(text.mixing.scores, true, unmixed, slopes);
  for (std::size_t k = 0; k < h; ++k) {
    add_score_gradient(own.heads[k], {first, range, slopes.row_range(k * count, count)},
                       own.gradients[k]);
  }
}

}  // namespace

void add_talking_gradient(const HeadsDescription& heads, const TextAttention& text,
                          const TextAttentionGradient& gradient) {
  TalkGradient& own = talk_gradient();
  const std::size_t h = heads.sizes.size();
  own.heads.clear();
  own.gradients.clear();
  own.keys.clear();
  own.values.clear();
  if (own.key_memory.size() < h) own.key_memory.resize(h);
  if (own.value_memory.size() < h) own.value_memory.resize(h);
  for (std::size_t k = 0; k < h; ++k) {
    const Head& head = own.heads.emplace_back(head_of(heads, k, text));
    own.gradients.push_back(head_gradient(head, text, gradient));
    own.keys.push_back(packed_keys(head, own.key_memory[k]));
    const std::size_t e = head.value.cols;
    const std::size_t n = head.value.rows;
    float* const packed = own.value_memory[k].shape(1, Panels::floats(e, n)).data;
    pack(head.value, packed);
    own.values.push_back({packed, e, n});
  }
  for (std::size_t first = 0; first < text.query.rows; first += kQueryBlock) {
    add_talk_block_gradient(text, gradient, own, first,
                            std::min(kQueryBlock, text.query.rows - first));
  }
}

}  // namespace headlight
