// The classifier of a model with a label for each token: texts in, entities out.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "classifier/batched_encoder.h"
#include "classifier/classifier.h"
#include "classifier/entities.h"

namespace headlight {

struct EntityOptions {
  Aggregation aggregation = Aggregation::simple;
  std::optional<float> threshold;  // only entities with at least this probability
};

/// The logits [n, c] of all tokens: each token's are those of the window in which it is farthest
/// from an edge, and of the first of such windows. The tokens before the covered text are those of
/// the first window, the tokens after it those of the last.
std::vector<float> logits_of_windows(const TokenWindows& layout, const WindowResults& logits,
                                     std::size_t classes);

/// The model must have a label for each token and outlive it. Of a pair it takes no notice. With
/// token ids instead of a text, offsets are those of the numbers, and tokens that the tokenizer
/// inserts are not part of an entity.
class TokenClassifier : public TextClassifier {
 public:
  /// Throws Error as require_vocabulary() does.
  TokenClassifier(const Model& model, const ClassifierOptions& options, EntityOptions entities);

  using TextClassifier::classify;
  /// The predictions have token_labels.
  std::vector<Prediction> classify(std::span<const TextInput> inputs, ScoringScratch& scratch,
                                   const StopCheck& stopped) const override;
  const LabelSet& labels() const override { return classifier_.labels(); }

 private:
  Prediction predict(const TextInput& input, const ReadTokens& read,
                     const WindowResults& logits) const;
  std::vector<Entity> entities(const TextInput& input, const Encoding& encoding,
                               std::span<const float> scores) const;
  std::string word_of(std::span<const ScoredToken> tokens, std::u32string_view text,
                      const std::vector<TokenId>& ids) const;
  bool is_inserted(const TextInput& input, const Encoding& encoding, std::size_t token) const;
  bool continues_word(std::u32string_view text, TokenId id, const Offset& offset) const;

  Classifier classifier_;
  EntityOptions options_;
  std::size_t batch_tokens_;
};

}  // namespace headlight
