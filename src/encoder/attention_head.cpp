#include "encoder/attention_head.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {

KeyRange visible_keys(const Head& head, std::size_t position, std::size_t n) {
  KeyRange keys{0, n};
  if (head.mask == AttentionMask::causal) keys.last = std::min(n, position + 1);
  if (!head.window) return keys;
  if (position > *head.window) keys.first = position - *head.window;
  if (*head.window < n) keys.last = std::min(keys.last, position + *head.window + 1);
  return keys;
}

std::span<const float> bias_of_keys(const Head& head, std::size_t position, KeyRange keys) {
  if (head.bias.empty()) return {};
  return head.bias.subspan(head.bias.size() / 2 + keys.first - position, keys.count());
}

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
  if (text.relative_bias.rows > 0) head.bias = text.relative_bias.row(k);
  head.relative = relative_head(heads, k, first, text.relative_scores);
  head.mask = heads.mask;
  head.window = heads.window;
  head.first_position = text.first_position;
  head.number = k;
  head.dropout = text.dropout;
  if (!text.kept.empty()) head.kept = text.kept.data() + k * text.query.rows * head.value.rows;
  head.out = text.out.column_range(first, e);
  return head;
}

Panels packed_keys(const Head& head, Buffer& memory) {
  if (head.packed.data != nullptr) return head.packed;
  const std::size_t n = head.key.rows;
  const std::size_t e = head.key.cols;
  const Matrix packed = memory.shape(1, Panels::floats(e, n));
  pack(head.key, packed.data);
  return {packed.data, e, n};
}

KeyRange block_keys(const Head& head, std::size_t position, std::size_t count, std::size_t n) {
  KeyRange keys = {visible_keys(head, position, n).first,
                   visible_keys(head, position + count - 1, n).last};
  keys.first -= keys.first % kPanelColumns;
  return keys;
}

void score_block(const Head& head, std::size_t first, const Panels& keys, KeyRange range,
                 Matrix scores) {
  const ConstMatrix query = head.query.row_range(first, scores.rows);
  const Panels seen{keys.data + range.first * keys.depth, keys.depth, range.count()};
  // Whole panels: an incomplete one would be computed elsewhere and copied.
  const std::size_t columns = Panels::count(scores.cols) * kPanelColumns;
  multiply(query, seen, nullptr, Matrix(scores.data, scores.rows, columns, scores.stride));
  add_relative_scores(head.relative,
                      {query, seen, head.first_position + first, range.first, scores});
}

float exp_scores(const Head& head, std::size_t position, std::size_t first, std::size_t n,
                 std::span<float> row) {
  const KeyRange visible = visible_keys(head, position, n);
  const std::size_t before = visible.first - first;
  const std::size_t count = visible.count();
  const float sum =
      exp_row(row.subspan(before, count), head.scale, bias_of_keys(head, position, visible));
  std::fill_n(row.begin(), before, 0.0F);
  std::fill(row.begin() + static_cast<std::ptrdiff_t>(before + count), row.end(), 0.0F);
  return sum;
}

}  // namespace headlight
