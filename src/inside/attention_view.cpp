#include "inside/attention_view.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "encoder/pooling.h"

namespace headlight {
namespace {

std::vector<std::size_t> numbers_below(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

/// The position given as "7" or "#7", if it is below `count`.
std::optional<std::size_t> position_of(std::string_view name, std::size_t count) {
  if (name.starts_with('#')) name.remove_prefix(1);
  std::size_t position = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, position);
  if (error != std::errc() || stop != end || position >= count) return std::nullopt;
  return position;
}

std::vector<float> narrow(const std::vector<double>& values) {
  std::vector<float> narrowed;
  narrowed.reserve(values.size());
  for (const double value : values) narrowed.push_back(static_cast<float>(value));
  return narrowed;
}

/// The units one token later, behind the first token of the decoder, up to the same token n.
std::vector<TokenWord> shifted(const std::vector<TokenWord>& units, const std::string& first) {
  std::vector<TokenWord> targets = {{first, 0, 1, {}, Sequence::none}};
  for (const TokenWord& unit : units) {
    if (targets.size() == units.size()) break;
    targets.push_back(unit);
    ++targets.back().begin;
    ++targets.back().end;
  }
  if (!units.empty()) targets.back().end = units.back().end;
  return targets;
}

}  // namespace

AttentionChoice whole_attention(const Description& model, const Encoding& encoding) {
  AttentionChoice choice;
  choice.layers = numbers_below(model.layers.size());
  choice.heads = numbers_below(model.label_heads.sizes.size());
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    choice.units.push_back(
        {encoding.tokens[i], i, i + 1, encoding.offsets[i], encoding.sequences[i]});
  }
  choice.queries = numbers_below(choice.units.size());
  return choice;
}

void choose_words(AttentionChoice& choice, const Encoding& encoding, const TextInput& input) {
  choice.units = words_of(encoding, input.text, input.pair);
  choice.queries = numbers_below(choice.units.size());
  choice.words = true;
}

std::vector<std::size_t> units_named(const AttentionChoice& choice, const Encoding& encoding,
                                     const TextInput& input, const std::string& name) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < choice.units.size(); ++i) {
    if (choice.units[i].text == name) found.push_back(i);
  }
  if (found.empty() && !choice.words) {
    for (const TokenWord& word : words_of(encoding, input.text, input.pair)) {
      for (std::size_t i = word.begin; i < word.end && word.text == name; ++i) found.push_back(i);
    }
  }
  if (found.empty()) {
    if (const auto position = position_of(name, choice.units.size())) found.push_back(*position);
  }
  return found;
}

// Plain loops: a product with a 0/1 matrix [n, w] would need w times as many operations.
std::vector<double> word_keys(std::span<const double> weights, std::span<const TokenWord> words) {
  const std::size_t n = words.empty() ? 1 : words.back().end;
  std::vector<double> merged;
  merged.reserve(weights.size() / n * words.size());
  for (std::size_t row = 0; row + n <= weights.size(); row += n) {
    for (const TokenWord& word : words) {
      double sum = 0.0;
      for (std::size_t key = word.begin; key < word.end; ++key) sum += weights[row + key];
      merged.push_back(sum);
    }
  }
  return merged;
}

std::vector<double> word_queries(std::span<const double> weights,
                                 std::span<const TokenWord> words) {
  std::vector<double> merged(words.size() * words.size(), 0.0);
  for (std::size_t word = 0; word < words.size(); ++word) {
    const auto count = static_cast<double>(words[word].end - words[word].begin);
    double* row = merged.data() + word * words.size();
    for (std::size_t query = words[word].begin; query < words[word].end; ++query) {
      for (std::size_t key = 0; key < words.size(); ++key) {
        row[key] += weights[query * words.size() + key] / count;
      }
    }
  }
  return merged;
}

AttentionView::AttentionView(const Description& model, const TracedText& traced,
                             AttentionChoice choice)
    : model_(model), traced_(traced), choice_(std::move(choice)) {
  check_head_counts();
  if (model.decoder) targets_ = shifted(choice_.units, traced.first_target);
}

