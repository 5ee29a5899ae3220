#include "classifier/one_pass_zero_shot.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

TokenIds ids_of(const Tokenizer& tokenizer, const std::string& text) {
  TokenIds tokens;
  tokenizer.encode_ids(text, std::nullopt, {}, tokens);
  return tokens;
}

/// Puts labels into a text: behind the tokens that begin every text, or before those that end it.
void insert_labels(const Model& model, const std::vector<TokenId>& labels, TokenIds& text) {
  const LabelReading& reading = *model.description.label_reading;
  const std::size_t ending = model.tokenizer->ending_tokens();
  const std::size_t at =
      reading.labels_first ? model.tokenizer->special_tokens(false) - ending : text.size() - ending;
  std::vector<TokenId>& ids = text.ids;
  ids.insert(ids.begin() + static_cast<std::ptrdiff_t>(at), labels.begin(), labels.end());
  text.type_ids.assign(ids.size(), 0);
  if (!reading.segments) return;
  const auto before = std::find(ids.begin(), ids.end(), reading.text_token) - ids.begin();
  std::fill(text.type_ids.begin() + before, text.type_ids.end(), 1);
}

/// The tokens of "<<LABEL>>a<<LABEL>>b<<SEP>>". Throws Error.
std::vector<TokenId> read_labels(const Model& model, const std::vector<std::string>& candidates) {
  const Tokenizer& tokenizer = *model.tokenizer;
  const LabelReading& reading = *model.description.label_reading;
  std::string prompt;
  for (const std::string& label : candidates) {
    if (label.find("<<LABEL>>") != std::string::npos) {
      throw Error(model.place.path,
                  "cannot read the label \"" + shortened(label) + "\": <<LABEL>> begins a label");
    }
    prompt += "<<LABEL>>" + label;
  }
  prompt += "<<SEP>>";
  std::vector<TokenId> labels = ids_of(tokenizer, prompt).ids;
  const std::size_t ending = tokenizer.ending_tokens();
  const std::size_t beginning = tokenizer.special_tokens(false) - ending;
  labels.resize(labels.size() - ending);
  labels.erase(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(beginning));
  // Labels and texts are read apart; that must give the tokens of both together.
  const std::string sample = " a ";
  TokenIds text = ids_of(tokenizer, sample);
  insert_labels(model, labels, text);
  const auto whole = ids_of(tokenizer, reading.labels_first ? prompt + sample : sample + prompt);
  const auto count = std::count(labels.begin(), labels.end(), reading.label_token);
  if (static_cast<std::size_t>(count) != candidates.size() || text.ids != whole.ids ||
      (reading.segments && labels.back() != reading.text_token)) {
    throw Error(model.tokenizer_file,
                "does not read <<LABEL>> and <<SEP>> as the tokens " +
                    std::to_string(reading.label_token) + " and " +
                    std::to_string(reading.text_token) +
                    ", which class_token_index and text_token_index of config.json name");
  }
  return labels;
}

/// For a text beside the labels. Throws Error if there is no room for a token of it.
ClassifierOptions beside(const std::vector<TokenId>& labels, const Model& model,
                         const ZeroShotTask& task, ClassifierOptions options) {
  const std::size_t limit = token_limit(model, options);
  const std::size_t room = limit - std::min(limit, model.tokenizer->special_tokens(false) + 1);
  if (labels.size() > room) {
    const auto end = labels.begin() + static_cast<std::ptrdiff_t>(room);
    const auto begun =
        std::count(labels.begin(), end, model.description.label_reading->label_token);
    throw Error(model.place.path,
                "the " + counted(task.candidates.size(), "label") + " of --zero-shot have " +
                    std::to_string(labels.size()) + " tokens and leave no room for a text in the " +
                    std::to_string(limit) + " that are read at once; the first " +
                    std::to_string(std::max<std::ptrdiff_t>(begun, 1) - 1) + " fit");
  }
  options.max_length = limit - labels.size();
  const bool each_alone = task.multi_label || task.candidates.size() == 1;
  options.activation = each_alone ? ScoreActivation::sigmoid : ScoreActivation::softmax;
  return options;
}

}  // namespace

OnePassZeroShotClassifier::OnePassZeroShotClassifier(const Model& model,
                                                     const ClassifierOptions& options,
                                                     const ZeroShotTask& task)
    : OnePassZeroShotClassifier(model, options, task, read_labels(model, task.candidates)) {}

OnePassZeroShotClassifier::OnePassZeroShotClassifier(const Model& model,
                                                     const ClassifierOptions& options,
                                                     const ZeroShotTask& task,
                                                     std::vector<TokenId> label_ids)
    : Classifier(model, beside(label_ids, model, task, options)),
      labels_(labels_of(task)),
      label_ids_(std::move(label_ids)) {}

ReadText OnePassZeroShotClassifier::read(const TextInput& input) const {
  ReadText text = Classifier::read(input);
  for (TokenIds& window : text.windows) insert_labels(model(), label_ids_, window);
  text.size.tokens += label_ids_.size();
  return text;
}

}  // namespace headlight
