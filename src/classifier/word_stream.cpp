#include "classifier/word_stream.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/error.h"

namespace headlight {
namespace {

/// The length of the common prefix of two texts, in tokens.
std::size_t common_tokens(const TokenIds& a, const TokenIds& b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t count = 0;
  while (count < most && a.ids[count] == b.ids[count] && a.type_ids[count] == b.type_ids[count]) {
    ++count;
  }
  return count;
}

const Classifier& streamable(const Classifier& classifier) {
  const Model& model = classifier.model();
  require_head(model);
  require_text_labels(model, "stream");
  if (const auto obstacle = streaming_obstacle(model.description)) {
    throw Error(model.place.path, *obstacle,
                "stream needs a causal model; try -m sentiment-stream");
  }
  return classifier;
}

}  // namespace

WordStream::WordStream(const Classifier& classifier, InputOfWords input_of)
    : classifier_(streamable(classifier)),
      input_of_(std::move(input_of)),
      stream_(classifier.model().description, classifier.model().weights) {}

Prediction WordStream::add(const std::string& word) {
  Prediction prediction;
  prediction.error = full_;
  if (!full_.empty()) return prediction;
  const std::string text = text_.empty() ? word : text_ + " " + word;
  try {
    ReadText read = classifier_.reader().read_beginning(input_of_(text));
    TokenIds& tokens = read.windows.front();
    const std::size_t limit = classifier_.reader().limit();
    if (tokens.size() > limit) {
      full_ = too_long(tokens.size(), limit);
      throw TextError(full_);
    }
    // The last token is always computed, because its pass gives the logits.
    const std::size_t kept = std::min(common_tokens(tokens, seen_), tokens.size() - 1);
    stream_.shorten(kept);
    const ConstMatrix logits = stream_.append(std::span(tokens.ids).subspan(kept),
                                              std::span(tokens.type_ids).subspan(kept), scratch_);
    prediction = classifier_.predict(read.size, logits.row(0));
    seen_ = std::move(tokens);
    text_ = text;
  } catch (const TextError& error) {
    prediction.error = error.line();
  }
  return prediction;
}

void WordStream::clear() {
  text_.clear();
  full_.clear();
}

}  // namespace headlight
