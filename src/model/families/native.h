// Models of our own kind, written by hand, by our scripts or by `headlight init`. Their names are
// the encoder's names, so this family is also the reference for what the description can say.
#pragma once

#include "model/families/family.h"

namespace headlight {

FamilyConfig read_native_config(const Json& config_json, const std::string& where);
Weights read_native_weights(FamilyConfig& config, TensorSource& source);

}  // namespace headlight
