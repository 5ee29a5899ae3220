// Options of a cascade: a small model that passes rows on to a large one.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "options/options.h"
#include "rows/origin.h"

namespace headlight {

/// --then, and in batch --agree and --keep-above, in evaluate --write
class CascadeOptions {
 public:
  /// `small` are the options of the small model, and must outlive it.
  void add_to(CLI::App& batch, const ModelOptions& small);
  void add_measuring_to(CLI::App& evaluate, const ModelOptions& small);

  bool is_used() const { return !then_.empty(); }
  const std::string& then() const { return then_; }
  /// The agreement of --agree, from 0 to 1; empty: not given.
  std::optional<double> agreement() const;
  const std::string& agreement_as_typed() const { return agree_; }
  std::optional<float> keep_above() const { return keep_above_; }
  bool writes() const { return writes_; }
  /// Throws UsageError unless there are probabilities.
  void check_probabilities(bool are_there) const;
  /// The given options that change a score: a cascade is measured and used with the same.
  Origin::Facts score_options() const;
  /// The command of this name with the models and the options that change a score.
  std::string command(const std::string& name) const;

 private:
  const CLI::App* command_ = nullptr;
  const ModelOptions* small_ = nullptr;
  std::string then_;
  std::string agree_;
  std::optional<float> keep_above_;
  bool writes_ = false;
};

}  // namespace headlight
