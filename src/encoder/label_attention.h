// Classes that look at a text: a learned query a class cross-attends to the encoded tokens and
// gives one vector a class, which that class's row of the classifier reads
// (Mullenbach et al. 2018, "Explainable Prediction of Medical Codes from Clinical Text").
#pragma once

#include "encoder/pass.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// x [n, d] → logits [t, c]: logit_c = z_c · Wc[c] + bc[c]
void label_attention_logits(const HeadsDescription& heads, const Weights& weights, Pass& pass,
                            ConstMatrix x, Matrix logits);

}  // namespace headlight
