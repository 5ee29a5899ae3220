#include "text/windows.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"

namespace headlight {
namespace {

/// `tokens` with only `first` to `last` of those between `begin` and `end`.
std::vector<TokenId> part_of(const std::vector<TokenId>& tokens, const TokenWindows& windows,
                             std::size_t first, std::size_t last) {
  const auto at = [&](std::size_t index) {
    return tokens.begin() + static_cast<std::ptrdiff_t>(index);
  };
  std::vector<TokenId> part(tokens.begin(), at(windows.begin));
  part.insert(part.end(), at(first), at(last));
  part.insert(part.end(), at(windows.end), tokens.end());
  return part;
}

}  // namespace

std::optional<WindowSize> window_size(Truncation how, PairLengths lengths, std::size_t budget) {
  const PairLengths kept = truncate(how, lengths, budget);
  if (kept == lengths) return std::nullopt;
  const bool cuts_first = kept.first < lengths.first;
  if (cuts_first && kept.second < lengths.second) {
    throw TextError(
        "has " + std::to_string(std::min(lengths.first, lengths.second)) +
        " tokens in the shorter text of the pair, which each window contains completely; "
        "the limit is half of the " +
        std::to_string(budget) + " tokens of a window without the special tokens");
  }
  const std::size_t room = cuts_first ? kept.first : kept.second;
  if (room == 0) {
    throw TextError("has " + std::to_string(lengths.first + lengths.second) +
                    " tokens, but a window has only room for the special tokens");
  }
  return WindowSize{cuts_first ? Sequence::first : Sequence::second, room};
}

std::size_t shared_tokens(std::optional<std::size_t> stride, std::size_t room) {
  constexpr std::size_t kQuarter = 4;
  if (stride.value_or(0) >= room) {
    throw TextError("windows hold " + std::to_string(room) + " of its tokens, so a stride of " +
                    std::to_string(*stride) + " leaves no new tokens for the next window");
  }
  return stride.value_or(room / kQuarter);
}

std::size_t TokenWindows::count() const {
  const std::size_t length = end - begin;
  if (step == 0 || length <= room) return 1;
  return 1 + (length - room + step - 1) / step;
}

TokenIds TokenWindows::window(std::size_t number) const {
  if (count() == 1) return whole;
  const auto [first, last] = range(number);
  return {part_of(whole.ids, *this, first, last), part_of(whole.type_ids, *this, first, last), 0};
}

TokenRange TokenWindows::range(std::size_t number) const {
  const std::size_t windows = count();
  if (windows == 1) return {begin, end};
  const std::size_t length = end - begin;
  const std::size_t skipped = (from_end ? windows - 1 - number : number) * step;
  const std::size_t held = std::min(room, length - skipped);
  const std::size_t first = from_end ? end - skipped - held : begin + skipped;
  return {first, first + held};
}

}  // namespace headlight
