// Overlapping windows over a text that is too long to be read at once.
#pragma once

#include <cstddef>
#include <optional>

#include "text/encoding.h"
#include "text/pipeline/truncation.h"

namespace headlight {

/// Which text of a pair the windows cover (a single text is the first), and how many of its tokens
/// a window contains.
struct WindowSize {
  Sequence moving;
  std::size_t room;
};

/// Windows cover the text that truncate() would cut. Each window contains the whole other text.
/// Returns nullopt if `lengths` fit into `budget`. Throws TextError if both texts would be cut, or
/// if a window has no room.
std::optional<WindowSize> window_size(Truncation how, PairLengths lengths, std::size_t budget);

/// The number of tokens that two windows share: `stride`, or a quarter of `room`. Throws TextError
/// if `stride` is not below `room`.
std::size_t shared_tokens(std::optional<std::size_t> stride, std::size_t room);

/// Half-open.
struct TokenRange {
  std::size_t first;
  std::size_t last;
};

/// All n tokens of a text or a pair, and their windows. A window contains the inserted tokens, the
/// other text, and `room` tokens of the covered text, `step` further than in the previous window.
/// The last window ends with the text and may be shorter. If truncation would cut the beginning of
/// a text, windows are placed from the end and the first is the short one. The windows are the
/// overflowing tokens of the reference, in the order of the text.
struct TokenWindows {
  TokenIds whole;
  std::size_t begin = 0;  // range of the covered text in `whole`
  std::size_t end = 0;
  std::size_t room = 0;
  std::size_t step = 0;  // 0: a single window
  bool from_end = false;

  /// At least 1.
  std::size_t count() const;
  TokenIds window(std::size_t number) const;
  /// The tokens of the covered text in a window, as a range of `whole`.
  TokenRange range(std::size_t number) const;
};

}  // namespace headlight
