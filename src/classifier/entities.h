// From the scores of tokens to entities, by the rules of the reference's
// TokenClassificationPipeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classifier/prediction.h"

namespace headlight {

/// How tokens become entities. none: each token by itself, with its whole label. simple: adjacent
/// tokens of one name are one entity; a label that begins with B- begins another. The others give
/// all tokens of a word one label first: that of its first token, that with the largest mean score,
/// or that of the token with the largest score.
enum class Aggregation : std::uint8_t { none, simple, first, average, max };

/// Whether tokens are grouped into words first.
inline bool needs_words(Aggregation aggregation) { return aggregation > Aggregation::simple; }

struct ScoredToken {
  std::size_t index = 0;  // among all tokens of the text
  Offset offset;
  bool continues_word = false;    // only read if needs_words()
  std::span<const float> scores;  // [c]
};

/// `tokens` are those of the text, without inserted ones. The entities have no text yet. "O" is no
/// entity. The name of an entity is what follows the first hyphen of its first label. Its
/// probability is the mean over its tokens, or over its words.
std::vector<Entity> find_entities(Aggregation aggregation, const std::vector<std::string>& labels,
                                  std::span<const ScoredToken> tokens);

}  // namespace headlight
