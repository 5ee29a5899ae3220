#include "encoder/disentangled_attention.h"

#include <algorithm>

namespace headlight {
namespace {

// Keys whose products with Q are computed together: more would need more columns for each.
constexpr std::size_t kKeysAtATime = kPanelColumns;

/// Memory of one thread.
struct Tables {
  Buffer of_queries;  // [m, columns]
  Buffer of_keys;     // [columns, kKeysAtATime]
};
Tables& tables() {
  thread_local Tables memory;
  return memory;
}

/// The columns of a query at `position` for the keys from `key` on.
const std::uint32_t* columns_from(const RelativeHead& head, std::size_t position, std::size_t key) {
  return head.columns.data() + head.columns.size() / 2 + key - position;
}

void add_content_to_position(const RelativeHead& head, const ScoreBlock& block) {
  const std::size_t m = block.scores.rows;
  const std::size_t n = block.scores.cols;
  // Columns fall from key to key, and rise from query to query.
  const std::size_t lowest = columns_from(head, block.position, block.first_key)[n - 1];
  const std::size_t highest = *columns_from(head, block.position + m - 1, block.first_key);
  const std::size_t panel = lowest / kPanelColumns;
  const Panels keys = head.keys.range(panel, highest / kPanelColumns - panel + 1);
  const Matrix table = tables().of_queries.shape(m, keys.columns);
  multiply(block.query, keys, nullptr, table);
  for (std::size_t i = 0; i < m; ++i) {
    const std::uint32_t* const columns = columns_from(head, block.position + i, block.first_key);
    const float* const products = table.row(i).data() - panel * kPanelColumns;
    float* const scores = block.scores.row(i).data();
    for (std::size_t j = 0; j < n; ++j) scores[j] += products[columns[j]];
  }
}

/// For `count` keys from `first` on, which begin a panel.
void add_position_to_content(const RelativeHead& head, const ScoreBlock& block, std::size_t first,
                             std::size_t count) {
  const std::size_t m = block.scores.rows;
  const std::size_t lowest = columns_from(head, block.position, block.first_key + first)[count - 1];
  const std::size_t highest = *columns_from(head, block.position + m - 1, block.first_key + first);
  const Panels& keys = block.keys;
  const Matrix table = tables().of_keys.shape(highest - lowest + 1, count);
  multiply(head.queries.row_range(lowest, table.rows),
           keys.range(first / kPanelColumns, kKeysAtATime / kPanelColumns), nullptr, table);
  for (std::size_t i = 0; i < m; ++i) {
    const std::uint32_t* const columns =
        columns_from(head, block.position + i, block.first_key + first);
    float* const scores = block.scores.row(i).data() + first;
    for (std::size_t j = 0; j < count; ++j) {
      scores[j] += table.data[(columns[j] - lowest) * table.stride + j];
    }
  }
}

}  // namespace

RelativeHead relative_head(const HeadsDescription& heads, std::size_t k, std::size_t first,
                           const RelativeScores& scores) {
  RelativeHead head;
  if (scores.tables == nullptr) return head;
  head.columns = scores.columns;
  if (!scores.tables->keys.empty()) head.keys = scores.tables->keys[k / heads.group];
  if (scores.tables->queries.rows > 0) {
    head.queries = scores.tables->queries.column_range(first, heads.sizes[k]);
  }
  return head;
}

void add_relative_scores(const RelativeHead& head, const ScoreBlock& block) {
  if (head.keys.data != nullptr) add_content_to_position(head, block);
  if (head.queries.rows == 0) return;
  const std::size_t n = block.scores.cols;
  for (std::size_t first = 0; first < n; first += kKeysAtATime) {
    add_position_to_content(head, block, first, std::min(kKeysAtATime, n - first));
  }
}

}  // namespace headlight
