#include "encoder/dot_product_attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

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
  AttentionMask mask = AttentionMask::bidirectional;
  std::optional<std::size_t> window;
  std::size_t first_position = 0;  // position of the first query
  float* kept = nullptr;           // [m, n]
  Matrix out;                      // [m, e]
};

/// Keys [first, last) of a text.
struct KeyRange {
  std::size_t first;
  std::size_t last;

  std::size_t count() const { return last - first; }
};

/// The keys, out of n, to which a query at `position` may attend.
KeyRange visible_keys(const Head& head, std::size_t position, std::size_t n) {
  KeyRange keys{0, n};
  if (head.mask == AttentionMask::causal) keys.last = std::min(n, position + 1);
  if (!head.window) return keys;
  if (position > *head.window) keys.first = position - *head.window;
  if (*head.window < n) keys.last = std::min(keys.last, position + *head.window + 1);
  return keys;
}

/// row ← exp of the scores of the `visible` keys; 0 for the others. Returns the sum. The row begins
/// with the score of key `first`.
float exp_scores(const Head& head, std::size_t position, std::size_t first, KeyRange visible,
                 std::span<float> row) {
  const std::size_t before = visible.first - first;
  const std::size_t count = visible.count();
  const auto bias = head.bias.empty()
                        ? head.bias
                        : head.bias.subspan(head.bias.size() / 2 + visible.first - position, count);
  const float sum = exp_row(row.subspan(before, count), head.scale, bias);
  std::fill_n(row.begin(), before, 0.0F);
  std::fill(row.begin() + static_cast<std::ptrdiff_t>(before + count), row.end(), 0.0F);
  return sum;
}

/// Queries [first, first + count) against the packed `keys` [e, n].
void attend_block(const Head& head, std::size_t first, std::size_t count, const Panels& keys,
                  Buffer& memory) {
  const std::size_t n = keys.columns;
  const std::size_t position = head.first_position + first;
  // The keys to which any query of the block may attend, from the beginning of a panel.
  KeyRange block = {visible_keys(head, position, n).first,
                    visible_keys(head, position + count - 1, n).last};
  block.first -= block.first % kPanelColumns;
  const Panels block_keys{keys.data + block.first * keys.depth, keys.depth, block.count()};
  const Matrix scores = memory.shape(count, block.count());
  multiply(head.query.row_range(first, count), block_keys, nullptr, scores);
  add_relative_scores(head.relative, {head.query.row_range(first, count), block_keys,
                                      position - block.first, scores});
  const Matrix out = head.out.row_range(first, count);
  std::array<float, kQueryBlock> factors{};
  for (std::size_t i = 0; i < count; ++i) {
    const KeyRange visible = visible_keys(head, position + i, n);
    factors[i] = 1.0F / exp_scores(head, position + i, block.first, visible, scores.row(i));
  }
  multiply(scores, head.value.row_range(block.first, block.count()), out);
  for (std::size_t i = 0; i < count; ++i) {
    for (float& x : out.row(i)) x *= factors[i];
    if (head.kept == nullptr) continue;
    float* kept = std::fill_n(head.kept + (first + i) * n, block.first, 0.0F);
    for (const float x : scores.row(i)) *kept++ = x * factors[i];
    std::fill_n(kept, n - block.last, 0.0F);
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
  const std::size_t key_head = k / heads.group;
  const std::size_t first_key = heads.group == 1 ? first : key_head * e;
  Head head;
  head.query = text.query.column_range(first, e);
  if (text.cache != nullptr) {
    head.packed = text.cache->keys(key_head);
    head.value = text.cache->values().column_range(first_key, e);
  } else {
    head.key = text.key.column_range(first_key, e);
    head.value = text.value.column_range(first_key, e);
  }
  head.scale = heads.scale.value_or(1.0F / std::sqrt(static_cast<float>(e * heads.score_terms)));
  head.relative = relative_head(text.relative_scores, k, first, e);
  if (text.relative_bias.rows > 0) head.bias = text.relative_bias.row(k);
  head.mask = heads.mask;
  head.window = heads.window;
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
