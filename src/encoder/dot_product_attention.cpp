#include "encoder/dot_product_attention.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "encoder/attention_head.h"

namespace headlight {
namespace {

// Slices per thread; several, so that a thread that starts late still gets work.
constexpr std::size_t kSlicesAThread = 4;

// From this number of queries on, the values are packed first: the rows of one head are far apart,
// and few of them at such distances fit the level-1 cache.
constexpr std::size_t kWorthPacking = 2 * kQueryBlock;

/// Memory of one thread.
struct Workspace {
  Buffer keys;    // [e, n] in panels
  Buffer values;  // [n, e] in panels
  Buffer scores;  // [m, n] for a block of queries
};
Workspace& workspace() {
  thread_local Workspace memory;
  return memory;
}

/// What the queries of a head attend to.
struct Attended {
  Panels keys;    // [e, n]
  Panels values;  // [n, e]; without data, those of the head are read as they are
};

/// out [m, e] = weights [m, keys in `range`] · values
void add_up_values(const Head& head, const Panels& values, KeyRange range, ConstMatrix weights,
                   Matrix out) {
  if (values.data == nullptr) {
    return multiply(weights, head.value.row_range(range.first, range.count()), out);
  }
  // Of each panel as many rows are read as `weights` has columns.
  const Panels seen{values.data + range.first * kPanelColumns, values.depth, values.columns};
  multiply(weights, seen, nullptr, out);
}

/// Queries [first, first + count).
void attend_block(const Head& head, std::size_t first, std::size_t count, const Attended& attended,
                  Buffer& memory) {
  const std::size_t n = attended.keys.columns;
  const std::size_t position = head.first_position + first;
  const KeyRange block = block_keys(head, position, count, n);
  const Matrix scores = memory.shape(count, block.count());
  score_block(head, first, attended.keys, block, scores);
  const Matrix out = head.out.row_range(first, count);
  std::array<float, kQueryBlock> factors{};
  for (std::size_t i = 0; i < count; ++i) {
    factors[i] = 1.0F / exp_scores(head, position + i, block.first, n, scores.row(i));
    head.dropout.apply(head.number, position + i, block.first, scores.row(i));
  }
  add_up_values(head, attended.values, block, scores, out);
  for (std::size_t i = 0; i < count; ++i) {
    for (float& x : out.row(i)) x *= factors[i];
    if (head.kept == nullptr) continue;
    float* kept = std::fill_n(head.kept + (first + i) * n, block.first, 0.0F);
    for (const float x : scores.row(i)) *kept++ = x * factors[i];
    std::fill_n(kept, n - block.last, 0.0F);
  }
}

void attend_head(const Head& head) {
  Workspace& memory = workspace();
  Attended attended{packed_keys(head, memory.keys), {}};
  if (head.query.rows >= kWorthPacking) {
    const ConstMatrix& value = head.value;
    const Matrix packed = memory.values.shape(1, Panels::floats(value.rows, value.cols));
    pack_columns(value, packed.data);
    attended.values = {packed.data, value.rows, value.cols};
  }
  for (std::size_t first = 0; first < head.query.rows; first += kQueryBlock) {
    const std::size_t count = std::min(kQueryBlock, head.query.rows - first);
    attend_block(head, first, count, attended, memory.scores);
  }
}

}  // namespace

void attend(const HeadsDescription& heads, std::span<const TextAttention> texts) {
  const std::size_t all = texts.size() * heads.sizes.size();
  const std::size_t slices = std::min(all, kSlicesAThread * sharing_threads());
  share_work(slices, [&](std::size_t slice) {
    for (std::size_t i = all * slice / slices; i < all * (slice + 1) / slices; ++i) {
      attend_head(head_of(heads, i % heads.sizes.size(), texts[i / heads.sizes.size()]));
    }
  });
}

}  // namespace headlight
