#include "inside/explanation.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <string_view>

#include "base/error.h"
#include "base/utf8.h"
#include "text/blank_words.h"

namespace headlight {
namespace {

/// Number of texts that are made and scored together, because all pairs of a long text do not fit
/// in memory.
constexpr std::size_t kTextsAtOnce = 64;

/// What a text leaves out: nothing, one word, or two.
struct LeftOut {
  std::size_t first = SIZE_MAX;
  std::size_t second = SIZE_MAX;

  bool has(std::size_t word) const { return word == first || word == second; }
};

WordNumbers numbers_of(const std::vector<ExplainedWord>& words) {
  WordNumbers numbers(words.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

/// Cuts words that blanks separate; `reaches` are of the words joined.
std::vector<ExplainedWord> cut_words(std::vector<ExplainedWord> words, const TextReaches& reaches) {
  if (reaches[0].cuts.empty() && reaches[1].cuts.empty()) return words;
  const std::vector<Offset> offsets = joined_offsets(words);
  std::vector<ExplainedWord> parts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::u32string text = to_code_points(words[i].text);
    const auto& cuts = reaches.at(static_cast<std::size_t>(words[i].sequence)).cuts;
    std::size_t begin = 0;  // of a part in the word
    for (auto cut = std::ranges::upper_bound(cuts, offsets[i].begin); begin < text.size(); ++cut) {
      const std::size_t end =
          std::min(text.size(), cut == cuts.end() ? SIZE_MAX : *cut - offsets[i].begin);
      ExplainedWord& part = parts.emplace_back(words[i]);
      part.text = to_utf8(std::u32string_view(text).substr(begin, end - begin));
      part.offset = {words[i].offset.begin + begin, words[i].offset.begin + end};
      part.follows_blank = begin == 0;
      begin = end;
    }
  }
  return parts;
}

void add_words(std::vector<ExplainedWord>& words, std::string_view text, Sequence sequence) {
  const std::u32string characters = to_code_points(text);
  for (const Offset& offset : words_between_blanks(characters)) {
    const std::size_t count = offset.end - offset.begin;
    words.push_back({to_utf8({&characters[offset.begin], count}), offset, sequence});
  }
}

/// What each text leaves out; the first text leaves out nothing.
std::vector<LeftOut> all_left_out(const WordNumbers& words, ExplanationOrder order) {
  std::vector<LeftOut> all = {{}};
  all.reserve(occlusion_texts(words.size(), order));
  for (const std::size_t word : words) all.push_back({word});
  if (order == ExplanationOrder::words) return all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t j = i + 1; j < words.size(); ++j) all.push_back({words[i], words[j]});
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
  if (left_out.first == SIZE_MAX) throw TextError(prediction.error);
  std::string names = '"' + shortened(words[left_out.first].text) + '"';
  if (left_out.second != SIZE_MAX) {
    names += " and \"" + shortened(words[left_out.second].text) + '"';
  }
  throw TextError("without " + names + " the text " + prediction.error);
}

/// Must be called in the order of all_left_out().
void take(Explanation& explanation, const LeftOut& left_out, Prediction prediction) {
  if (left_out.first == SIZE_MAX) {
    for (auto& word : explanation.words) word.effect.assign(prediction.logits.size(), 0.0F);
    explanation.prediction = std::move(prediction);
    return;
  }
  auto effect = difference(explanation.prediction.logits, prediction.logits);
  ExplainedWord& first = explanation.words[left_out.first];
  if (left_out.second == SIZE_MAX) {
    first.effect = std::move(effect);
    return;
  }
  const ExplainedWord& second = explanation.words[left_out.second];
  auto beyond = interaction(effect, first.effect, second.effect);
  explanation.pairs.push_back(
      {left_out.first, left_out.second, std::move(effect), std::move(beyond)});
}

void check_pairs(std::size_t words, std::size_t labels) {
  const std::size_t pairs = occlusion_texts(words, ExplanationOrder::pairs) - 1 - words;
  if (pairs <= kMostPairEffects / std::max<std::size_t>(labels, 1)) return;
  throw TextError("has " + std::to_string(words) + " words that are read, and for each label " +
                  std::to_string(pairs) + " pairs of them; all labels together can have " +
                  std::to_string(kMostPairEffects) + " (--max-length reads fewer words)");
}

}  // namespace

std::vector<float> rest_of_words(const Explanation& explanation) {
  std::vector<float> rest;
  for (std::size_t label = 0; label < explanation.prediction.logits.size(); ++label) {
    double sum = explanation.prediction.logits[label];
    for (const ExplainedWord& word : explanation.words) sum -= double{word.effect[label]};
    rest.push_back(static_cast<float>(sum));
  }
  return rest;
}

void explain_towards(std::size_t label, Explanation& explanation) {
  const std::size_t best = explanation.prediction.best;
  if (label == best) return;
  const auto add = [&](std::vector<float>& effects) {
    if (!effects.empty()) effects.push_back(effects[best] - effects[label]);
  };
  for (ExplainedWord& word : explanation.words) {
    add(word.effect);
    if (!word.standard_error.empty()) word.standard_error.push_back(0.0F);
  }
  for (WordPair& pair : explanation.pairs) {
    add(pair.effect);
    add(pair.interaction);
  }
  add(explanation.bias_share);
  explanation.towards = label;
}

const char* name_of(ExplanationMethod method) { return word_for(method, kExplanationMethods); }

std::vector<ExplainedWord> split_words(const TextInput& input) {
  std::vector<ExplainedWord> words;
  add_words(words, input.text, Sequence::first);
  if (input.pair) add_words(words, *input.pair, Sequence::second);
  return words;
}

TextInput text_of(const std::vector<ExplainedWord>& words, const TextInput& like,
                  const WordNumbers& numbers) {
  TextInput input;
  if (like.pair) input.pair.emplace();
  std::size_t after = 0;  // the word after the last one that was joined
  for (const std::size_t number : numbers) {
    const ExplainedWord& word = words[number];
    std::string& text = word.sequence == Sequence::second ? *input.pair : input.text;
    const bool has_blank = std::any_of(words.data() + after, &word + 1,
                                       [](const auto& each) { return each.follows_blank; });
    if (!text.empty() && has_blank) text += ' ';
    text += word.text;
    after = number + 1;
  }
  return input;
}

std::vector<Offset> joined_offsets(const std::vector<ExplainedWord>& words) {
  std::vector<Offset> offsets;
  std::size_t at = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_first = i == 0 || words[i].sequence != words[i - 1].sequence;
    at = is_first ? 0 : at + (words[i].follows_blank ? 1 : 0);
    const std::size_t length = words[i].offset.end - words[i].offset.begin;
    offsets.push_back({at, at + length});
    at += length;
  }
  return offsets;
}

