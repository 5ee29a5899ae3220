// Options that select how words are explained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "classifier/explanation.h"
#include "classifier/shapley.h"

namespace headlight {

/// --method, --order, --samples, --seed, --faithfulness
class MethodOptions {
 public:
  void add_to(CLI::App& command);
  /// Throws UsageError if options exclude each other.
  void check() const;

  ExplanationMethod method() const { return method_; }
  bool faithfulness() const { return faithfulness_; }
  /// About how many texts are scored for a text with this number of words.
  std::size_t texts_for(std::size_t words) const;
  /// What these texts are: "each whole text, and without each of its words".
  std::string texts_named() const;
  /// Empty if it was stopped. Throws TextError.
  std::optional<Explanation> explain(const TextClassifier& classifier, const TextInput& input,
                                     const ExplanationWatch& watch) const;

 private:
  std::optional<Explanation> explain_by(ExplanationMethod method, const TextClassifier& classifier,
                                        const TextInput& input,
                                        const ExplanationWatch& watch) const;
  /// Judges the explanation, those of the other methods, and random orders. False if stopped.
  bool judge(const TextClassifier& classifier, const TextInput& input,
             const ExplanationWatch& watch, Explanation& explanation) const;
  ExplanationOrder order() const {
    return order_ == 2 ? ExplanationOrder::pairs : ExplanationOrder::words;
  }

  ExplanationMethod method_ = ExplanationMethod::occlusion;
  std::size_t order_ = 1;
  std::optional<std::size_t> samples_;
  std::optional<std::uint64_t> seed_;
  bool faithfulness_ = false;
  ShapleyOptions shapley() const;
};

}  // namespace headlight
