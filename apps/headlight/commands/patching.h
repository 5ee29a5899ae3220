// attention --verdicts and --patch: where in the model a verdict is decided.
#pragma once

#include <string>

#include "classifier/classifier.h"
#include "commands/activations.h"

namespace headlight {

/// --verdicts, --patch
class PatchingOptions {
 public:
  void add_to(CLI::App& command);
  bool wanted() const { return verdicts_ || !other_.empty(); }
  /// The option that was given.
  const char* name() const { return verdicts_ ? "--verdicts" : "--patch"; }

  /// Runs the command and returns the exit status. Throws TextError if a text cannot be scored.
  int run(const ActivationJob& job) const;

 private:
  std::string verdicts_document(const ActivationJob& job, const Classifier& classifier,
                                const TextInput& input) const;
  std::string patch_document(const ActivationJob& job, const Classifier& classifier,
                             const TextInput& input) const;

  bool verdicts_ = false;
  std::string other_;
};

}  // namespace headlight
