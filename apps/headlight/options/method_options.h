// Options that select how words are explained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "inside/word_explainer.h"
#include "options/declaration.h"

namespace headlight {

inline constexpr Fact kCanFlip{"labels that can change", /*is_listed=*/false};

/// --method, --order, --samples, --seed, --flip, --faithfulness
class MethodOptions {
 public:
  /// Must be called after --zero-shot has been added.
  void add_to(CLI::App& command);

  /// Throws UsageError if these labels cannot change, as --flip needs.
  void check(const LabelSet& labels) const;

  /// nullptr: no model is known; the method is that of most models unless one is given.
  WordExplaining explaining(const Description* model = nullptr) const;

 private:
  ExplanationMethod method_ = ExplanationMethod::occlusion;
  std::size_t order_ = 1;
  std::optional<std::size_t> samples_;
  std::optional<std::uint64_t> seed_;
  bool flip_ = false;
  bool faithfulness_ = false;
  CLI::App* command_ = nullptr;
};

}  // namespace headlight
