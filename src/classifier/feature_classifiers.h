// What a text gets of a model that reads texts by itself (text/feature_model.h). The WebAssembly
// module has no such models, and no_feature_classifiers.cpp in place of feature_classifiers.cpp.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "classifier/classifier.h"
#include "classifier/embedder.h"

namespace headlight {

/// nullptr: the model is another one. It must outlive the classifier.
std::unique_ptr<TextClassifier> make_feature_classifier(const Model& model,
                                                        const ClassifierOptions& options);

/// The mean of the rows of a text; of a model without labels, of the unit vectors of its words.
/// Fewer if `stopped` returned true.
std::vector<EmbeddedText> embed_features(const Model& model, const ReadingOptions& options,
                                         std::span<const TextInput> inputs,
                                         const StopCheck& stopped);

}  // namespace headlight
