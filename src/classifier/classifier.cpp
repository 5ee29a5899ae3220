#include "classifier/classifier.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "classifier/token_ids.h"
#include "classifier/window_logits.h"
#include "encoder/forward.h"
#include "model/foreign_files.h"

namespace headlight {
namespace {

/// Tokens of one forward pass: enough to keep the weights in cache busy, few enough that the
/// activations stay there too, and that a run can stop within a second.
std::size_t tokens_at_once(const Description& model) {
  constexpr std::size_t kOperations = 50'000'000'000;
  constexpr std::size_t kFewest = 64;
  constexpr std::size_t kMost = 512;
  std::size_t each = 1;  // multiplications and additions a token
  for (const LayerDescription& layer : model.layers) {
    each += 2 * model.hidden_size * (4 * layer.heads.width() + 2 * layer.intermediate_size);
  }
  return std::clamp(kOperations / each, kFewest, kMost);
}

/// The text of the batch with the same tokens.
std::optional<std::size_t> find_text(const Batch& batch, const TokenIds& tokens) {
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    if (batch.length(text) != tokens.size()) continue;
    const std::size_t first = batch.starts()[text];
    const auto ids = batch.ids().subspan(first, tokens.size());
    const auto type_ids = batch.type_ids().subspan(first, tokens.size());
    if (std::equal(ids.begin(), ids.end(), tokens.ids.begin()) &&
        std::equal(type_ids.begin(), type_ids.end(), tokens.type_ids.begin())) {
      return text;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string too_long(std::size_t tokens, std::size_t limit) {
  return "has " + std::to_string(tokens) + " tokens, more than the " + std::to_string(limit) +
         " that can be read";
}

/// Texts on their way through the encoder, in windows that go there as texts of their own, many in
/// one pass.
class Classifier::Passes {
 public:
  Passes(const Classifier& classifier, std::size_t count, ScoringScratch& scratch)
      : classifier_(classifier), scratch_(scratch), predictions_(count), texts_(count) {
    scratch_.batch.clear();
  }

  /// False where it was stopped.
  bool add(std::size_t owner, const TokenWindows& text, const StopCheck& stopped);
  void fail(std::size_t owner, const std::string& error) { predictions_[owner].error = error; }
  void run();
  /// Of all texts before the first that waits.
  std::vector<Prediction> take();

 private:
  struct Text {
    TextSize size{};
    WindowLogits logits;
  };
  struct Waiting {
    TokenIds tokens;     // empty: those of a text that waits already
    std::size_t owner;   // which input
    std::size_t window;  // which of its windows
    std::size_t text;    // which of the batch's
  };

  void put(std::size_t owner, std::size_t window, std::span<const float> logits);

  const Classifier& classifier_;
  ScoringScratch& scratch_;
  std::vector<Prediction> predictions_;
  std::vector<Text> texts_;
  std::vector<Waiting> waiting_;
};

bool Classifier::Passes::add(std::size_t owner, const TokenWindows& text,
                             const StopCheck& stopped) {
  const std::size_t windows = text.count();
  texts_[owner] = {{text.whole.size(), text.whole.truncated, windows}, WindowLogits(windows)};
  Batch& batch = scratch_.batch;
  for (std::size_t window = 0; window < windows; ++window) {
    TokenIds tokens = text.window(window);
    classifier_.fill_ids(tokens);
    if (const auto* logits = scratch_.recent.find(tokens)) {
      put(owner, window, *logits);
      continue;
    }
    const auto same = find_text(batch, tokens);
    if (!same) {
      if (batch.tokens() > 0 && batch.tokens() + tokens.size() > classifier_.batch_tokens_) {
        if (stopped()) return false;
        run();
      }
      batch.add(tokens.ids, tokens.type_ids);
    }
    waiting_.push_back(
        {same ? TokenIds() : std::move(tokens), owner, window, same.value_or(batch.texts() - 1)});
  }
  return true;
}

/// Through the encoder, and out of the batch.
void Classifier::Passes::run() {
  if (waiting_.empty()) return;
  const Model& model = classifier_.model_;
  const ConstMatrix logits =
      forward(model.description, model.weights, scratch_.batch, scratch_.encoder);
  for (const auto& [tokens, owner, window, text] : waiting_) {
    put(owner, window, logits.row(text));
    if (tokens.size() > 0) scratch_.recent.add(tokens, logits.row(text));
  }
  waiting_.clear();
  scratch_.batch.clear();
}

void Classifier::Passes::put(std::size_t owner, std::size_t window, std::span<const float> logits) {
  Text& text = texts_[owner];
  text.logits.put(window, logits);
  if (!text.logits.is_complete()) return;
  predictions_[owner] = classifier_.predict(text.size, text.logits.mean());
  text.logits = {};
}

std::vector<Prediction> Classifier::Passes::take() {
  if (!waiting_.empty()) predictions_.resize(waiting_.front().owner);
  return std::move(predictions_);
}

Classifier::Classifier(const Model& model, ClassifierOptions options)
    : model_(model),
      options_(options),
      activation_(options.activation.value_or(default_activation(model.description))),
      calibrated_(activation_ == default_activation(model.description)),
      labels_{model.description.labels, model.description.problem_type,
              activation_ != ScoreActivation::none,
              calibrated_ ? model.calibration.thresholds : std::vector<float>()},
      batch_tokens_(options.batch_tokens.value_or(tokens_at_once(model.description))) {
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
                                             ScoringScratch& scratch,
                                             const StopCheck& stopped) const {
  const auto input = [&](std::size_t i) -> const TextInput& { return inputs[i]; };
  return classify_each(inputs.size(), input, scratch, stopped);
}

std::vector<Prediction> Classifier::classify_each(
    std::size_t count, const std::function<const TextInput&(std::size_t)>& input,
    ScoringScratch& scratch, const StopCheck& stopped) const {
  Passes passes(*this, count, scratch);
  for (std::size_t i = 0; i < count; ++i) {
    try {
      if (!passes.add(i, encode_windows(input(i)), stopped)) break;
    } catch (const TextError& error) {
      passes.fail(i, error.line());
    }
  }
  if (!stopped()) passes.run();
  return passes.take();
}

Prediction Classifier::classify_traced(const Encoding& encoding, Scratch& scratch,
                                       Trace& trace) const {
  Batch batch;
  batch.add(encoding.ids, encoding.type_ids);
  const ConstMatrix logits = forward(model_.description, model_.weights, batch, scratch, &trace);
  return predict(encoding, logits.row(0));
}

Prediction Classifier::predict(const TokenIds& tokens, std::span<const float> logits) const {
  return predict({tokens.size(), tokens.truncated, 1}, logits);
}

Prediction Classifier::predict(const TextSize& size, std::span<const float> logits) const {
  Prediction prediction;
  if (!std::all_of(logits.begin(), logits.end(), [](float x) { return std::isfinite(x); })) {
    prediction.error = "the logits are not finite";
    return prediction;
  }
  prediction.tokens = size.tokens;
  prediction.truncated = size.truncated;
  prediction.windows = size.windows;
  if (logits.empty()) return prediction;
  prediction.logits.assign(logits.begin(), logits.end());
  prediction.best =
      static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  const bool regression = model_.description.problem_type == ProblemType::regression;
  if (regression || activation_ != ScoreActivation::none) {
    const double temperature = calibrated_ ? model_.calibration.temperature.value_or(1.0) : 1.0;
    prediction.scores = activate_scores(activation_, logits, temperature);
  }
  return prediction;
}

Encoding Classifier::encode(const TextInput& input) const {
  Encoding encoding = encode_up_to(input, limit());
  check_length(input, encoding);
  fill(encoding);
  check_ids(input, encoding);
  return encoding;
}

TokenWindows Classifier::encode_windows(const TextInput& input) const {
  TokenWindows windows;
  if (input.ids || options_.long_texts != LongTexts::window) {
    windows.whole = encode_ids(input);
    return windows;
  }
  std::optional<std::string_view> pair;
  if (input.pair) pair = *input.pair;
  windows = model_.tokenizer->encode_windows(input.text, pair, options_up_to(limit()));
  if (windows.count() == 1) check_length(input, windows.whole);
  fill_ids(windows.whole);
  check_ids(input, windows.whole);
  return windows;
}

TokenIds Classifier::encode_ids(const TextInput& input) const {
  if (input.ids) {
    Encoding typed = encode(input);
    return {std::move(typed.ids), std::move(typed.type_ids), typed.truncated};
  }
  std::optional<std::string_view> pair;
  if (input.pair) pair = *input.pair;
  TokenIds tokens;
  model_.tokenizer->encode_ids(input.text, pair, options_up_to(limit()), tokens);
  check_length(input, tokens);
  fill_ids(tokens);
  check_ids(input, tokens);
  return tokens;
}

TokenIds Classifier::encode_beginning(const TextInput& input) const {
  TokenIds tokens;
  if (input.ids) {
    Encoding typed = encode_up_to(input, std::nullopt);
    tokens = {std::move(typed.ids), std::move(typed.type_ids), typed.truncated};
  } else {
    model_.tokenizer->encode_ids(input.text, std::nullopt, options_up_to(std::nullopt), tokens);
    const std::size_t kept = tokens.size() - model_.tokenizer->ending_tokens();
    tokens.ids.resize(kept);
    tokens.type_ids.resize(kept);
  }
  check_ids(input, tokens);
  return tokens;
}

std::size_t Classifier::limit() const {
  const Description& model = model_.description;
  const std::size_t limit = std::min(model.max_positions, model.pad_to_length.value_or(SIZE_MAX));
  return std::min(limit, options_.max_length.value_or(SIZE_MAX));
}

std::size_t Classifier::room() const {
  const std::size_t special = model_.tokenizer ? model_.tokenizer->special_tokens(false) : 0;
  return limit() - std::min(limit(), special);
}

void Classifier::check_length(const TextInput& input, const TokenIds& tokens) const {
  const std::size_t whole = tokens.size() + tokens.truncated;
  // Special tokens are put in whatever the limit is.
  // No window is laid over typed ids: which of them belong around each is not known.
  const bool windows_of_ids = input.ids && options_.long_texts == LongTexts::window;
  const bool refuses = windows_of_ids || options_.long_texts == LongTexts::error;
  if ((refuses && tokens.truncated > 0) || tokens.size() > limit()) {
    throw TextError(too_long(whole, limit()) +
                    (windows_of_ids ? ", and token ids are not read through windows" : ""));
  }
}

Encoding Classifier::encode_whole(const TextInput& input) const {
  Encoding encoding = encode_up_to(input, options_.max_length);
  fill(encoding);
  return encoding;
}

Encoding Classifier::encode_up_to(const TextInput& input, std::optional<std::size_t> limit) const {
  if (input.ids) return encode_typed(*input.ids, model_.tokenizer, limit);
  std::optional<std::string_view> pair;
  if (input.pair) pair = *input.pair;
  return model_.tokenizer->encode(input.text, pair, options_up_to(limit));
}

EncodeOptions Classifier::options_up_to(std::optional<std::size_t> limit) const {
  return {limit, options_.plain_text, options_.truncation, options_.stride};
}

/// Up to pad_to_length, for models that were trained with fillers as tokens.
void Classifier::fill_ids(TokenIds& tokens) const {
  const std::size_t length = model_.description.pad_to_length.value_or(0);
  if (tokens.size() >= length) return;
  tokens.ids.resize(length, model_.description.pad_token_id);
  tokens.type_ids.resize(length, 0);
}

void Classifier::fill(Encoding& encoding) const {
  fill_ids(encoding);
  while (encoding.tokens.size() < encoding.size()) {
    encoding.tokens.push_back(token_name(model_.tokenizer, model_.description.pad_token_id));
    encoding.offsets.push_back({});
    encoding.sequences.push_back(Sequence::none);
  }
}

void Classifier::check_ids(const TextInput& input, const TokenIds& tokens) const {
  if (tokens.size() == 0) throw TextError("gives no tokens, so there is nothing to score");
  const Description& model = model_.description;
  for (const TokenId id : tokens.ids) {
    if (id >= model.vocab_size) {
      throw TextError("token id " + std::to_string(id) + " is not below the model's vocab_size " +
                      std::to_string(model.vocab_size));
    }
  }
  const std::size_t types = std::max<std::size_t>(model.embedding.type_vocab_size, 1);
  // A tokenizer may count segments that the model has no table for; typed ones are meant.
  if (types == 1 && !input.ids) return;
  for (const TokenId type : tokens.type_ids) {
    if (type >= types) {
      throw TextError("type id " + std::to_string(type) + " is not below the model's " +
                      std::to_string(types) + " types");
    }
  }
}

}  // namespace headlight
