#include "encoder/talking_heads.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/parallel.h"
#include "encoder/attention_head.h"

namespace headlight {
namespace {

/// The heads of one text and their memory.
struct Talk {
  std::vector<Head> heads;
  std::vector<Buffer> packed;  // of each head
  std::vector<Panels> keys;    // of each head, [e, n]
  Buffer scores;               // [h · m, n] for a block of m queries
  Buffer mixed;                // [h · m, n]
};
Talk& talk() {
  thread_local Talk own;
  return own;
}

/// Sums over heads: row k · m + i of `out` is Σ_l mixing[k, l] · row l · m + i of x.
void mix(ConstMatrix mixing, ConstMatrix x, Matrix out) {
  const std::size_t m = x.rows / mixing.rows;
  for (std::size_t i = 0; i < m; ++i) {
    const ConstMatrix of_query{x.row(i).data(), mixing.rows, x.cols, m * x.stride};
    multiply(mixing, of_query, {out.row(i).data(), mixing.rows, out.cols, m * out.stride});
  }
}

/// Queries [first, first + count) of all heads.
void talk_block(const HeadMixing& mixing, Talk& own, std::size_t first, std::size_t count) {
  const Head& any = own.heads.front();
  const std::size_t n = own.keys.front().columns;
  const std::size_t position = any.first_position + first;
  const KeyRange block = block_keys(any, position, count, n);
  const std::size_t h = own.heads.size();
  const Matrix scores = own.scores.shape(h * count, block.count());
  const Matrix mixed = own.mixed.shape(h * count, block.count());
  for (std::size_t k = 0; k < h; ++k) {
    const Matrix rows = scores.row_range(k * count, count);
    score_block(own.heads[k], first, own.keys[k], block, rows);
    for (std::size_t i = 0; i < count; ++i) {
      for (float& x : rows.row(i)) x *= own.heads[k].scale;
    }
  }
  mix(mixing.scores, scores, mixed);
  for (std::size_t k = 0; k < h; ++k) {
    Head scaled = own.heads[k];
    scaled.scale = 1.0F;
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = mixed.row(k * count + i);
      const float factor = 1.0F / exp_scores(scaled, position + i, block.first, n, row);
      for (float& x : row) x *= factor;
      scaled.dropout.apply(scaled.number, position + i, block.first, row);
    }
  }
  mix(mixing.weights, mixed, scores);
  for (std::size_t k = 0; k < h; ++k) {
    const Head& head = own.heads[k];
    const Matrix rows = scores.row_range(k * count, count);
    multiply(rows, head.value.row_range(block.first, block.count()),
             head.out.row_range(first, count));
    for (std::size_t i = 0; i < count && head.kept != nullptr; ++i) {
      float* kept = std::fill_n(head.kept + (first + i) * n, block.first, 0.0F);
      kept = std::copy_n(rows.row(i).data(), block.count(), kept);
      std::fill_n(kept, n - block.last, 0.0F);
    }
  }
}

void attend_text(const HeadsDescription& heads, const TextAttention& text) {
  Talk& own = talk();
  const std::size_t h = heads.sizes.size();
  own.heads.clear();
  own.keys.clear();
  if (own.packed.size() < h) own.packed.resize(h);
  for (std::size_t k = 0; k < h; ++k) {
    own.heads.push_back(head_of(heads, k, text));
    own.keys.push_back(packed_keys(own.heads.back(), own.packed[k]));
  }
  for (std::size_t first = 0; first < text.query.rows; first += kQueryBlock) {
    talk_block(text.mixing, own, first, std::min(kQueryBlock, text.query.rows - first));
  }
}

}  // namespace

void attend_talking(const HeadsDescription& heads, std::span<const TextAttention> texts) {
  share_work(texts.size(), [&](std::size_t text) { attend_text(heads, texts[text]); });
}

}  // namespace headlight
