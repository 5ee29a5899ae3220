// A text of more tokens than are read at once, as overlapping windows over it.
#pragma once

#include <cstddef>
#include <optional>

#include "text/encoding.h"
#include "text/pipeline/truncation.h"

namespace headlight {

/// Which text of a pair moves through the windows (a text alone is the first), and how many of its
/// tokens a window holds.
struct WindowSize {
  Sequence moving;
  std::size_t room;
};

/// Windows move over the text that truncate() would cut; the other one has to stand whole in each,
/// so there are none where both would be cut. Nothing where `lengths` fit into `budget`. Throws
/// TextError.
std::optional<WindowSize> window_size(Truncation how, PairLengths lengths, std::size_t budget);

/// The tokens that two windows share: `stride`, which must be below `room`, or a quarter of `room`.
/// Throws TextError.
std::size_t shared_tokens(std::optional<std::size_t> stride, std::size_t room);

/// All n tokens of a text or a pair, and the windows that they are read through. A window has what
/// is put in and what does not move, and of the moving text the next `room` tokens, `step` further
/// than the window before. The last one ends with the text and may be shorter; where the beginning
/// of a long text is what one would cut, the windows are laid from the end and the first is the
/// short one. They are the reference's overflowing tokens, in the order of the text.
struct TokenWindows {
  TokenIds whole;
  std::size_t begin = 0;  // where in `whole` the moving text stands
  std::size_t end = 0;
  std::size_t room = 0;
  std::size_t step = 0;  // 0: one window has it all
  bool from_end = false;

  /// At least 1.
  std::size_t count() const;
  TokenIds window(std::size_t number) const;
};

}  // namespace headlight
