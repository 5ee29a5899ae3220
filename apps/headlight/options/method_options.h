// Options that select how words are explained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "commands/word_explainer.h"
#include "inside/explanation.h"
#include "inside/shapley.h"

namespace headlight {

/// --method, --order, --samples, --seed, --faithfulness
class MethodOptions {
 public:
  /// Must be called after --zero-shot has been added.
  void add_to(CLI::App& command);

  ExplanationMethod method() const { return method_; }
  WordExplaining explaining() const;
  /// About how many texts are scored for a text with this number of words.
  std::size_t texts_for(std::size_t words) const;
  /// What these texts are: "each whole text, and without each of its words".
  std::string texts_named() const;

 private:
  ShapleyOptions shapley() const;

  ExplanationMethod method_ = ExplanationMethod::occlusion;
  std::size_t order_ = 1;
  std::optional<std::size_t> samples_;
  std::optional<std::uint64_t> seed_;
  bool faithfulness_ = false;
};

}  // namespace headlight
