#include "inside/gradient_explanation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "encoder/embedding.h"
#include "encoder/forward.h"
#include "encoder/ngrams.h"

namespace headlight {
namespace {

constexpr std::size_t kTokensAtOnce = 4096;
constexpr std::size_t kFewestSteps = 8;
constexpr std::size_t kMostSteps = 512;

/// The effects of each token on each label, [n · c].
using TokenEffects = std::vector<double>;

/// The padding token, else the unknown token.
std::optional<TokenId> baseline_token(const Model& model) {
  constexpr std::array<std::string_view, 4> kNames = {"[PAD]", "<pad>", "[pad]", "<|padding|>"};
  const TokenId id = model.description.pad_token_id;
  if (!model.tokenizer) return std::nullopt;
  const auto name = model.tokenizer->token(id);
  const bool is_padding = name && std::find(kNames.begin(), kNames.end(), *name) != kNames.end();
  return is_padding ? std::optional(id) : model.tokenizer->unknown_id();
}

/// A point on the way from the baseline to the text, for the gradient of one label.
struct PathPoint {
  std::size_t label;
  double alpha;
};

/// The logits of one text with other embedded vectors, and their gradients.
class TextGradients {
 public:
  TextGradients(const Parameters& parameters, BackwardRules rules, const Encoding& encoding,
                const StopCheck& stopped)
      : parameters_(parameters),
        backpropagation_(rules),
        encoding_(encoding),
        stopped_(stopped),
        classes_(parameters.description().classes()) {
    vectors_ = embedded(encoding.ids);
    baseline_.assign(vectors_.size(), 0.0F);
  }

  /// The baseline has `token` instead of the tokens of words, or zeros; special tokens stay.
  void set_baseline(std::optional<TokenId> token) {
    std::vector<TokenId> ids = encoding_.ids;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (token && is_of_word(i)) ids[i] = *token;
    }
    baseline_ = embedded(ids);
    const std::size_t width = baseline_.size() / rows();
    for (std::size_t i = 0; i < rows(); ++i) {
      if (!token && is_of_word(token_of(i))) std::fill_n(&baseline_[i * width], width, 0.0F);
    }
  }

  /// Adds the effects at the points: (vector - baseline) · gradient, for all labels at each α.
  /// Returns false if it was stopped.
  bool add_effects(const std::vector<double>& alphas, TokenEffects& effects) {
    std::vector<PathPoint> points;
    for (const double alpha : alphas) {
      for (std::size_t label = 0; label < classes_; ++label) points.push_back({label, alpha});
    }
    const std::size_t at_once = std::max<std::size_t>(1, kTokensAtOnce / encoding_.ids.size());
    for (std::size_t begin = 0; begin < points.size(); begin += at_once) {
      if (stopped_ && stopped_()) return false;
      add_some(std::span(points).subspan(begin, std::min(at_once, points.size() - begin)), effects);
    }
    return true;
  }

  std::size_t classes() const { return classes_; }
  std::size_t tokens() const { return encoding_.ids.size(); }
  /// The logits at the ends of the path; valid after add_effects() for α = 0 and α = 1.
  double change(std::size_t label) const { return end_[label] - begin_[label]; }

 private:
  bool is_of_word(std::size_t token) const { return encoding_.sequences[token] != Sequence::none; }

  bool has_decoder() const { return parameters_.description().decoder.has_value(); }
  /// n, and n more of what a decoder reads.
  std::size_t rows() const { return tokens() * (has_decoder() ? 2 : 1); }
  /// The token of a row. A decoder reads the tokens one later, and first what ends the text.
  std::size_t token_of(std::size_t row) const {
    return row < tokens() ? row : (row - 1) % tokens();
  }

  /// The vectors [n, d] that the first layer reads; [2n, d] with those that a decoder reads.
  std::vector<float> embedded(const std::vector<TokenId>& ids) const {
    Batch batch;
    batch.add(ids, encoding_.type_ids);
    Scratch scratch;
    Pass pass{batch, scratch};
    std::vector<float> vectors;
    const Description& model = parameters_.description();
    keep_rows(embed(model, parameters_.weights().embeddings, pass), vectors);
    if (has_decoder()) {
      keep_rows(embed_target(model, parameters_.weights(), batch, scratch), vectors);
    }
    return vectors;
  }

