// Options of evaluate that take parts of the model out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "measuring/ways/ways.h"
#include "options/options.h"

namespace headlight {

/// --ablate, --attribute
class AblationOptions {
 public:
  void add_to(CLI::App& command);

  /// Of --ablate. Throws UsageError if the model lacks a head.
  AblationPlan plan(const Description& model) const;
  /// What is attributed; empty: nothing.
  std::optional<PartKind> attributed() const { return attributed_; }

 private:
  std::string ablated_;  // as typed
  std::optional<PartKind> attributed_;
};

}  // namespace headlight
