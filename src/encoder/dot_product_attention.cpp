#include "encoder/dot_product_attention.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "encoder/attention_head.h"
#include "encoder/talking_heads.h"

namespace headlight {
namespace {

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

/// Queries [first, first + count) against the packed `keys` [e, n].
void attend_block(const Head& head, std::size_t first, std::size_t count, const Panels& keys,
                  Buffer& memory) {
  const std::size_t n = keys.columns;
  const std::size_t position = head.first_position + first;
  const KeyRange block = block_keys(head, position, count, n);
  const Matrix scores = memory.shape(count, block.count());
  score_block(head, first, keys, block, scores);
  const Matrix out = head.out.row_range(first, count);
  std::array<float, kQueryBlock> factors{};
  for (std::size_t i = 0; i < count; ++i) {
    factors[i] = 1.0F / exp_scores(head, position + i, block.first, n, scores.row(i));
    head.dropout.apply(head.number, position + i, block.first, scores.row(i));
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
  const Panels keys = packed_keys(head, own.keys);
  for (std::size_t first = 0; first < head.query.rows; first += kQueryBlock) {
    const std::size_t count = std::min(kQueryBlock, head.query.rows - first);
    attend_block(head, first, count, keys, own.scores);
  }
}

}  // namespace

void attend(const HeadsDescription& heads, std::span<const TextAttention> texts) {
  if (!texts.empty() && texts.front().mixing.scores.rows > 0) return attend_talking(heads, texts);
  const std::size_t all = texts.size() * heads.sizes.size();
  const std::size_t parts = std::min(all, kPartsAThread * sharing_threads());
  share_work(parts, [&](std::size_t part) {
    for (std::size_t i = all * part / parts; i < all * (part + 1) / parts; ++i) {
      attend_head(head_of(heads, i % heads.sizes.size(), texts[i / heads.sizes.size()]));
    }
  });
}

}  // namespace headlight
