// Which classifier `classify` and `batch` run: the model with its own labels, or with the labels
// that --zero-shot names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "classifier/classifier.h"
#include "options.h"

namespace headlight {

/// --zero-shot, --template, --multi-label
class ZeroShotOptions {
 public:
  /// After the options of texts, some of which do not go together with these.
  void add_to(CLI::App& command);

  /// Throws UsageError for labels or a template that cannot be used.
  std::unique_ptr<TextClassifier> classifier(const Model& model, const ClassifierOptions& options,
                                             const Console& console) const;

 private:
  std::vector<std::string> candidates() const;

  std::vector<std::string> lists_;
  std::string template_ = "This example is {}.";
  bool multi_label_ = false;
};

}  // namespace headlight
