// Options that select how words are explained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "inside/word_explainer.h"
#include "options/zero_shot_options.h"

namespace headlight {

/// --method, --order, --samples, --seed, --faithfulness
class MethodOptions {
 public:
  void add_to(CLI::App& command);
  /// Throws UsageError if options exclude each other.
  void check(const ZeroShotOptions& zero_shot) const;

  WordExplaining explaining() const;

 private:
  ExplanationMethod method_ = ExplanationMethod::occlusion;
  std::size_t order_ = 1;
  std::optional<std::size_t> samples_;
  std::optional<std::uint64_t> seed_;
  bool faithfulness_ = false;
};

}  // namespace headlight