  void add_some(std::span<const PathPoint> points, TokenEffects& effects) {
    const std::size_t n = tokens();
    const std::size_t width = vectors_.size() / rows();
    Batch batch;
    for (std::size_t i = 0; i < points.size(); ++i) batch.add(encoding_.ids, encoding_.type_ids);
    // All points of the encoder's rows, then all of the decoder's.
    std::vector<float> start;
    start.reserve(points.size() * vectors_.size());
    for (std::size_t first = 0; first < vectors_.size(); first += n * width) {
      for (const PathPoint& point : points) {
        const auto alpha = static_cast<float>(point.alpha);
        for (std::size_t i = first; i < first + n * width; ++i) {
          start.push_back(alpha == 1.0F ? vectors_[i]
                                        : baseline_[i] + alpha * (vectors_[i] - baseline_[i]));
        }
      }
    }
    const auto loss = [&](const Outputs& outputs, const OutputGradients& gradients) {
      keep_ends(points, outputs.logits);
      for (std::size_t i = 0; i < points.size(); ++i)
        gradients.logits.row(i)[points[i].label] = 1.0F;
      return 0.0;
    };
    const ConstMatrix vectors(start.data(), points.size() * rows(), width);
    const auto result = backpropagation_.embedded_gradient(
        parameters_.description(), parameters_.weights(), batch, vectors, loss);
    for (std::size_t i = 0; i < vectors.rows; ++i) {
      const auto gradient = result.gradient.row(i);
      const std::size_t row = i / (points.size() * n) * n + i % n;
      const std::size_t at = row * width;
      double sum = 0.0;
      for (std::size_t j = 0; j < width; ++j) {
        sum += (double{vectors_[at + j]} - double{baseline_[at + j]}) * double{gradient[j]};
      }
      effects[token_of(row) * classes_ + points[i / n % points.size()].label] += sum;
    }
  }

  void keep_ends(std::span<const PathPoint> points, ConstMatrix logits) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i].alpha == 0.0) begin_.assign(logits.row(i).begin(), logits.row(i).end());
      if (points[i].alpha == 1.0) end_.assign(logits.row(i).begin(), logits.row(i).end());
    }
  }

  const Parameters& parameters_;
  Backpropagation backpropagation_;
  const Encoding& encoding_;
  const StopCheck& stopped_;
  std::size_t classes_;
  std::vector<float> vectors_;   // [n, d], or [2n, d]
  std::vector<float> baseline_;  // the same
  std::vector<float> begin_;     // [c] logits of the baseline
  std::vector<float> end_;       // [c] logits of the text
};

/// Adds equal shares of what an n-gram of these parts adds to the logits to its tokens.
void add_shares(const TextParts& parts, const Ngram& ngram, std::span<const double> added,
                TokenEffects& effects) {
  for (std::size_t i = 0; i < ngram.size; ++i) {
    for (std::size_t label = 0; label < added.size(); ++label) {
      effects[parts.words[ngram.first + i] * added.size() + label] +=
          added[label] / static_cast<double>(ngram.size);
    }
  }
}

/// Adds the shares of each token in the n-grams of the text's mean.
void add_ngram_shares(const Model& model, const Encoding& encoding, TokenEffects& effects) {
  const Linear& classifier = *model.weights.classifier;
  TextParts parts;
  find_parts(*model.description.ngrams, encoding.ids, encoding.type_ids, parts);
  std::vector<float> vector(classifier.in());
  std::vector<float> weight(classifier.in());
  std::vector<double> added(classifier.out());
  for (const Ngram& ngram : parts.ngrams) {
    model.weights.embeddings.ngrams.read(ngram.bucket, vector);
    for (std::size_t label = 0; label < added.size(); ++label) {
      classifier.weight.read(label, weight);
      added[label] = std::inner_product(vector.begin(), vector.end(), weight.begin(), 0.0) /
                     static_cast<double>(parts.count());
    }
    add_shares(parts, ngram, added, effects);
  }
}

/// The same for n-grams that add to the logits.
void add_label_ngram_shares(const Model& model, const Encoding& encoding, TokenEffects& effects) {
  TextParts parts;
  find_parts(*model.description.label_ngrams, encoding.ids, encoding.type_ids, parts);
  const double share = label_ngram_share(parts);
  std::vector<float> row(model.description.classes());
  std::vector<double> added(row.size());
  for (const Ngram& ngram : parts.ngrams) {
    model.weights.label_ngrams.read(ngram.bucket, row);
    for (std::size_t label = 0; label < row.size(); ++label) added[label] = share * row[label];
    add_shares(parts, ngram, added, effects);
  }
}

Completeness completeness_of(const TextGradients& text, const TokenEffects& effects,
                             std::size_t steps) {
  Completeness result;
  result.steps = steps;
  for (std::size_t label = 0; label < text.classes(); ++label) {
    double sum = 0.0;
    for (std::size_t i = label; i < effects.size(); i += text.classes()) sum += effects[i];
    result.gap = std::max(result.gap, std::abs(sum - text.change(label)));
    result.change = std::max(result.change, std::abs(text.change(label)));
  }
  return result;
}

