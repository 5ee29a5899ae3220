// Label attention: one learned query per class cross-attends to the encoded tokens. It gives one
// vector per class, which is multiplied with that class's row of the classifier (Mullenbach et al.
// 2018, "Explainable Prediction of Medical Codes from Clinical Text").
#pragma once

#include "encoder/pass.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// x [n, d] → logits [t, c]: logit_c = z_c · Wc[c] + bc[c]
void label_attention_logits(const HeadsDescription& heads, const Weights& weights, Pass& pass,
                            ConstMatrix x, Matrix logits);

}  // namespace headlight
