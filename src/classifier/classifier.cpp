#include "classifier/classifier.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "classifier/token_ids.h"
#include "encoder/forward.h"
#include "model/foreign_files.h"

namespace headlight {
namespace {

// Tokens of one forward pass: enough to keep the weights in cache busy, few enough that the
// activations stay there too.
constexpr std::size_t kTokenBudget = 512;

void add_to_batch(const Description& model, const Encoding& encoding, Batch& batch) {
  // Segments mean something only where the model has more than one.
  if (model.embedding.type_vocab_size > 1) return batch.add(encoding.ids, encoding.type_ids);
  batch.add(encoding.ids, std::vector<TokenId>(encoding.size(), 0));
}

}  // namespace

Classifier::Classifier(const Model& model, ClassifierOptions options)
    : model_(model),
      options_(options),
      activation_(options.activation.value_or(default_activation(model.description))),
      labels_{model.description.labels, model.description.problem_type,
              activation_ != ScoreActivation::none} {
  if (!options_.ids && !model_.tokenizer) throw missing_vocabulary(model_.place);
}

void Classifier::require_head() const {
  if (model_.weights.classifier) return;
  const std::string& name = model_.architecture;
  throw Error(model_.place.path,
              "has no classification head" + (name.empty() ? "" : ", being a " + name),
              "inspect, tokenize and attention --hidden take it as it is");
}

std::vector<Prediction> Classifier::classify(std::span<const TextInput> inputs,
                                             Scratch& scratch) const {
  const auto input = [&](std::size_t i) -> const TextInput& { return inputs[i]; };
  return classify_each(inputs.size(), input, scratch);
}

std::vector<Prediction> Classifier::classify_each(
    std::size_t count, const std::function<const TextInput&(std::size_t)>& input,
    Scratch& scratch) const {
  std::vector<Prediction> predictions(count);
  std::vector<Encoding> waiting;
  std::vector<std::size_t> owners;  // the input of each that waits
  Batch batch;
  const auto run = [&] {
    if (waiting.empty()) return;
    const ConstMatrix logits = forward(model_.description, model_.weights, batch, scratch);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      predictions[owners[i]] = predict(waiting[i], logits.row(i));
    }
    waiting.clear();
    owners.clear();
    batch = Batch();
  };
  for (std::size_t i = 0; i < count; ++i) {
    try {
      Encoding encoding = encode(input(i));
      if (batch.tokens() + encoding.size() > kTokenBudget) run();
      add_to_batch(model_.description, encoding, batch);
      waiting.push_back(std::move(encoding));
      owners.push_back(i);
    } catch (const TextError& error) {
      predictions[i].error = error.line();
    }
  }
  run();
  return predictions;
}

Prediction Classifier::classify_traced(const Encoding& encoding, Scratch& scratch,
                                       Trace& trace) const {
  Batch batch;
  add_to_batch(model_.description, encoding, batch);
  const ConstMatrix logits = forward(model_.description, model_.weights, batch, scratch, &trace);
  return predict(encoding, logits.row(0));
}

Prediction Classifier::predict(const Encoding& encoding, std::span<const float> logits) const {
  Prediction prediction;
  if (!std::all_of(logits.begin(), logits.end(), [](float x) { return std::isfinite(x); })) {
    prediction.error = "the logits are not finite";
    return prediction;
  }
  prediction.tokens = encoding.size();
  prediction.truncated = encoding.truncated;
  if (logits.empty()) return prediction;
  prediction.logits.assign(logits.begin(), logits.end());
  prediction.best =
      static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  const bool regression = model_.description.problem_type == ProblemType::regression;
  if (regression || activation_ != ScoreActivation::none) {
    prediction.scores = activate_scores(activation_, logits);
  }
  return prediction;
}

Encoding Classifier::encode(const TextInput& input) const {
  const Description& model = model_.description;
  std::size_t limit = std::min(model.max_positions, model.pad_to_length.value_or(SIZE_MAX));
  limit = std::min(limit, options_.max_length.value_or(SIZE_MAX));
  Encoding encoding = encode_up_to(input, limit);
  const std::size_t whole = encoding.size() + encoding.truncated;
  // Special tokens are put in whatever the limit is.
  const bool refused = encoding.truncated > 0 && options_.long_texts == LongTexts::error;
  if (refused || encoding.size() > limit) {
    throw TextError("has " + std::to_string(whole) + " tokens, more than the " +
                    std::to_string(limit) + " that can be read");
  }
  fill(encoding);
  if (encoding.size() == 0) throw TextError("gives no tokens, so there is nothing to score");
  check_ids(encoding);
  return encoding;
}

Encoding Classifier::encode_whole(const TextInput& input) const {
  Encoding encoding = encode_up_to(input, options_.max_length);
  fill(encoding);
  return encoding;
}

Encoding Classifier::encode_up_to(const TextInput& input, std::optional<std::size_t> limit) const {
  if (options_.ids) {
    return read_token_ids(input.text, input.type_ids, model_.tokenizer, limit);
  }
  std::optional<std::string_view> pair;
  if (input.pair) pair = *input.pair;
  return model_.tokenizer->encode(input.text, pair,
                                  {limit, options_.plain_text, options_.truncation});
}

/// Up to pad_to_length, for models that were trained with fillers as tokens.
void Classifier::fill(Encoding& encoding) const {
  const TokenId id = model_.description.pad_token_id;
  const std::size_t length = model_.description.pad_to_length.value_or(0);
  while (encoding.size() < length) {
    encoding.tokens.push_back(token_name(model_.tokenizer, id));
    encoding.ids.push_back(id);
    encoding.type_ids.push_back(0);
    encoding.offsets.push_back({});
    encoding.sequences.push_back(Sequence::none);
  }
}

void Classifier::check_ids(const Encoding& encoding) const {
  const Description& model = model_.description;
  for (const TokenId id : encoding.ids) {
    if (id >= model.vocab_size) {
      throw TextError("token id " + std::to_string(id) + " is not below the model's vocab_size " +
                      std::to_string(model.vocab_size));
    }
  }
  const std::size_t types = std::max<std::size_t>(model.embedding.type_vocab_size, 1);
  // A tokenizer may count segments that the model has no table for; typed ones are meant.
  if (types == 1 && !options_.ids) return;
  for (const TokenId type : encoding.type_ids) {
    if (type >= types) {
      throw TextError("type id " + std::to_string(type) + " is not below the model's " +
                      std::to_string(types) + " types");
    }
  }
}

}  // namespace headlight
