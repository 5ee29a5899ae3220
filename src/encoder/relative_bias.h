// The learned relative bias of attention scores: one number per head and distance, the same in
// every layer (Raffel et al. 2020, "Exploring the Limits of Transfer Learning", §2.1; MPNet).
#pragma once

#include "encoder/batch.h"
#include "encoder/scratch.h"
#include "math/matrix.h"

namespace headlight {

/// table [r, h] → [h, 2n - 1], n being the length of the batch's longest text: column n - 1 + j - i
/// is added to the score of query i and key j. Empty if the table is empty. Valid until `scratch`
/// is used for the next batch.
ConstMatrix relative_bias(ConstMatrix table, const Batch& batch, Scratch& scratch);

}  // namespace headlight
