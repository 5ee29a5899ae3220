// Remembers the rows of short terms: texts have the same ones again and again, and one look here
// is faster than the search in a large dictionary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
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

}  // namespace headlight
