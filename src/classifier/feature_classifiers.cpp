#include "classifier/feature_classifiers.h"

#include "base/error.h"
#include "classifier/fasttext_classifier.h"
#include "classifier/sparse_classifier.h"

namespace headlight {

std::unique_ptr<TextClassifier> make_feature_classifier(const Model& model,
                                                        const ClassifierOptions& options) {
  if (model.features_as<FasttextModel>() != nullptr)
    return std::make_unique<FasttextClassifier>(model, options);
  if (model.features) return std::make_unique<SparseClassifier>(model, options);
  return nullptr;
}

std::vector<EmbeddedText> embed_features(const Model& model, const ReadingOptions& options,
                                         std::span<const TextInput> inputs,
                                         const StopCheck& stopped) {
  const FasttextModel& fasttext = *model.features_as<FasttextModel>();
  FasttextScratch scratch;
  std::vector<EmbeddedText> texts;
  for (const TextInput& input : inputs) {
    if (stopped()) break;
    EmbeddedText& text = texts.emplace_back();
    try {
      static_cast<TextSize&>(text) = read_fasttext(fasttext, options, input, scratch);
      fasttext.is_supervised() ? fasttext.average(scratch)
                               : fasttext.average_words(input.text, scratch);
      text.vector = scratch.mean;
    } catch (const TextError& error) {
      text.error = error.line();
    }
  }
  return texts;
}

}  // namespace headlight
