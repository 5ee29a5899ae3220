// Chooses the classifier of a command: the model with its own labels, or with the labels of
// --zero-shot.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "classifier/zero_shot.h"
#include "options/options.h"

namespace headlight {

/// --zero-shot, --template, --multi-label, --entailment
class ZeroShotOptions {
 public:
  void add_to(CLI::App& command);

  /// Whether --zero-shot is given.
  bool is_used() const { return !lists_.empty(); }
  /// The labels of the predictions. Throws UsageError or Error if classifier() would fail, so that
  /// errors are found before any text is read. Notes a label that had to be guessed.
  LabelSet labels(const Model& model, const ClassifierOptions& options,
                  const Console& console) const;
  /// Must be called after labels().
  std::unique_ptr<TextClassifier> classifier(const Model& model,
                                             const ClassifierOptions& options) const;

 private:
  ZeroShotTask task() const { return {candidates(), template_, multi_label_, entailment_}; }
  std::vector<std::string> candidates() const;

  std::vector<std::string> lists_;
  std::string template_ = "This example is {}.";
  bool multi_label_ = false;
  std::string entailment_;
};

}  // namespace headlight
