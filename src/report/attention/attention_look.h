// How a view of attention is written, beside what it shows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace headlight {

/// A format takes what it has a use for.
struct AttentionLook {
  std::string verdict;             // of the text, for people
  std::size_t columns = 80;        // of the terminal, at least 40
  bool color = false;              // for a terminal
  bool ascii = false;              // JSON without other characters
  bool heads = false;              // those chosen one by one, not an overview of all
  bool lists = false;              // of each query's strongest keys, though a heat map would fit
  bool numbers = false;            // in the cells of a heat map
  bool statistics = false;         // of the heads, in place of their weights
  std::optional<unsigned> digits;  // decimals that numbers are rounded to
};

}  // namespace headlight
