// attention --worth: what each head is worth, from the file of evaluate --ablate heads.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "model/description.h"
#include "report/attention/head_worth.h"

namespace headlight {

/// --worth
class HeadWorthOptions {
 public:
  void add_to(CLI::App& command);
  bool wanted() const { return !file_.empty(); }
  /// Empty without --worth. Throws Error if the file does not have the heads of this model.
  std::optional<HeadWorth> read(const Description& model) const;

 private:
  std::string file_;
};

}  // namespace headlight
