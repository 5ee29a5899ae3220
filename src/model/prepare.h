// Prepares the weights of a model for multiplication, once for all texts.
#pragma once

#include "math/panel_memory.h"
#include "math/prepared_weights.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// The forms of the linear layers. `encoder`: query, key, value and output of attention, both
/// layers of the feed-forward, and the projection of the embedding. `rest`: head, classifier, label
/// attention, projections whose heads each read a slice, and layers that do not support `encoder`.
struct LinearForms {
  LinearForm encoder = LinearForm::stored;
  LinearForm rest = LinearForm::stored;
};

/// Prepares all linear layers on all threads, also if they were prepared before. Returns the memory
/// of the prepared weights; its data is nullptr if the forms need none. The weights must not be in
/// use during the call.
PanelMemory prepare_weights(const Description& description, const LinearForms& forms,
                            Weights& weights);

}  // namespace headlight
