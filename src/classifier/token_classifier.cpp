#include "classifier/token_classifier.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "encoder/forward.h"

namespace headlight {
namespace {

std::size_t distance_to_edge(const TokenRange& range, std::size_t token) {
  return std::min(token - range.first, range.last - 1 - token);
}

/// The window whose logits a token gets.
std::size_t window_for(const std::vector<TokenRange>& ranges, std::size_t token) {
  if (token >= ranges.back().last) return ranges.size() - 1;
  std::size_t best = 0;
  bool found = false;
  for (std::size_t window = 0; window < ranges.size(); ++window) {
    if (token < ranges[window].first || token >= ranges[window].last) continue;
    if (!found || distance_to_edge(ranges[window], token) > distance_to_edge(ranges[best], token)) {
      best = window;
    }
    found = true;
  }
  return best;
}

/// Whether the reference's decoder of WordPiece leaves no space before the token.
bool is_tight(std::string_view token) {
  const auto begins = [&](std::string_view beginning) { return token.starts_with(beginning); };
  constexpr std::array kBeginnings = {".", "?", "!", ",", "n't", "'m", "'s", "'ve", "'re"};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(), begins);
}

}  // namespace

std::vector<float> logits_of_windows(const TokenWindows& layout, const WindowResults& logits,
                                     std::size_t classes) {
  const auto& windows = logits.windows();
  if (windows.size() == 1) return windows.front();
  std::vector<TokenRange> ranges;
  for (std::size_t window = 0; window < windows.size(); ++window) {
    ranges.push_back(layout.range(window));
  }
  std::vector<float> all;
  for (std::size_t token = 0; token < layout.whole.size(); ++token) {
    const std::size_t window = window_for(ranges, token);
    const auto [first, last] = ranges[window];
    std::size_t row = token;  // in the window
    if (token >= layout.end) {
      row = token - layout.end + layout.begin + (last - first);
    } else if (token >= layout.begin) {
      row = token - first + layout.begin;
    }
    const auto begin = windows[window].begin() + static_cast<std::ptrdiff_t>(row * classes);
    all.insert(all.end(), begin, begin + static_cast<std::ptrdiff_t>(classes));
  }
  return all;
}

TokenClassifier::TokenClassifier(const Model& model, const ClassifierOptions& options,
                                 EntityOptions entities)
    : classifier_(model, options),
      options_(entities),
      batch_tokens_(options.batch_tokens.value_or(tokens_at_once(model.description))) {}

std::vector<Prediction> TokenClassifier::classify(std::span<const TextInput> inputs,
                                                  ScoringScratch& scratch,
                                                  const StopCheck& stopped) const {
  const Model& model = classifier_.model();
  std::vector<ReadTokens> texts(inputs.size());
  const auto read = [&](std::size_t i) {  // text → ids
    texts[i] = classifier_.reader().read_tokens(inputs[i]);
    const TextSize size = classifier_.reader().size_of(texts[i].encoding, texts[i].windows.size());
    return ReadText{size, std::move(texts[i].windows)};
  };
  const auto run = [&](const Batch& batch, Scratch& memory) {  // ids → logits
    return forward(model.description, model.weights, {batch, memory});
  };
  BatchedEncoder encoder(run, model.description, batch_tokens_, scratch);
  std::vector<Prediction> predictions;
  for (const EncodedText& text : encoder.encode(inputs.size(), read, stopped)) {
    const std::size_t i = predictions.size();
    predictions.emplace_back();
    if (text.error.empty()) {
      predictions.back() = predict(inputs[i], texts[i], text.windows);  // logits → entities
    } else {
      predictions.back().error = text.error;
    }
  }
  return predictions;
}

Prediction TokenClassifier::predict(const TextInput& input, const ReadTokens& read,
                                    const WindowResults& logits) const {
  const std::size_t classes = labels().names.size();
  const Encoding& encoding = read.encoding;
  const TextSize size = classifier_.reader().size_of(encoding, logits.windows().size());
  Prediction prediction =
      classifier_.predict(size, logits_of_windows(read.layout, logits, classes));
  if (!prediction.error.empty()) return prediction;
  TokenLabels& found = prediction.token_labels;
  found.ids = encoding.ids;
  found.offsets = encoding.offsets;
  std::vector<float> scores;
  for (std::size_t first = 0; first < found.logits.size(); first += classes) {
    const auto row = classifier_.scores_of(std::span(found.logits).subspan(first, classes));
    scores.insert(scores.end(), row.begin(), row.end());
  }
  found.entities = entities(input, encoding, scores);
  return prediction;
}

