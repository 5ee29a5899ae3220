// Which words made the verdict: a text is scored again without each of its words, which is exact
// for whatever model (Li et al. 2016, "Understanding Neural Networks through Representation
// Erasure").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "classifier/text_classifier.h"
#include "text/encoding.h"

namespace headlight {

/// What white space separates.
struct ExplainedWord {
  std::string text;
  Offset offset;  // code points of its text as it was given
  Sequence sequence = Sequence::first;
  /// [c] logits of all words less those without this one: positive where it speaks for the label.
  std::vector<float> effect;
};

/// Two words that are left out together.
struct WordPair {
  std::size_t first = 0;  // number of a word
  std::size_t second = 0;
  std::vector<float> effect;  // [c] logits of all words less those without the two
  /// [c] effect less the effects of each alone: 0 where neither word minds the other. Against the
  /// sign of these the two work only together ("not bad"); with it one can stand for the other.
  std::vector<float> interaction;
};

/// What is left out: each word, or each pair of words as well.
enum class ExplanationOrder : std::uint8_t { words, pairs };

struct Explanation {
  ExplanationOrder order = ExplanationOrder::words;
  TextInput input;        // the words, joined by one blank
  Prediction prediction;  // of that
  std::vector<ExplainedWord> words;
  std::vector<WordPair> pairs;  // first < second, in order
};

/// The words of a text, then those of its pair, without effects. Throws TextError for bad UTF-8.
std::vector<ExplainedWord> split_words(const TextInput& input);

/// How many texts explain() scores for so many words.
std::size_t texts_to_score(std::size_t words, ExplanationOrder order);

/// Nothing where `stopped` said so. Throws TextError where the text, or what is left of it without
/// a word or a pair of words, cannot be scored. Threads that have nothing to do help.
std::optional<Explanation> explain(const TextClassifier& classifier, const TextInput& input,
                                   ExplanationOrder order, const StopCheck& stopped);

}  // namespace headlight
