// Options of commands that write or measure the entities of a model with a label for each token.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <CLI/CLI.hpp>

#include "classifier/token_classifier.h"
#include "model/model.h"
#include "options/choice.h"

namespace headlight {

/// --aggregate
class TokenLabelOptions {
 public:
  void add_to(CLI::App& command);
  /// The same without the way that gives tokens instead of entities.
  void add_entities_to(CLI::App& command);

  /// Throws UsageError if options of the command line do not apply to the model: those that need
  /// kLabelsTexts or kLabelsTokens.
  void check(const Model& model) const;
  /// Finds entities with at least the probability `threshold`.
  std::unique_ptr<TextClassifier> classifier(const Model& model, const ClassifierOptions& options,
                                             std::optional<float> threshold) const {
    return std::make_unique<TokenClassifier>(model, options,
                                             EntityOptions{aggregation_, threshold});
  }

 private:
  void add_ways_to(CLI::App& command, const std::vector<Choice<Aggregation>>& ways);

  const CLI::App* command_ = nullptr;
  Aggregation aggregation_ = Aggregation::simple;
};

}  // namespace headlight
