// A selection of a text's attention, and its weights: some or all layers, heads and queries,
// between tokens or words. Attention to a word is the sum over its pieces, attention from a word is
// the mean over its pieces (Clark et al. 2019, "What Does BERT Look At?", §4.1), so that rows that
// sum to 1 still do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "inside/attention_statistics.h"
#include "inside/inside.h"
#include "inside/layer_kind.h"
#include "model/description.h"
#include "text/token_words.h"

namespace headlight {

/// Layers, heads and queries ascend, without duplicates.
struct AttentionChoice {
  std::vector<std::size_t> layers;
  std::vector<std::size_t> heads;
  std::vector<TokenWord> units;      // [w] words, or single tokens
  std::vector<std::size_t> queries;  // [q] indices of units
  bool words = false;                // units are words
  bool weighted = false;             // by value norms; the text must have them
  bool rollout = false;              // instead of heads

  bool all_queries() const { return queries.size() == units.size(); }
};

/// All layers, heads and queries, between tokens.
AttentionChoice whole_attention(const Description& model, const Encoding& encoding);
/// Words instead of tokens, all words as queries.
void choose_words(AttentionChoice& choice, const Encoding& encoding, const TextInput& input);

/// The units with this name. If there are none, the pieces of the words typed like this (for
/// tokens); else the unit at this position, if `name` is a number like "7" or "#7". May be empty.
std::vector<std::size_t> units_named(const AttentionChoice& choice, const Encoding& encoding,
                                     const TextInput& input, const std::string& name);

/// Attention to tokens [m, n] → attention to words [m, w]. The words contain all n tokens, in
/// order.
std::vector<double> word_keys(std::span<const double> weights, std::span<const TokenWord> words);
/// Attention from tokens [n, w] → attention from words [w, w].
std::vector<double> word_queries(std::span<const double> weights, std::span<const TokenWord> words);

/// The weights of a choice, computed on demand. Model and text must outlive it.
class AttentionView {
 public:
  /// Throws Error if a chosen layer has not as many heads as Description::label_heads: no choice of
  /// heads and no array would fit all chosen layers.
  AttentionView(const Description& model, const TracedText& traced, AttentionChoice choice);

  const Description& model() const { return model_; }
  const TracedText& traced() const { return traced_; }
  const AttentionChoice& choice() const { return choice_; }
  std::size_t rows() const { return choice_.queries.size(); }  // q
  std::size_t width() const { return choice_.units.size(); }   // w
  /// The w keys of a layer, and the q queries of its rows. The queries of a decoder are named by
  /// what it reads; the chosen ones are those of the chosen units.
  const std::vector<TokenWord>& keys_of(std::size_t layer) const;
  std::vector<TokenWord> queries_of(std::size_t layer) const;
  /// The layer whose queries rollout has; 0 without layers.
  std::size_t last_layer() const { return std::max<std::size_t>(model_.layers.size(), 1) - 1; }
  /// The units of what the decoder reads, [w]; empty: there is no decoder.
  const std::vector<TokenWord>& targets() const { return targets_; }
  bool has_label_attention() const { return !traced_.trace.label_attention.empty(); }

  /// The attention weights A [q, w] of one head.
  std::vector<float> weights(std::size_t layer, std::size_t head) const;
  /// The same, with each weight multiplied by the norm of the key's transformed value vector:
  /// A_ij ‖f(x_j)‖ (Kobayashi et al. 2020, §3).
  std::vector<float> norm_weights(std::size_t layer, std::size_t head) const;
  /// norm_weights() if `weighted` was chosen, else weights().
  std::vector<float> shown(std::size_t layer, std::size_t head) const;
  /// The largest |weight| of shown() over the chosen layers and heads.
  float largest_shown() const;
  /// The mean of shown() over all heads of a layer, [q, w].
  std::vector<float> mean_shown(std::size_t layer) const;

  /// The same layers and heads, with all units as queries.
  AttentionView over_all_queries() const;

  /// [q, w], over all layers and heads of the model (attention_statistics.h).
  std::vector<double> rollout() const;
  /// [w] weights of the units in the pooled vector; with label attention, in the vector of the best
  /// label.
  std::vector<double> pooled() const;
  /// Statistics of the chosen layers and heads, over all queries. The value norm of a word is the
  /// mean over its tokens.
  std::vector<HeadStatistics> statistics() const;
  /// [w] attention of the label's query in one head, and averaged over all heads.
  std::vector<float> label_weights(std::size_t label, std::size_t head) const;
  std::vector<double> label_weights(std::size_t label) const;

 private:
  void check_head_counts() const;
  std::size_t tokens() const { return traced_.encoding.size(); }  // n
  float mean_norm(const TokenWord& unit, std::size_t layer, std::size_t head) const;
  std::vector<double> token_rollout() const;
  std::vector<double> token_label_weights(std::size_t label) const;
  std::vector<double> chosen(std::vector<double> token_weights, std::size_t layer) const;
  const std::vector<TokenWord>& all_queries_of(std::size_t layer) const;
  std::size_t row_of(std::size_t query, std::size_t layer) const;

  const Description& model_;
  const TracedText& traced_;
  AttentionChoice choice_;
  std::vector<TokenWord> targets_;
};

}  // namespace headlight