void AttentionView::check_head_counts() const {
  const std::size_t heads = model_.label_heads.sizes.size();
  const auto count = [&](std::size_t layer) { return model_.layers[layer].heads.sizes.size(); };
  for (const std::size_t layer : choice_.layers) {
    if (count(layer) == heads) continue;
    std::vector<std::size_t> alike = numbers_below(model_.layers.size());
    std::erase_if(alike, [&](std::size_t other) { return count(other) != heads; });
    const auto number = [](std::size_t other) { return std::to_string(other); };
    throw Error(traced_.model_name,
                "layers with " + std::to_string(heads) + " and " + std::to_string(count(layer)) +
                    " heads cannot be shown together",
                alike.empty() ? ""
                              : "use --layers " + joined(alike, ",", number) +
                                    ", which have the same number");
  }
}

const std::vector<TokenWord>& AttentionView::keys_of(std::size_t layer) const {
  return kind_of_layer(model_, layer) == LayerKind::decoder ? targets_ : choice_.units;
}

/// All w of them.
const std::vector<TokenWord>& AttentionView::all_queries_of(std::size_t layer) const {
  return kind_of_layer(model_, layer) == LayerKind::encoder ? choice_.units : targets_;
}

/// The row of a unit. The decoder reads it one row later, and first what ends the text or a token
/// in its place.
std::size_t AttentionView::row_of(std::size_t query, std::size_t layer) const {
  const bool is_later =
      kind_of_layer(model_, layer) != LayerKind::encoder && !choice_.all_queries();
  return is_later ? (query + 1) % width() : query;
}

std::vector<TokenWord> AttentionView::queries_of(std::size_t layer) const {
  std::vector<TokenWord> queries;
  for (const std::size_t query : choice_.queries) {
    queries.push_back(all_queries_of(layer)[row_of(query, layer)]);
  }
  return queries;
}

/// [n, n] of tokens → [q, w].
std::vector<double> AttentionView::chosen(std::vector<double> token_weights,
                                          std::size_t layer) const {
  if (choice_.words) {
    token_weights = word_queries(word_keys(token_weights, keys_of(layer)), all_queries_of(layer));
  }
  if (choice_.all_queries()) return token_weights;
  std::vector<double> rows;
  rows.reserve(choice_.queries.size() * width());
  for (const std::size_t query : choice_.queries) {
    const auto row =
        token_weights.begin() + static_cast<std::ptrdiff_t>(row_of(query, layer) * width());
    rows.insert(rows.end(), row, row + static_cast<std::ptrdiff_t>(width()));
  }
  return rows;
}

std::vector<float> AttentionView::weights(std::size_t layer, std::size_t head) const {
  const std::size_t size = tokens() * tokens();
  const float* weights = traced_.trace.attention[layer].data() + head * size;
  return narrow(chosen({weights, weights + size}, layer));
}

std::vector<float> AttentionView::norm_weights(std::size_t layer, std::size_t head) const {
  const std::size_t n = tokens();
  const float* weights = traced_.trace.attention[layer].data() + head * n * n;
  const float* norms = traced_.value_norms[layer].data() + head * n;
  std::vector<double> weighted(weights, weights + n * n);
  for (std::size_t i = 0; i < weighted.size(); ++i) weighted[i] *= norms[i % n];
  return narrow(chosen(std::move(weighted), layer));
}

std::vector<float> AttentionView::shown(std::size_t layer, std::size_t head) const {
  return choice_.weighted ? norm_weights(layer, head) : weights(layer, head);
}

float AttentionView::largest_shown() const {
  float largest = 0.0F;
  for (const std::size_t layer : choice_.layers) {
    for (const std::size_t head : choice_.heads) {
      for (const float weight : shown(layer, head)) largest = std::max(largest, std::abs(weight));
    }
  }
  return largest;
}

