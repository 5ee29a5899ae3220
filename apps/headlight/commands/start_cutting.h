// --keep-layers, --vocabulary-size and --feed-forward-size of `headlight fit --train all`, for a
// start with weights.
#pragma once

#include <string>

#include "model/model.h"
#include "options/options.h"
#include "options/whole_training_options.h"
#include "training/cuts/feed_forward_cut.h"
#include "training/cuts/start_cut.h"

namespace headlight {

/// Must outlive the model that it makes smaller.
class StartCutting {
 public:
  StartCutting(const WholeTrainingOptions& options, const std::string& output,
               const Console& console)
      : options_(options), console_(console), vocabulary_(output + ".start") {}

  /// Leaves out layers, pieces and neurons, as the options and the texts to train on say, and says
  /// what is kept. Throws UsageError for layers that the model does not have, and Error for what
  /// cannot be cut.
  void cut(const std::vector<const TextInput*>& train, Model& model);
  /// Differs for other changes of the start.
  std::string changes() const;

 private:
  const WholeTrainingOptions& options_;
  const Console& console_;
  VocabularyCut vocabulary_;
  FeedForwardCut feed_forward_;
};

}  // namespace headlight
