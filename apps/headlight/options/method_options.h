// Options that select how words are explained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "inside/word_explainer.h"
#include "metrics/gold.h"
#include "options/row_options.h"

namespace headlight {

inline constexpr Fact kCanFlip{"labels that can change", /*is_listed=*/false};

/// What has an effect in an explanation.
enum class ExplainedUnit : std::uint8_t { word, token };

/// --method, --unit, --order, --samples, --seed, --flip, --faithfulness, --towards
class MethodOptions {
 public:
  /// Must be called after --zero-shot has been added.
  void add_to(CLI::App& command);

  /// Throws UsageError if these labels cannot change, as --flip needs.
  void check(const LabelSet& labels) const;

  /// Throws UsageError if there is no label --towards, or if `rows` of --input have labels, but the
  /// model does not give each text one label.
  void check_towards(const GoldReader& labels, const RowOptions& rows) const;
  /// The label to compare with: that of --towards, else the true one. Empty if the model lacks it.
  std::optional<std::size_t> towards(const GoldReader& labels,
                                     const std::optional<std::string>& true_label) const;

  bool tokens_are_words() const { return unit_ == ExplainedUnit::token; }

  /// nullptr: no model is known; the method is that of most models unless one is given.
  WordExplaining explaining(const Description* model = nullptr) const;

 private:
  ExplanationMethod method_ = ExplanationMethod::occlusion;
  ExplainedUnit unit_ = ExplainedUnit::word;
  std::size_t order_ = 1;
  std::optional<std::size_t> samples_;
  std::optional<std::uint64_t> seed_;
  bool flip_ = false;
  bool faithfulness_ = false;
  std::optional<std::string> towards_;
  CLI::App* command_ = nullptr;
};

}  // namespace headlight
