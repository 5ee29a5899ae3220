// Options of evaluate that take parts of the model out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "gradient/backward.h"
#include "inside/ablated_classifier.h"
#include "metrics/ablation.h"
#include "options/options.h"

namespace headlight {

/// --ablate, --ablate-with, --ablate-curve, --attribute, --attribute-rules
class AblationOptions {
 public:
  void add_to(CLI::App& command);

  bool wanted() const { return !ablated_.empty(); }
  /// What is attributed; empty: nothing.
  std::optional<PartKind> attributed() const { return attributed_; }
  BackwardRules rules() const { return rules_; }
  /// Whether heads are replaced by their means over the rows.
  bool by_mean() const { return with_ == With::mean; }
  /// Whether all heads are also taken out one after another.
  bool has_curve() const { return curve_; }
  /// Empty if nothing is taken out. Throws Error if the model has no such parts.
  std::optional<AblationSums> sums(const Model& model, const LabelSet& labels) const;

  /// With zeros in place of their outputs, or `means` if by_mean().
  std::vector<PartAway> parts(const Description& model, const HeadMeans& means) const;

 private:
  enum class With : std::uint8_t { zero, mean };

  /// Whether heads are listed; else all parts of the kind.
  bool is_list() const { return !value_of(ablated_, kPartsWords); }
  PartKind kind() const { return value_of(ablated_, kPartsWords).value_or(PartKind::head); }

  std::string ablated_;  // as typed
  bool curve_ = false;
  With with_ = With::zero;
  std::optional<PartKind> attributed_;
  BackwardRules rules_ = BackwardRules::gradient;
};

}  // namespace headlight
