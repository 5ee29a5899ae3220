// --keep-layers, --vocabulary-size and --feed-forward-size of `headlight fit --train all`, for a
// start with weights.
#pragma once

#include <string>

#include "model/model.h"
#include "options.h"
#include "training/feed_forward_cut.h"
#include "training/start_cut.h"
#include "training/training_data.h"
#include "whole_training_options.h"

namespace headlight {

/// The inputs of the rows, which must outlive them.
std::vector<const TextInput*> inputs_of(const SpelledRows& rows);

/// Must outlive the model that it makes smaller.
class StartCutting {
 public:
  StartCutting(const WholeTrainingOptions& options, const std::string& output,
               const Console& console)
      : options_(options), console_(console), vocabulary_(output + ".start") {}

  /// Leaves out layers, pieces and neurons, as the options say, and says what is kept. Throws
  /// UsageError for layers that the model does not have, and Error for what cannot be cut.
  void cut(const SpelledRows& train, Model& model);
  /// The options that change the start; empty: none.
  std::string changes() const;

 private:
  const WholeTrainingOptions& options_;
  const Console& console_;
  VocabularyCut vocabulary_;
  FeedForwardCut feed_forward_;
};

}  // namespace headlight
