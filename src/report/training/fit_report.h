// The result of a training as text, as JSON and as the card of the model.
#pragma once

#include <string>

#include "training/fit.h"

namespace headlight {

std::string fit_json(const Fit& report);
std::string fit_text(const Fit& report);
/// README.md of the model.
std::string fit_card(const Fit& report);

}  // namespace headlight
