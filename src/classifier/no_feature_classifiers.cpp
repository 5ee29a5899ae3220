#include "classifier/feature_classifiers.h"

namespace headlight {

std::unique_ptr<TextClassifier> make_feature_classifier(const Model& /*model*/,
                                                        const ClassifierOptions& /*options*/) {
  return nullptr;
}

std::vector<EmbeddedText> embed_features(const Model& /*model*/, const ReadingOptions& /*options*/,
                                         std::span<const TextInput> /*inputs*/,
                                         const StopCheck& /*stopped*/) {
  return {};
}

}  // namespace headlight
