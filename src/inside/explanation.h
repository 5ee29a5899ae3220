// The effect of each word on a prediction. By occlusion: the text is scored again without the word,
// which is exact for any model (Li et al. 2016, "Understanding Neural Networks through
// Representation Erasure"). shapley.h looks at all sets of words, gradient_explanation.h uses
// gradients.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "classifier/text_classifier.h"
#include "text/encoding.h"

namespace headlight {

/// How the effects of words are computed.
enum class ExplanationMethod : std::uint8_t {
  occlusion,
  shapley,
  gradient,
  integrated_gradients,
  lrp,
  exact
};
/// The names of all methods on the command line and in JSON.
inline constexpr std::array<Word<ExplanationMethod>, 6> kExplanationMethods = {{
    {"occlusion", ExplanationMethod::occlusion},
    {"shapley", ExplanationMethod::shapley},
    {"gradient", ExplanationMethod::gradient},
    {"integrated-gradients", ExplanationMethod::integrated_gradients},
    {"lrp", ExplanationMethod::lrp},
    {"exact", ExplanationMethod::exact},
}};
const char* name_of(ExplanationMethod method);

/// A word: text between white space, and inside of it what TextReach::cuts separate.
struct ExplainedWord {
  std::string text;
  Offset offset;  // in code points of the text as given
  Sequence sequence = Sequence::first;
  /// [c] positive if the word supports the label. By occlusion: logits of all words minus logits
  /// without this word.
  std::vector<float> effect = {};
  std::vector<float> standard_error = {};  // [c] of a sampled effect
  bool follows_blank = true;  // or begins the text; else it is joined to the word before it
};

/// The effect of leaving out two words together.
struct WordPair {
  std::size_t first = 0;  // index of a word
  std::size_t second = 0;
  std::vector<float> effect;  // [c] logits of all words minus logits without the two
  /// [c] effect minus the effects of each word alone; 0 if the words do not interact. If the sign
  /// is opposite to these effects, the words work only together ("not bad"); if it is the same, one
  /// word can replace the other.
  std::vector<float> interaction;
};

/// What is left out: each word, or also each pair of words.
enum class ExplanationOrder : std::uint8_t { words, pairs };

/// How close the effects of all words come to the change of the logits that they explain
/// (ExplanationMethod::integrated_gradients).
struct Completeness {
  double gap = 0.0;     // the largest |sum of effects - change| of a label
  double change = 0.0;  // the largest |change| of a label, from the baseline to the text
  std::size_t steps = 0;

  /// Whether the gap is at most 1 % of the change.
  bool is_small() const { return gap <= 0.01 * change; }
};

/// How Shapley values were found.
struct Sampling {
  bool exact = false;      // from all sets of words
  std::size_t orders = 0;  // sampled orders of the words; 0 if exact
};

/// What faithfulness.h measures: means over the first 10, 20, 30, 40 and 50 % of the words, rounded
/// up. The score is the probability of the predicted label; its logit without probabilities; a
/// regression's value.
struct Faithfulness {
  double comprehensiveness = 0.0;  // score of the text less that without these words
  double sufficiency = 0.0;        // score of the text less that of these words alone
  /// 0: as the worst order found, 1: as the best; empty if all orders are equal. A high
  /// comprehensiveness and a low sufficiency are good.
  std::optional<double> normalized_comprehensiveness;
  std::optional<double> normalized_sufficiency;
};

/// A method, or "random", and how faithful its order of the words is.
struct JudgedMethod {
  std::string name;
  Faithfulness faithfulness;
};

/// The numbers of some words, in order.
using WordNumbers = std::vector<std::size_t>;

/// The smallest set of words without which the verdict is another one (flip.h).
struct Flip {
  WordNumbers words;        // in order; empty: no such set was found
  TextInput input;          // the text without them
  Prediction prediction;    // for `input`
  std::size_t tried = 0;    // all sets of up to this number of words were scored
  bool exhaustive = false;  // no smaller set does it; without `words`, no set at all
};

struct Explanation {
  ExplanationMethod method = ExplanationMethod::occlusion;
  ExplanationOrder order = ExplanationOrder::words;
  TextInput input;        // the words, joined by one blank where there was white space
  Prediction prediction;  // for `input`
  std::vector<ExplainedWord> words;
  WordNumbers read;                  // words before the text is cut; the effects of others are 0
  std::vector<WordPair> pairs;       // first < second, in order
  std::optional<Sampling> sampling;  // only of ExplanationMethod::shapley
  std::optional<Completeness> completeness;  // only of integrated_gradients
  std::optional<Flip> flip;                  // if it was asked for
  /// [c] only of lrp and exact: the logit less the effects of all words. It is what biases and
  /// special tokens have.
  std::vector<float> bias_share;
  bool is_of_rows = false;  // bias_share is what the end of the text and no word adds
  /// If set, all effects have one more number at their end, see explain_towards().
  std::optional<std::size_t> towards;
  /// Of this method first, then of the others; empty: not measured.
  std::vector<JudgedMethod> faithfulness;
};

/// "Why not this label": adds to each [c] of effects the effect on the difference of two logits,
/// that of the predicted label less that of `label`. All methods are linear in the logits, so this
/// is the difference of two effects. A sampled one has no standard error. Does nothing if `label`
/// is the predicted one.
void explain_towards(std::size_t label, Explanation& explanation);

/// What white space separates in a text, then in its pair, without effects. Throws TextError for
/// invalid UTF-8.
std::vector<ExplainedWord> split_words(const TextInput& input);

/// These words, joined by one blank where white space was between them; a pair if `like` is one.
TextInput text_of(const std::vector<ExplainedWord>& words, const TextInput& like,
                  const WordNumbers& numbers);

/// The words of a text, and which are read.
struct WordsRead {
  std::vector<ExplainedWord> words;
  TextInput joined;    // all words
  WordNumbers read;    // the words that are read
  WordNumbers enough;  // with those that may be read where others are left out
};
/// Throws TextError if the text cannot be read.
WordsRead read_words(const TextClassifier& classifier, const TextInput& input);

/// The ranges of the words in the joined texts, in code points.
std::vector<Offset> joined_offsets(const std::vector<ExplainedWord>& words);

/// The number of texts that explain_by_occlusion() scores for this number of words that are read.
std::size_t occlusion_texts(std::size_t words, ExplanationOrder order);

/// What a method tells its caller on the way.
struct ExplanationWatch {
  StopCheck stopped;                              // if it returns true, the method ends early
  std::function<void(std::size_t texts)> scored;  // the number of texts scored so far; may be empty
};

/// The most numbers, pairs of words times labels, that explain_by_occlusion() finds for a text.
inline constexpr std::size_t kMostPairEffects = 8'000'000;

/// Only words that are read are left out, alone or in pairs. Empty if it was stopped. Throws
/// TextError if the text, or the text without a word or a pair of words, cannot be scored, or if
/// its pairs are too many. Idle threads help.
std::optional<Explanation> explain_by_occlusion(const TextClassifier& classifier,
                                                const TextInput& input, ExplanationOrder order,
                                                const ExplanationWatch& watch);

/// Of a classifier that adds words. Empty if it was stopped. Throws TextError if the text cannot be
/// scored.
std::optional<Explanation> explain_by_sums(const TextClassifier& classifier, const TextInput& input,
                                           const StopCheck& stopped);
/// [c] the logits less the effects of all words.
std::vector<float> rest_of_words(const Explanation& explanation);

}  // namespace headlight
