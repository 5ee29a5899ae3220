// A dictionary of features in the memory of a file: terms in rising order of their hash, which is
// found without a table of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// MurmurHash3_x86_32 with seed 0 (Austin Appleby, public domain), as in scikit-learn.
std::uint32_t murmur_hash(std::string_view bytes);

class SparseDictionary {
 public:
  SparseDictionary() = default;
  /// hashes [V], ends [V] in `terms`. The memory must outlive it. Throws Error{where, …} if a hash
  /// of those that are checked is not that of its term, if they are not in order, or if a term is
  /// there twice.
  SparseDictionary(std::span<const std::uint32_t> hashes, std::span<const std::uint32_t> ends,
                   std::string_view terms, const std::string& where);

  std::size_t size() const { return hashes_.size(); }
  std::span<const std::uint32_t> hashes() const { return hashes_; }
  std::span<const std::uint32_t> ends() const { return ends_; }
  std::string_view terms() const { return terms_; }
  std::string_view term(std::size_t number) const {
    const std::uint32_t begin = number == 0 ? 0 : ends_[number - 1];
    return terms_.substr(begin, ends_[number] - begin);
  }
  /// The number of a term with this hash.
  std::optional<std::uint32_t> find(std::string_view term, std::uint32_t hash) const {
    std::uint32_t i = starts_[hash >> shift_];
    for (const std::uint32_t end = starts_[(hash >> shift_) + 1]; i < end; ++i) {
      if (hashes_[i] == hash && this->term(i) == term) return i;
    }
    return std::nullopt;
  }

 private:
  std::span<const std::uint32_t> hashes_;
  std::span<const std::uint32_t> ends_;
  std::string_view terms_;
  unsigned shift_ = 31;
  std::vector<std::uint32_t> starts_ = {0, 0, 0};  // of the hashes with the same high bits
};

}  // namespace headlight
