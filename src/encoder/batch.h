// The input of the encoder: the tokens of several texts one after another. There is no padding; a
// text's result never depends on its neighbours.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// The first row of each text in a ragged [n, …] matrix; the last entry is n. Rows of one text
/// never depend on rows of another.
using RowStarts = std::span<const std::size_t>;

/// t texts with n tokens in total.
class Batch {
 public:
  /// Every id must be below the model's vocab_size, every type id below its type_vocab_size if
  /// that is more than one. A text has 1 to max_positions tokens.
  void add(std::span<const TokenId> ids, std::span<const TokenId> type_ids) {
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    type_ids_.insert(type_ids_.end(), type_ids.begin(), type_ids.end());
    starts_.push_back(ids_.size());
  }
  /// The same for `first` and all of the ids but the last, of type 0.
  void add_shifted(std::span<const TokenId> ids, TokenId first) {
    ids_.push_back(first);
    ids_.insert(ids_.end(), ids.begin(), ids.end() - 1);
    type_ids_.resize(ids_.size(), 0);
    starts_.push_back(ids_.size());
  }
  /// Removes all texts; keeps the memory.
  void clear() {
    ids_.clear();
    type_ids_.clear();
    starts_.resize(1);
    first_position_ = 0;
  }
  /// The batch continues a single text, of which earlier passes read this number of tokens.
  void continue_at(std::size_t position) { first_position_ = position; }

  std::size_t texts() const { return starts_.size() - 1; }
  std::size_t tokens() const { return ids_.size(); }
  std::size_t length(std::size_t text) const { return starts_[text + 1] - starts_[text]; }
  std::span<const TokenId> ids() const { return ids_; }  // [n]
  std::span<const TokenId> ids_of(std::size_t text) const {
    return ids().subspan(starts_[text], length(text));
  }
  std::span<const TokenId> type_ids() const { return type_ids_; }  // [n]
  RowStarts starts() const { return starts_; }                     // [t + 1]
  /// 0 unless continue_at() was called.
  std::size_t first_position() const { return first_position_; }

 private:
  std::vector<TokenId> ids_;
  std::vector<TokenId> type_ids_;
  std::vector<std::size_t> starts_{0};
  std::size_t first_position_ = 0;
};

/// Some rows of the tokens of a batch.
struct BatchRows {
  const Batch& batch;
  std::span<const std::size_t> rows;  // one for each text; empty: all tokens
};

}  // namespace headlight
