// How a model's layers change the vectors of a text's tokens, as a picture.
#pragma once

#include <string>

#include "report/activations/activation_report.h"

namespace headlight {

/// SVG. For each state: bars of the norm of each token's vector and of its cosine with the vector
/// in the previous state, and a heat map of the cosines of all token pairs.
std::string activation_picture(const ActivationReport& report);
/// The same for two models, side by side.
std::string activation_picture(const ActivationReport& report, const ActivationReport& other);

}  // namespace headlight
