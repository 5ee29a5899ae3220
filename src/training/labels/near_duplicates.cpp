#include "training/labels/near_duplicates.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/parallel.h"
#include "math/products.h"

namespace headlight {
namespace {

/// [n, d] Vectors less their mean, of length 1; 0 if they are the mean.
std::vector<float> directions_of(ConstMatrix vectors) {
  std::vector<double> mean(vectors.cols);
  for (std::size_t i = 0; i < vectors.rows; ++i) {
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += static_cast<double>(vectors.row(i)[j]);
  }
  for (double& value : mean) value /= static_cast<double>(vectors.rows);
  std::vector<float> directions;
  std::vector<double> centered(mean.size());
  for (std::size_t i = 0; i < vectors.rows; ++i) {
    double squares = 0.0;
    for (std::size_t j = 0; j < mean.size(); ++j) {
      centered[j] = static_cast<double>(vectors.row(i)[j]) - mean[j];
      squares += centered[j] * centered[j];
    }
    const double factor = squares > 0.0 ? 1.0 / std::sqrt(squares) : 0.0;
    for (const double value : centered) directions.push_back(static_cast<float>(value * factor));
  }
  return directions;
}

using TokenSet = std::vector<TokenId>;  // ascending

bool share_half(const TokenSet& a, const TokenSet& b) {
  TokenSet both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return 2 * both.size() >= a.size() + b.size() - both.size();
}

}  // namespace

std::vector<std::optional<std::size_t>> contradicting_rows(
    ConstMatrix vectors, const std::vector<LabelledRow>& rows,
    const std::function<bool(double done)>& stopped) {
  constexpr float kNear = 0.95F;
  constexpr std::size_t kRows = 16;
  constexpr std::size_t kParts = 32;  // between two calls of stopped()
  const std::size_t n = rows.size();
  std::vector<std::optional<std::size_t>> found(n);
  if (n > kMostComparedRows) return found;
  std::vector<TokenSet> tokens;
  for (const LabelledRow& row : rows) {
    TokenSet& set = tokens.emplace_back(row.tokens.ids);
    for (const TokenIds& window : row.more) {
      set.insert(set.end(), window.ids.begin(), window.ids.end());
    }
    std::ranges::sort(set);
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }
  const std::vector<float> directions = directions_of(vectors);
  const ConstMatrix x(directions.data(), n, vectors.cols);
  std::vector<float> panels(Panels::floats(x.cols, n));
  pack(x, panels.data());
  const auto compare = [&](std::size_t first, std::size_t count) {
    std::vector<float> cosines(count * n);
    multiply(x.row_range(first, count), {panels.data(), x.cols, n}, nullptr,
             {cosines.data(), count, n});
    for (std::size_t i = first; i < first + count; ++i) {
      const float* own = cosines.data() + (i - first) * n;
      for (std::size_t j = 0; j < n; ++j) {
        if (own[j] < kNear || (found[i] && own[j] <= own[*found[i]])) continue;
        if (rows[i].target.labels == rows[j].target.labels) continue;
        const bool is_read = !is_unreadable(rows[i]) && !is_unreadable(rows[j]);
        if (!is_read && rows[i].key != rows[j].key) continue;
        if (share_half(tokens[i], tokens[j])) found[i] = j;
      }
    }
  };
  for (std::size_t begin = 0; begin < n; begin += kRows * kParts) {
    if (stopped(static_cast<double>(begin) / static_cast<double>(n))) break;
    const std::size_t end = std::min(n, begin + kRows * kParts);
    share_work((end - begin + kRows - 1) / kRows, [&](std::size_t part) {
      const std::size_t first = begin + part * kRows;
      compare(first, std::min(kRows, end - first));
    });
  }
  return found;
}

}  // namespace headlight