WordsRead read_words(const TextClassifier& classifier, const TextInput& input) {
  constexpr std::size_t kMargin = 64;  // words, more than an added token has
  WordsRead text;
  text.words = split_words(input);
  text.joined = text_of(text.words, input, numbers_of(text.words));
  const TextReaches reaches = classifier.reach_of(text.joined);
  text.words = cut_words(std::move(text.words), reaches);
  const std::vector<Offset> offsets = joined_offsets(text.words);
  std::array<std::size_t, 2> beyond{};
  for (std::size_t i = 0; i < text.words.size(); ++i) {
    const auto sequence = static_cast<std::size_t>(text.words[i].sequence);
    const auto& [read, enough, cuts] = reaches.at(sequence);
    // A token of the space before a word belongs to the word.
    if (offsets[i].begin <= read.end && offsets[i].end > read.begin) text.read.push_back(i);
    if (offsets[i].begin < enough || ++beyond.at(sequence) <= kMargin) text.enough.push_back(i);
  }
  return text;
}

std::size_t occlusion_texts(std::size_t words, ExplanationOrder order) {
  const std::size_t pairs = words * (words - std::min<std::size_t>(words, 1)) / 2;
  return 1 + words + (order == ExplanationOrder::pairs ? pairs : 0);
}

std::optional<Explanation> explain_by_occlusion(const TextClassifier& classifier,
                                                const TextInput& input, ExplanationOrder order,
                                                const ExplanationWatch& watch) {
  WordsRead text = read_words(classifier, input);
  if (order == ExplanationOrder::pairs) {
    check_pairs(text.read.size(), classifier.labels().names.size());
  }
  Explanation explanation;
  explanation.order = order;
  explanation.words = std::move(text.words);
  explanation.read = std::move(text.read);
  const std::vector<LeftOut> all = all_left_out(explanation.read, order);
  ScoringScratch scratch;
  for (std::size_t begin = 0; begin < all.size(); begin += kTextsAtOnce) {
    const auto some = std::span(all).subspan(begin, std::min(kTextsAtOnce, all.size() - begin));
    std::vector<TextInput> texts;
    for (const LeftOut& left_out : some) {
      WordNumbers rest = text.enough;
      std::erase_if(rest, [&](std::size_t word) { return left_out.has(word); });
      texts.push_back(text_of(explanation.words, input, rest));
    }
    if (begin == 0) texts.front() = text.joined;
    auto predictions = classifier.classify(texts, scratch, watch.stopped);
    if (predictions.size() < texts.size()) return std::nullopt;
    for (std::size_t i = 0; i < some.size(); ++i) {
      check(explanation.words, some[i], predictions[i]);
      take(explanation, some[i], std::move(predictions[i]));
    }
    if (watch.scored) watch.scored(begin + some.size());
  }
  explanation.input = std::move(text.joined);
  return explanation;
}

std::optional<Explanation> explain_by_sums(const TextClassifier& classifier, const TextInput& input,
                                           const StopCheck& stopped) {
  WordsRead text = read_words(classifier, input);
  Explanation explanation;
  explanation.method = ExplanationMethod::exact;
  explanation.words = std::move(text.words);
  explanation.read = std::move(text.read);
  explanation.input = std::move(text.joined);
  ScoringScratch scratch;
  auto predictions = classifier.classify({&explanation.input, 1}, scratch, stopped);
  if (predictions.empty()) return std::nullopt;
  if (!predictions[0].error.empty()) throw TextError(predictions[0].error);
  explanation.prediction = std::move(predictions[0]);
  const std::size_t classes = explanation.prediction.logits.size();
  for (ExplainedWord& word : explanation.words) word.effect.assign(classes, 0.0F);
  const std::vector<Offset> offsets = joined_offsets(explanation.words);
  std::size_t word = 0;
  for (const WordEffect& part : classifier.effects_of(explanation.input)) {
    while (offsets[word].end < part.offset.end) ++word;
    std::vector<float>& effect = explanation.words[word].effect;
    std::transform(effect.begin(), effect.end(), part.effect.begin(), effect.begin(), std::plus());
  }
  explanation.bias_share = rest_of_words(explanation);
  explanation.is_of_rows = classifier.labels().prefix.has_value();  // of fastText
  return explanation;
}

}  // namespace headlight
