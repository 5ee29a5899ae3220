#include "encoder/dot_product_attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "math/products.h"

namespace headlight {
namespace {

constexpr std::size_t kQueryBlock = 32;
// Parts per thread; several, so that a thread that starts late still gets work.
constexpr std::size_t kPartsAThread = 4;

/// Memory of one thread.
struct Workspace {
  Buffer keys;    // [e, n] in panels
  Buffer scores;  // [m, n] for a block of queries
};
Workspace& workspace() {
  thread_local Workspace own;
  return own;
}

/// The inputs and outputs of one head.
struct Head {
  ConstMatrix query, key, value;  // [m, e], [n, e], [n, e]
  Panels packed;                  // the keys [e, n]; without data, `key` must be packed first
  float scale = 1.0F;
  std::span<const float> bias;  // [2r - 1] by distance, or empty
  RelativeHead relative;
  bool causal = false;
  std::size_t first_position = 0;  // position of the first query
  float* kept = nullptr;           // [m, n]
  Matrix out;                      // [m, e]
};

/// Queries [first, first + count) against the packed `keys` [e, n].
void attend_block(const Head& head, std::size_t first, std::size_t count, const Panels& keys,
                  Buffer& memory) {
  const std::size_t n = keys.columns;
  const std::size_t position = head.first_position + first;
  // The number of keys that any query of the block may attend to.
  const std::size_t visible = head.causal ? std::min(n, position + count) : n;
  const Matrix scores = memory.shape(count, visible);
  multiply(head.query.row_range(first, count), {keys.data, keys.depth, visible}, nullptr, scores);
  add_relative_scores(head.relative, {head.query.row_range(first, count), keys, position, scores});
  const Matrix out = head.out.row_range(first, count);
  std::array<float, kQueryBlock> factors{};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t seen = head.causal ? std::min(n, position + i + 1) : n;
    const auto row = scores.row(i);
    const auto bias = head.bias.empty()
                          ? head.bias
                          : head.bias.subspan(head.bias.size() / 2 - position - i, seen);
    factors[i] = 1.0F / exp_row(row.first(seen), head.scale, bias);
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(seen), row.end(), 0.0F);
  }
  multiply(scores, head.value.row_range(0, visible), out);
  for (std::size_t i = 0; i < count; ++i) {
    for (float& x : out.row(i)) x *= factors[i];
    if (head.kept == nullptr) continue;
    float* kept = head.kept + (first + i) * n;
    for (const float x : scores.row(i)) *kept++ = x * factors[i];
    std::fill_n(kept, n - visible, 0.0F);
  }
}

void attend_head(const Head& head) {
  Workspace& own = workspace();
  Panels keys = head.packed;
  if (keys.data == nullptr) {
    const std::size_t n = head.key.rows;
    const std::size_t e = head.key.cols;
    const Matrix packed = own.keys.shape(1, Panels::floats(e, n));
    pack(head.key, packed.data);
    keys = {packed.data, e, n};
  }
  for (std::size_t first = 0; first < head.query.rows; first += kQueryBlock) {
    const std::size_t count = std::min(kQueryBlock, head.query.rows - first);
    attend_block(head, first, count, keys, own.scores);
  }
}

/// The work of head `k` for one text.
Head head_of(const HeadsDescription& heads, std::size_t k, const TextAttention& text) {
  const std::size_t e = heads.sizes[k];
  const auto first = std::accumulate(
      heads.sizes.begin(), heads.sizes.begin() + static_cast<std::ptrdiff_t>(k), std::size_t{0});
  Head head;
  head.query = text.query.column_range(first, e);
  if (text.cache != nullptr) {
    head.packed = text.cache->keys(k);
    head.value = text.cache->values().column_range(first, e);
  } else {
    head.key = text.key.column_range(first, e);
    head.value = text.value.column_range(first, e);
  }
  head.scale = heads.scale.value_or(1.0F / std::sqrt(static_cast<float>(e * heads.score_terms)));
  head.relative = relative_head(text.relative_scores, k, first, e);
  if (text.relative_bias.rows > 0) head.bias = text.relative_bias.row(k);
  head.causal = heads.mask == AttentionMask::causal;
  head.first_position = text.first_position;
  if (!text.kept.empty()) head.kept = text.kept.data() + k * text.query.rows * head.value.rows;
  head.out = text.out.column_range(first, e);
  return head;
}

}  // namespace

void attend(const HeadsDescription& heads, std::span<const TextAttention> texts) {
  const std::size_t all = texts.size() * heads.sizes.size();
  const std::size_t parts = std::min(all, kPartsAThread * sharing_threads());
  share_work(parts, [&](std::size_t part) {
    for (std::size_t i = all * part / parts; i < all * (part + 1) / parts; ++i) {
      attend_head(head_of(heads, i % heads.sizes.size(), texts[i / heads.sizes.size()]));
    }
  });
}

}  // namespace headlight
