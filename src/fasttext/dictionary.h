// The words and labels of a model of fastText, and the rows of its table that they and their
// n-grams have (fastText 0.9.2, dictionary.cc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "fasttext/arguments.h"
#include "fasttext/file_bytes.h"
#include "text/character_ngrams.h"

namespace headlight {

class FasttextDictionary {
 public:
  /// The bytes must outlive it. Throws Error if they are no dictionary.
  FasttextDictionary(FileBytes& bytes, const FasttextArguments& arguments);

  std::size_t words() const { return words_; }
  std::size_t labels() const { return names_.size() - words_; }
  std::int64_t tokens() const { return tokens_; }  // of the training file
  std::string_view word(std::size_t number) const { return names_[number]; }
  std::string_view label(std::size_t number) const { return names_[words_ + number]; }
  /// [c] how often each label was in the training file.
  const std::vector<std::int64_t>& label_counts() const { return label_counts_; }

  /// The number of a word, or words() more than that of a label; empty: unknown.
  std::optional<std::uint32_t> find(std::string_view word, std::uint32_t hash) const;

  /// Whether only some n-grams have a row.
  bool is_pruned() const { return pruned_.has_value(); }
  std::size_t kept_buckets() const { return pruned_.value_or(0); }
  /// The row of the n-grams in a bucket, below words() + (is_pruned() ? rows of them : bucket);
  /// empty: none.
  std::optional<std::uint32_t> row_of_bucket(std::uint32_t bucket) const {
    if (!pruned_) return static_cast<std::uint32_t>(words_ + bucket);
    const std::uint32_t row = may_keep(bucket) ? kept_row(bucket) : kNoRow;
    return row == kNoRow ? std::nullopt : std::optional(row);
  }
  /// If it is pruned: false if the n-grams in a bucket have no row. Most have none.
  bool may_keep(std::uint32_t bucket) const {
    const std::size_t bit = bucket & filter_mask_;
    return (filter_[bit / 64] >> bit % 64 & 1) != 0;
  }
  static constexpr std::uint32_t kNoRow = UINT32_MAX;
  /// If it is pruned: as row_of_bucket(), or kNoRow.
  std::uint32_t kept_row(std::uint32_t bucket) const {
    const KeptBucket* kept = &kept_[mixed_bits(bucket) & (kept_.size() - 1)];
    while (kept->bucket != bucket && kept->row != kNoRow) {
      kept = kept == &kept_.back() ? kept_.data() : kept + 1;
    }
    return kept->row;
  }
  void prefetch_kept(std::uint32_t bucket) const {
    __builtin_prefetch(&kept_[mixed_bits(bucket) & (kept_.size() - 1)]);
  }
  /// One more than the highest row that anything has.
  std::uint64_t rows() const { return rows_; }

 private:
  void read_names(FileBytes& bytes, std::uint32_t count);
  void read_kept(FileBytes& bytes, std::int64_t count, std::uint32_t buckets);

  struct NamePlace {
    std::uint32_t hash = 0;
    std::uint32_t next = 0;  // the number of names_ + 1; 0: an empty place
  };
  struct KeptBucket {
    std::uint32_t bucket = 0;
    std::uint32_t row = UINT32_MAX;  // as given by row_of_bucket(); UINT32_MAX: an empty place
  };

  std::size_t words_ = 0;
  std::int64_t tokens_ = 0;
  std::uint64_t rows_ = 0;
  std::vector<std::string_view> names_;     // words, then labels
  std::vector<NamePlace> places_;           // open addressing
  std::vector<std::int64_t> label_counts_;  // [c]
  std::optional<std::size_t> pruned_;       // the number of kept buckets
  std::vector<KeptBucket> kept_;            // open addressing
  std::vector<std::uint64_t> filter_;       // bits of the low bits of kept buckets: most are not
  std::size_t filter_mask_ = 0;
};

}  // namespace headlight
