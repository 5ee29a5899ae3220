#include "math/shared_product.h"

#include <algorithm>

#include "base/parallel.h"

namespace headlight {
namespace {

// Rows that are multiplied with some panels before the next rows; a multiple of all tiles.
constexpr std::size_t kBlockRows = 96;
constexpr std::size_t kDeepBlockRows = 48;
constexpr std::size_t kDeep = 1024;
// Panels that are used for some rows before the next panels. The more, the fewer times the rows are
// read from memory.
constexpr std::size_t kGroupFloats = std::size_t{192} * 1024;
constexpr std::size_t kFewestPanels = 4;
// Rows of one part of the work, at most.
constexpr std::size_t kPartRows = 4 * kBlockRows;
// Parts per thread; several, so that a thread that starts late still gets work.
constexpr std::size_t kSharedPartsAThread = 4;
// With fewer multiply-adds, several threads cost more time than they save.
constexpr std::size_t kProductWorthSharing = 1'000'000;

std::size_t rounded_up(std::size_t count, std::size_t to) { return (count + to - 1) / to * to; }

}  // namespace

void share_product(const ProductSize& size, const std::function<void(const ProductBlock&)>& work) {
  if (size.rows == 0 || size.panels == 0) return;
  const std::size_t block = size.depth > kDeep ? kDeepBlockRows : kBlockRows;
  const std::size_t panel_floats = std::max<std::size_t>(size.depth, 1) * kPanelColumns;
  const std::size_t group = std::max(kGroupFloats / panel_floats, kFewestPanels);
  const bool alone =
      sharing_threads() <= 1 || size.rows * size.panels * panel_floats < kProductWorthSharing;
  const std::size_t wanted = alone ? 1 : kSharedPartsAThread * sharing_threads();
  const std::size_t part_rows =
      alone ? size.rows : std::min(rounded_up(size.rows / wanted + 1, block), kPartRows);
  const std::size_t row_parts = (size.rows + part_rows - 1) / part_rows;
  const std::size_t column_parts = std::clamp<std::size_t>(wanted / row_parts, 1, size.panels);
  share_work(row_parts * column_parts, [&](std::size_t part) {
    const std::size_t column_part = part % column_parts;
    const std::size_t last_panel = size.panels * (column_part + 1) / column_parts;
    const std::size_t first_row = part / column_parts * part_rows;
    const std::size_t last_row = std::min(first_row + part_rows, size.rows);
    for (std::size_t panel = size.panels * column_part / column_parts; panel < last_panel;
         panel += group) {
      const std::size_t panels = std::min(group, last_panel - panel);
      for (std::size_t row = first_row; row < last_row; row += block) {
        work({row, std::min(block, last_row - row), panel, panels});
      }
    }
  });
}

Panels share_packing_columns(ConstMatrix columns, Buffer& memory) {
  float* const packed = memory.shape(1, Panels::floats(columns.rows, columns.cols)).data;
  share_panels(Panels::count(columns.cols), [&](std::size_t panel, std::size_t count) {
    const std::size_t first = panel * kPanelColumns;
    const std::size_t own = std::min(count * kPanelColumns, columns.cols - first);
    pack_columns(columns.column_range(first, own), packed + first * columns.rows);
  });
  return {packed, columns.rows, columns.cols};
}

void share_panels(std::size_t panels, const std::function<void(std::size_t, std::size_t)>& work) {
  share_work((panels + kFewestPanels - 1) / kFewestPanels, [&](std::size_t part) {
    const std::size_t first = part * kFewestPanels;
    work(first, std::min(kFewestPanels, panels - first));
  });
}

}  // namespace headlight