/// The trapezoidal rule, whose steps are halved: earlier points are used again. Empty if stopped.
std::optional<Completeness> integrate(TextGradients& text, TokenEffects& effects) {
  if (!text.add_effects({0.0, 1.0}, effects)) return std::nullopt;
  for (double& effect : effects) effect *= 0.5;
  for (std::size_t steps = 1;; steps *= 2) {
    const Completeness completeness = completeness_of(text, effects, steps);
    const bool is_enough = steps >= kFewestSteps && completeness.is_small();
    if (steps >= kMostSteps || is_enough) return completeness;
    std::vector<double> middles;
    for (std::size_t i = 0; i < steps; ++i) {
      middles.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(steps));
    }
    TokenEffects between(effects.size());
    if (!text.add_effects(middles, between)) return std::nullopt;
    for (std::size_t i = 0; i < effects.size(); ++i) {
      effects[i] = 0.5 * (effects[i] + between[i] / static_cast<double>(steps));
    }
  }
}

/// Adds the effects of each token to those of the word in which it ends.
void sum_to_words(const Encoding& encoding, const TokenEffects& effects, std::size_t classes,
                  const WordNumbers& read, std::vector<ExplainedWord>& words) {
  const std::vector<Offset> offsets = joined_offsets(words);
  for (ExplainedWord& word : words) word.effect.assign(classes, 0.0F);
  for (const std::size_t word : read) {
    std::vector<double> sums(classes);
    for (std::size_t token = 0; token < encoding.ids.size(); ++token) {
      const Offset& place = encoding.offsets[token];
      const std::size_t last = std::max(place.begin + 1, place.end) - 1;
      const bool is_in = words[word].sequence == encoding.sequences[token] &&
                         offsets[word].begin <= last && last < offsets[word].end;
      if (!is_in) continue;
      for (std::size_t label = 0; label < classes; ++label) {
        sums[label] += effects[token * classes + label];
      }
    }
    words[word].effect.assign(sums.begin(), sums.end());
  }
}

}  // namespace

bool is_sum_of_words(const Description& model) {
  return model.layers.empty() && model.pooling == Pooling::mean && !model.head_dense &&
         !model.normalize && !model.labels.empty() && model.adds_features.value_or(true);
}

GradientExplainer::GradientExplainer(const Classifier& classifier)
    : classifier_(classifier),
      parameters_(classifier.model().description, classifier.model().weights) {}

std::optional<Explanation> GradientExplainer::explain(const TextInput& input,
                                                      ExplanationMethod method,
                                                      const StopCheck& stopped) const {
  const bool is_exact = method == ExplanationMethod::exact;
  const Model& model = classifier_.model();
  if (is_exact && !is_sum_of_words(model.description)) {
    throw TextError("needs a model without layers for --method exact");
  }
  Explanation explanation;
  explanation.method = method;
  WordsRead text_read = read_words(classifier_, input);
  explanation.words = std::move(text_read.words);
  explanation.read = std::move(text_read.read);
  explanation.input = std::move(text_read.joined);
  ScoringScratch scratch;
  auto predictions = classifier_.classify({&explanation.input, 1}, scratch, stopped);
  if (predictions.empty()) return std::nullopt;
  if (!predictions[0].error.empty()) throw TextError(predictions[0].error);
  explanation.prediction = std::move(predictions[0]);
  const Encoding encoding = classifier_.reader().encode(explanation.input);
  const bool by_relevance = method == ExplanationMethod::lrp;
  TextGradients text(parameters_, by_relevance ? BackwardRules::relevance : BackwardRules::gradient,
                     encoding, stopped);
  TokenEffects effects(text.tokens() * text.classes());
  if (method != ExplanationMethod::integrated_gradients) {
    if (!text.add_effects({1.0}, effects)) return std::nullopt;
  } else {
    text.set_baseline(baseline_token(classifier_.model()));
    explanation.completeness = integrate(text, effects);
    if (!explanation.completeness) return std::nullopt;
  }
  if (is_exact && model.description.ngrams) add_ngram_shares(model, encoding, effects);
  if (model.description.label_ngrams) add_label_ngram_shares(model, encoding, effects);
  sum_to_words(encoding, effects, text.classes(), explanation.read, explanation.words);
  if (by_relevance || is_exact) explanation.bias_share = rest_of_words(explanation);
  return explanation;
}

}  // namespace headlight
