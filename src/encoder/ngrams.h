// N-grams of a text (NgramDescription): with its tokens, what its vector is the mean of, or what is
// added to its logits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/matrix.h"
#include "math/table.h"
#include "model/description.h"

namespace headlight {

class Batch;
struct Pass;

/// n words of a text one after another.
struct Ngram {
  std::size_t bucket;  // the row of its vector
  std::size_t first;   // index of its first word
  std::size_t size;    // n
};

/// The parts of a text that count, in the order in which they are added.
struct TextParts {
  std::vector<std::size_t> tokens;  // indices
  std::vector<Ngram> ngrams;        // by size, then by place

  // The tokens that n-grams are made of, for each its index, its id and the run in which it stands.
  std::vector<std::size_t> words;
  std::vector<TokenId> word_ids;
  std::vector<std::size_t> runs;

  std::size_t count() const { return tokens.size() + ngrams.size(); }
};

/// The parts of the text `ids`, a pair included. No n-gram has a special token or tokens of
/// different types: it would be of both texts. Replaces `parts`, and reuses its memory.
void find_parts(const NgramDescription& ngrams, std::span<const TokenId> ids,
                std::span<const TokenId> type_ids, TextParts& parts);

/// Those of a text of a batch.
void find_parts(const NgramDescription& ngrams, const Batch& batch, std::size_t text,
                TextParts& parts);

/// The factor of the sum that Description::label_ngrams adds for a text with these parts.
double label_ngram_share(const TextParts& parts);

/// Adds to logits [t, c] what Description::label_ngrams says, with `table` [B, c]; sums in float64.
void add_label_ngrams(const NgramDescription& ngrams, const Table& table, const Pass& pass,
                      Matrix logits);

/// x [n, d] → out [t, d]: the mean of the rows of x and of `table` [B, d] that belong to the parts
/// of each text, summed in float64; 0 for a text without any.
void pool_ngrams(const NgramDescription& ngrams, const Table& table, const Pass& pass,
                 ConstMatrix x, Matrix out);

}  // namespace headlight