std::vector<Entity> TokenClassifier::entities(const TextInput& input, const Encoding& encoding,
                                              std::span<const float> scores) const {
  const std::size_t classes = labels().names.size();
  const std::u32string text = to_code_points(input.text);
  const bool words = needs_words(options_.aggregation);
  std::vector<ScoredToken> tokens;
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    if (is_inserted(input, encoding, i)) continue;
    const Offset& offset = encoding.offsets[i];
    tokens.push_back({i, offset, words && continues_word(text, encoding.ids[i], offset),
                      scores.subspan(i * classes, classes)});
  }
  auto found = find_entities(options_.aggregation, labels().names, tokens);
  if (options_.threshold) {
    std::erase_if(found, [&](const Entity& e) { return e.probability < *options_.threshold; });
  }
  for (Entity& entity : found) {
    const auto [begin, end] = entity.offset;
    entity.text = to_utf8(std::u32string_view(text).substr(begin, end - begin));
    entity.word = word_of(std::span(tokens).subspan(entity.first, entity.last - entity.first), text,
                          encoding.ids);
  }
  return found;
}

/// As the reference's pipeline decodes it; byte-level tokens as the text has them.
std::string TokenClassifier::word_of(std::span<const ScoredToken> tokens, std::u32string_view text,
                                     const std::vector<TokenId>& ids) const {
  const auto& tokenizer = classifier_.model().tokenizer;
  const auto slice = [&](std::size_t begin, std::size_t end) {
    return to_utf8(text.substr(begin, end - begin));
  };
  const bool pieces = tokenizer && tokenizer->marks_continuations();
  std::string word;
  for (const auto& [index, offset, continues, scores] : tokens) {
    const bool is_known = tokenizer && ids[index] != tokenizer->unknown_id();
    const std::string token =
        is_known ? tokenizer->token(ids[index]).value_or("") : slice(offset.begin, offset.end);
    const bool joins = pieces && token.starts_with("##") && !word.empty();
    if (pieces && !word.empty() && !joins && !is_tight(token)) word += ' ';
    word += token.substr(joins ? 2 : 0);
  }
  if (options_.aggregation == Aggregation::none || pieces) return word;
  if (tokenizer && tokenizer->id("\u0120") && !tokenizer->id("\u2581")) {
    const std::string found = slice(tokens.front().offset.begin, tokens.back().offset.end);
    return word.starts_with("\u0120") && !found.starts_with(' ') ? ' ' + found : found;
  }
  std::u32string characters = to_code_points(word);
  std::replace(characters.begin(), characters.end(), U'\u2581', U' ');
  return to_utf8(std::u32string_view(characters).substr(characters.starts_with(U' ') ? 1 : 0));
}

bool TokenClassifier::is_inserted(const TextInput& input, const Encoding& encoding,
                                  std::size_t token) const {
  if (encoding.sequences[token] == Sequence::none) return true;
  const auto& tokenizer = classifier_.model().tokenizer;
  return input.ids && tokenizer && tokenizer->inserts(encoding.ids[token]);
}

/// The reference's rule. Where the vocabulary marks tokens that continue a word, they are spelled
/// longer than the text. Else a token continues a word unless a space is before it.
bool TokenClassifier::continues_word(std::u32string_view text, TokenId id,
                                     const Offset& offset) const {
  const auto& tokenizer = classifier_.model().tokenizer;
  if (!tokenizer || id == tokenizer->unknown_id()) return false;
  const auto [begin, end] = offset;
  if (tokenizer->marks_continuations()) {
    return to_code_points(tokenizer->token(id).value_or("")).size() != end - begin;
  }
  return begin > 0 && text.substr(begin - 1, 2).find(U' ') == std::u32string_view::npos;
}

}  // namespace headlight
