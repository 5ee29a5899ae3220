// Word pieces by merges of the most frequent pairs (vocabulary_learning.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headlight {

struct CountedWord {
  std::u32string word;
  std::size_t count;
};

/// At most `most` pieces: characters, first as beginnings of words and then with the prefix ##, in
/// code point order, then merged pieces in the order of the merges. A merged pair occurs at least
/// twice. The most frequent characters have at most half of the pieces, and at most 1000 of each
/// kind; words with other characters are ignored.
std::vector<std::string> learn_pieces(const std::vector<CountedWord>& words, std::size_t most);

}  // namespace headlight
