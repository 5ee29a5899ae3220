// A choice of a text's attention, and its numbers: some layers and heads, between tokens or words,
// of all queries or some.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "metrics/attention_statistics.h"
#include "metrics/traced_text.h"
#include "model/description.h"
#include "text/token_words.h"

namespace headlight {

/// Numbers ascend, each is there once.
struct AttentionChoice {
  std::vector<std::size_t> layers;
  std::vector<std::size_t> heads;
  std::vector<TokenWord> units;      // w of them: words, or each token by itself
  std::vector<std::size_t> queries;  // q of the units
  bool words = false;                // units are words
  bool weighted = false;             // by value norms, which the text then has
  bool rollout = false;              // instead of heads

  bool all_queries() const { return queries.size() == units.size(); }
};

/// Everything, token by token.
AttentionChoice whole_attention(const Description& model, const Encoding& encoding);
/// Words instead of tokens, all of them as queries.
void choose_words(AttentionChoice& choice, const Encoding& encoding, const TextInput& input);

/// Units by name: those that are shown so; else, of tokens, the pieces of words that are typed so;
/// else the one at the position that `name` is, "7" or "#7". None where nothing fits.
std::vector<std::size_t> units_named(const AttentionChoice& choice, const Encoding& encoding,
                                     const TextInput& input, const std::string& name);

/// The numbers of a choice; each is made when it is asked for. Model and text must outlive it.
class AttentionView {
 public:
  /// Throws Error where layers have different numbers of heads, which no choice of heads and no
  /// array fits.
  AttentionView(const Description& model, const TracedText& traced, AttentionChoice choice);

  const Description& model() const { return model_; }
  const TracedText& traced() const { return traced_; }
  const AttentionChoice& choice() const { return choice_; }
  std::size_t rows() const { return choice_.queries.size(); }  // q
  std::size_t width() const { return choice_.units.size(); }   // w
  bool has_label_attention() const { return !traced_.trace.label_attention.empty(); }

  /// A [q, w] of one of the model's heads.
  std::vector<float> weights(std::size_t layer, std::size_t head) const;
  /// The same with each key's weight times the norm of what it hands over: A_ij ‖f(x_j)‖ (Kobayashi
  /// et al. 2020, §3).
  std::vector<float> norm_weights(std::size_t layer, std::size_t head) const;
  /// Whichever of the two was chosen.
  std::vector<float> shown(std::size_t layer, std::size_t head) const;
  /// The mean of what is shown over all heads of a layer, [q, w].
  std::vector<float> mean_shown(std::size_t layer) const;

  /// [q, w], over all layers and heads of the model (attention_rollout.h).
  std::vector<double> rollout() const;
  /// [w]: with which weights the units enter the vector that is pooled; with label attention that
  /// of the best label.
  std::vector<double> pooled() const;
  /// Of the chosen layers and heads, over all queries.
  std::vector<HeadStatistics> statistics() const;
  /// [w]: what the label's own query attends to in one head, and in the mean of all.
  std::vector<float> label_weights(std::size_t label, std::size_t head) const;
  std::vector<double> label_weights(std::size_t label) const;

 private:
  std::size_t tokens() const { return traced_.encoding.size(); }  // n
  std::vector<double> token_rollout() const;
  std::vector<double> token_label_weights(std::size_t label) const;
  std::vector<double> chosen(std::vector<double> token_weights) const;

  const Description& model_;
  const TracedText& traced_;
  AttentionChoice choice_;
};

}  // namespace headlight
