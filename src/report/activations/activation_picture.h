// What a model's layers do to the vectors of a text's tokens, as a picture.
#pragma once

#include <string>

#include "report/activations/activation_report.h"

namespace headlight {

/// SVG: for each state the norm of every token's vector and its cosine with the one before as bars,
/// and the cosines of all tokens with each other as a heat map, a row a token.
std::string activation_picture(const ActivationReport& report);
/// The same of two models, side by side.
std::string activation_picture(const ActivationReport& report, const ActivationReport& other);

}  // namespace headlight
