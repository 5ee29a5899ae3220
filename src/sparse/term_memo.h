// Remembers the rows of short terms, and of all n-grams of a word: texts have the same ones again
// and again, and one look here is faster than searches in a large dictionary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight {

/// Of one thread and one model.
class TermMemo {
 public:
  /// The row of a term with kTermPadding readable bytes behind it, as `find` gives it. `part` is
  /// the number of the dictionary.
  template <typename Find>
  std::optional<std::uint32_t> row(std::string_view term, std::size_t part, const Find& find) {
    if (term.size() >= kLongest || part >= kMostParts) return find();
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::memcpy(&low, term.data(), sizeof(low));
    std::memcpy(&high, term.data() + sizeof(low), sizeof(high));
    low &= mask(term.size());
    high &= mask(term.size() < 8 ? 0 : term.size() - 8);
    high |= std::uint64_t{part * kLongest + term.size()} << 56U;
    if (places_.empty()) places_.resize(kPlaces);
    const std::uint64_t mixed = (low ^ high * kFactor) * kFactor;
    Place& place = places_[mixed >> (64U - kBits)];
    if (place.low != low || place.high != high) place = {low, high, find()};
    return place.row;
  }

 private:
  struct Place {
    std::uint64_t low = 0;
    std::uint64_t high = UINT64_MAX;  // no term: there are not so many parts
    std::optional<std::uint32_t> row;
  };
  static constexpr std::size_t kLongest = 16;
  static constexpr std::size_t kMostParts = 15;
  static constexpr unsigned kBits = 15;
  static constexpr std::size_t kPlaces = std::size_t{1} << kBits;
  static constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;  // 2^64 / golden ratio

  /// The low `bytes` bytes.
  static constexpr std::uint64_t mask(std::size_t bytes) {
    return bytes >= 8 ? UINT64_MAX : (std::uint64_t{1} << (8 * bytes)) - 1;
  }

  std::vector<Place> places_;
};

/// Of one thread and one model.
class WordMemo {
 public:
  static constexpr std::uint32_t kNoRow = UINT32_MAX;

  /// What `fill` adds to a list for this word. It is valid until the next call.
  template <typename Fill>
  std::span<const std::uint32_t> rows(std::string_view word, std::size_t part, const Fill& fill) {
    if (word.size() > kLongest) {
      long_.clear();
      fill(long_);
      return long_;
    }
    if (places_.size() <= part) places_.resize(part + 1);
    if (const auto found = places_[part].find(word); found != places_[part].end()) {
      return std::span(rows_).subspan(found->second.begin, found->second.count);
    }
    if (rows_.size() > kMostRows) {
      for (auto& each : places_) each.clear();
      rows_.clear();
    }
    const std::size_t begin = rows_.size();
    fill(rows_);
    places_[part].emplace(word, Place{begin, rows_.size() - begin});
    return std::span(rows_).subspan(begin);
  }

 private:
  struct Place {
    std::size_t begin;
    std::size_t count;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  static constexpr std::size_t kLongest = 64;
  static constexpr std::size_t kMostRows = std::size_t{1} << 20U;

  std::vector<std::unordered_map<std::string, Place, Hash, std::equal_to<>>> places_;  // by part
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> long_;
};

}  // namespace headlight
