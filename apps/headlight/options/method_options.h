// Options that select how words are explained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "inside/word_explainer.h"

namespace headlight {

/// --method, --order, --samples, --seed, --faithfulness
class MethodOptions {
 public:
  /// Must be called after --zero-shot has been added.
  void add_to(CLI::App& command);

  WordExplaining explaining() const;

 private:
  ExplanationMethod method_ = ExplanationMethod::occlusion;
  std::size_t order_ = 1;
  std::optional<std::size_t> samples_;
  std::optional<std::uint64_t> seed_;
  bool faithfulness_ = false;
};

}  // namespace headlight