std::vector<float> AttentionView::mean_shown(std::size_t layer) const {
  std::vector<float> heads;
  for (std::size_t head = 0; head < model_.layers[layer].heads.sizes.size(); ++head) {
    const std::vector<float> one = shown(layer, head);
    heads.insert(heads.end(), one.begin(), one.end());
  }
  return narrow(mean_over_heads(heads, rows() * width()));
}

std::vector<double> AttentionView::token_rollout() const {
  return attention_rollout(traced_.trace.attention, tokens(), model_.layers);
}

std::vector<double> AttentionView::rollout() const { return chosen(token_rollout(), last_layer()); }

std::vector<double> AttentionView::pooled() const {
  const std::vector<double> rollout = token_rollout();
  const std::vector<double> weights =
      has_label_attention()
          ? pooled_weights(rollout, token_label_weights(traced_.prediction.best))
          : pooled_weights(rollout, tokens(), pooled_row(model_, traced_.encoding.ids));
  return word_keys(weights, choice_.units);
}

AttentionView AttentionView::over_all_queries() const {
  AttentionChoice everything = choice_;
  everything.queries = numbers_below(width());
  return {model_, traced_, std::move(everything)};
}

float AttentionView::mean_norm(const TokenWord& unit, std::size_t layer, std::size_t head) const {
  double sum = 0.0;
  for (std::size_t i = unit.begin; i < unit.end; ++i) {
    sum += traced_.value_norms[layer][head * tokens() + i];
  }
  return static_cast<float>(sum / static_cast<double>(unit.end - unit.begin));
}

std::vector<HeadStatistics> AttentionView::statistics() const {
  constexpr double kNoWeight = std::numeric_limits<double>::quiet_NaN();
  const AttentionView all = over_all_queries();
  std::vector<HeadStatistics> statistics;
  for (const std::size_t layer : choice_.layers) {
    std::vector<Sequence> sequences;
    for (const TokenWord& unit : keys_of(layer)) sequences.push_back(unit.sequence);
    std::vector<std::vector<float>> heads(1);  // the chosen ones of the layer
    std::vector<std::vector<float>> norms(traced_.value_norms.empty() ? 0 : 1);
    for (const std::size_t head : choice_.heads) {
      const std::vector<float> one = all.weights(layer, head);
      heads[0].insert(heads[0].end(), one.begin(), one.end());
      for (std::size_t i = 0; !norms.empty() && i < width(); ++i) {
        norms[0].push_back(mean_norm(keys_of(layer)[i], layer, head));
      }
    }
    AttentionSums sums;
    sums.add(heads, sequences, norms);
    for (HeadStatistics found : sums.statistics()) {
      found.layer = layer;
      if (kind_of_layer(model_, layer) == LayerKind::cross) {  // not between the same tokens
        found.distance = found.self = found.previous = found.next = kNoWeight;
      }
      found.head = choice_.heads[found.head];
      statistics.push_back(found);
    }
  }
  return statistics;
}

std::vector<float> AttentionView::label_weights(std::size_t label, std::size_t head) const {
  const std::size_t row = head * model_.classes() + label;  // of [h, c, n]
  const float* weights = traced_.trace.label_attention.data() + row * tokens();
  return narrow(word_keys(std::vector<double>(weights, weights + tokens()), choice_.units));
}

std::vector<double> AttentionView::token_label_weights(std::size_t label) const {
  const std::size_t n = tokens();
  std::vector<float> heads;  // [h, n]
  const auto& all = traced_.trace.label_attention;
  for (std::size_t at = label * n; at < all.size(); at += model_.classes() * n) {
    const auto row = all.begin() + static_cast<std::ptrdiff_t>(at);
    heads.insert(heads.end(), row, row + static_cast<std::ptrdiff_t>(n));
  }
  return mean_over_heads(heads, n);
}

std::vector<double> AttentionView::label_weights(std::size_t label) const {
  return word_keys(token_label_weights(label), choice_.units);
}

}  // namespace headlight
