// Which classifier `classify` and `batch` run: the model with its own labels, or with the labels
// that --zero-shot names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "classifier/zero_shot.h"
#include "options.h"

namespace headlight {

/// --zero-shot, --template, --multi-label
class ZeroShotOptions {
 public:
  /// After the options of texts, some of which do not go together with these.
  void add_to(CLI::App& command);

  /// What predictions will stand for. Throws UsageError and Error for all that keeps classifier()
  /// from being made, before any text is read.
  LabelSet labels(const Model& model, const ClassifierOptions& options,
                  const Console& console) const;
  /// After labels().
  std::unique_ptr<TextClassifier> classifier(const Model& model,
                                             const ClassifierOptions& options) const;

 private:
  ZeroShotTask task() const { return {candidates(), template_, multi_label_}; }
  std::vector<std::string> candidates() const;

  std::vector<std::string> lists_;
  std::string template_ = "This example is {}.";
  bool multi_label_ = false;
};

}  // namespace headlight
