// The weights of a model made ready to multiply with, once for all texts to come.
#pragma once

#include "math/panel_memory.h"
#include "math/prepared_weights.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// Which form linear layers get. `encoder`: query, key, value and output of attention, both of the
/// feed-forward, the projection of the embedding. `rest`: head, classifier, label attention,
/// projections whose heads read a slice each, and what `encoder` cannot be used for.
struct LinearForms {
  LinearForm encoder = LinearForm::stored;
  LinearForm rest = LinearForm::stored;
};

/// Prepares all linear layers on all threads, whatever form they had, and returns the memory that
/// they look into from then on; without data where no form needs any. Not while the weights are in
/// use.
PanelMemory prepare_weights(const Description& description, const LinearForms& forms,
                            Weights& weights);

}  // namespace headlight
