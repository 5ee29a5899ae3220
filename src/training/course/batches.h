// The batches of an epoch: every row once, in an order that depends only on the seed and the epoch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headlight {

/// Row numbers, batch after batch.
class EpochBatches {
 public:
  /// `lengths` are the rows' numbers of tokens. A batch has as many rows as fit into `tokens`, at
  /// least one. Batches have no padding, so rows of any length share a batch. With `labels` of the
  /// rows, up to four rows of a label stand together.
  EpochBatches(std::span<const std::size_t> lengths, std::size_t tokens, std::uint64_t seed,
               std::uint64_t epoch, std::span<const std::uint32_t> labels = {});
  /// The rows in this order, so many in a batch.
  EpochBatches(std::vector<std::uint32_t> order, std::size_t batch_rows);

  std::size_t size() const { return starts_.size() - 1; }
  std::span<const std::uint32_t> rows(std::size_t batch) const {
    return std::span(order_).subspan(starts_[batch], starts_[batch + 1] - starts_[batch]);
  }
  /// The number of rows in the first `batches` batches.
  std::size_t rows_before(std::size_t batches) const { return starts_[batches]; }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> starts_{0};  // of each batch in order_; the last is the number of rows
};

/// How many tokens a batch has unless the user says: about a two-hundredth of all, but at least
/// 256 and at most 4096. Few rows then still give many steps.
std::size_t usual_batch_tokens(std::span<const std::size_t> lengths);

}  // namespace headlight
