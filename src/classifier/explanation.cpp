#include "classifier/explanation.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "base/error.h"
#include "base/utf8.h"
#include "classifier/word_subsets.h"
#include "text/blank_words.h"

namespace headlight {
namespace {

/// Number of texts that are made and scored together, because all pairs of a long text do not fit
/// in memory.
constexpr std::size_t kTextsAtOnce = 64;

/// Indices of the words left out, at most two.
using LeftOut = std::vector<std::size_t>;

void add_words(std::vector<ExplainedWord>& words, std::string_view text, Sequence sequence) {
  const std::u32string characters = to_code_points(text);
  for (const Offset& offset : words_between_blanks(characters)) {
    const std::size_t count = offset.end - offset.begin;
    words.push_back({to_utf8({&characters[offset.begin], count}), offset, sequence, {}});
  }
}

/// A copy of `like` with all words except those left out, joined by one blank.
TextInput joined(const std::vector<ExplainedWord>& words, const TextInput& like,
                 const LeftOut& left_out) {
  KeptWords kept(words.size(), true);
  for (const std::size_t word : left_out) kept[word] = false;
  return text_with(words, like, kept);
}

/// What each text leaves out; the first text leaves out nothing.
std::vector<LeftOut> all_left_out(std::size_t words, ExplanationOrder order) {
  std::vector<LeftOut> all = {{}};
  all.reserve(texts_to_score(words, order));
  for (std::size_t i = 0; i < words; ++i) all.push_back({i});
  if (order == ExplanationOrder::words) return all;
  for (std::size_t i = 0; i < words; ++i) {
    for (std::size_t j = i + 1; j < words; ++j) all.push_back({i, j});
  }
  return all;
}

std::vector<float> difference(std::span<const float> from, std::span<const float> less) {
  std::vector<float> result(from.begin(), from.end());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= less[i];
  return result;
}

std::vector<float> interaction(const std::vector<float>& both, const std::vector<float>& first,
                               const std::vector<float>& second) {
  std::vector<float> result(both.size());
  for (std::size_t i = 0; i < both.size(); ++i) {
    const double alone = static_cast<double>(first[i]) + static_cast<double>(second[i]);
    result[i] = static_cast<float>(static_cast<double>(both[i]) - alone);
  }
  return result;
}

void check(const std::vector<ExplainedWord>& words, const LeftOut& left_out,
           const Prediction& prediction) {
  if (prediction.error.empty()) return;
  if (left_out.empty()) throw TextError(prediction.error);
  std::string names;
  for (const std::size_t word : left_out) {
    names += (names.empty() ? "\"" : " and \"") + shortened(words[word].text) + '"';
  }
  throw TextError("without " + names + " the text " + prediction.error);
}

/// Must be called in the order of all_left_out().
void take(Explanation& explanation, const LeftOut& left_out, Prediction prediction) {
  if (left_out.empty()) {
    explanation.prediction = std::move(prediction);
    return;
  }
  auto effect = difference(explanation.prediction.logits, prediction.logits);
  ExplainedWord& first = explanation.words[left_out.front()];
  if (left_out.size() == 1) {
    first.effect = std::move(effect);
    return;
  }
  const ExplainedWord& second = explanation.words[left_out.back()];
  auto beyond = interaction(effect, first.effect, second.effect);
  explanation.pairs.push_back(
      {left_out.front(), left_out.back(), std::move(effect), std::move(beyond)});
}

}  // namespace

const char* name_of(ExplanationMethod method) {
  return std::ranges::find(kExplanationMethods, method, &MethodName::method)->name;
}

bool is_by_gradients(ExplanationMethod method) {
  return method == ExplanationMethod::gradient || method == ExplanationMethod::integrated_gradients;
}

std::vector<ExplainedWord> split_words(const TextInput& input) {
  std::vector<ExplainedWord> words;
  add_words(words, input.text, Sequence::first);
  if (input.pair) add_words(words, *input.pair, Sequence::second);
  return words;
}

TextInput join_words(const std::vector<ExplainedWord>& words, const TextInput& like) {
  return joined(words, like, {});
}

std::size_t texts_to_score(std::size_t words, ExplanationOrder order) {
  const std::size_t pairs = words * (words - std::min<std::size_t>(words, 1)) / 2;
  return 1 + words + (order == ExplanationOrder::pairs ? pairs : 0);
}

std::optional<Explanation> explain(const TextClassifier& classifier, const TextInput& input,
                                   ExplanationOrder order, const ExplanationWatch& watch) {
  Explanation explanation;
  explanation.order = order;
  explanation.words = split_words(input);
  explanation.input = join_words(explanation.words, input);
  const std::vector<LeftOut> all = all_left_out(explanation.words.size(), order);
  ScoringScratch scratch;
  for (std::size_t begin = 0; begin < all.size(); begin += kTextsAtOnce) {
    const auto some = std::span(all).subspan(begin, std::min(kTextsAtOnce, all.size() - begin));
    std::vector<TextInput> texts;
    for (const LeftOut& left_out : some) {
      texts.push_back(joined(explanation.words, input, left_out));
    }
    auto predictions = classifier.classify(texts, scratch, watch.stopped);
    if (predictions.size() < texts.size()) return std::nullopt;
    for (std::size_t i = 0; i < some.size(); ++i) {
      check(explanation.words, some[i], predictions[i]);
      take(explanation, some[i], std::move(predictions[i]));
    }
    if (watch.scored) watch.scored(begin + some.size());
  }
  return explanation;
}

}  // namespace headlight
