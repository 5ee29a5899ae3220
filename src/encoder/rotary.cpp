#include "encoder/rotary.h"

#include "base/parallel.h"
#include "math/functions.h"

namespace headlight {
namespace {

/// x [n, H]: row i by row i of `angles`, from row `first` on.
void rotate_heads(const RotaryTable& table, std::size_t first, Matrix x) {
  const ConstMatrix angles = table.angles.row_range(first, x.rows);
  for (std::size_t column = 0; column < x.cols; column += table.head_size) {
    rotate(angles, table.kind.interleaved, x.column_range(column, table.head_size));
  }
}

}  // namespace

void rotate_texts(const RotaryTable& table, const BatchRows& rows, Matrix query, Matrix key) {
  share_work(rows.batch.texts(), [&](std::size_t text) {
    const std::size_t start = rows.batch.starts()[text];
    const std::size_t count = rows.batch.length(text);
    rotate_heads(table, 0, key.row_range(start, count));
    if (rows.rows.empty()) return rotate_heads(table, 0, query.row_range(start, count));
    rotate_heads(table, rows.rows[text] - start, query.row_range(text, 1));
  });
}

}  // namespace headlight
