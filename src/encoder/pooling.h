// From encoded tokens to one vector per text.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "encoder/batch.h"
#include "encoder/pass.h"
#include "math/matrix.h"
#include "model/description.h"

namespace headlight {

/// The index of the row if the pooling reads only one row of the text `ids`; then the others need
/// not be computed.
std::optional<std::size_t> pooled_row(const Description& model, std::span<const TokenId> ids);

/// x [n, d] → out [d]: the mean of the rows, and the largest number of each column.
void mean_of_rows(ConstMatrix x, std::span<float> out);
void max_of_rows(ConstMatrix x, std::span<float> out);
/// Divides each row by its norm.
void normalize_rows(Matrix vectors);

/// x [n, d] → out [t, d]: the first row, the last, the mean or the maximum of each text; with
/// Description::ngrams, the mean over its tokens and n-grams, 0 if it has neither.
void pool(const Description& model, const Weights& weights, const Pass& pass, ConstMatrix x,
          Matrix out);

/// Pools one text whose rows are added over time, with the same bits as pool(). Not for label
/// attention or each token.
class RunningPool {
 public:
  explicit RunningPool(const Description& model)
      : pooling_(model.pooling), last_skips_(model.last_skips) {}

  /// x [m, d]: the rows of the next m tokens.
  void append(std::span<const TokenId> ids, ConstMatrix x);
  /// Removes all rows except the first `count`.
  void shorten(std::size_t count);
  /// Writes out [d]. At least one row must have been added.
  void read(std::span<float> out) const;

 private:
  Pooling pooling_;
  std::optional<TokenId> last_skips_;
  std::size_t rows_ = 0;
  std::size_t width_ = 0;
  /// [n, d]: after each row, the first row, sum, maximum or last row so far.
  std::vector<double> states_;
};

}  // namespace headlight
