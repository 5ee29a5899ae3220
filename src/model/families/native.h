// Native models, written by hand, by our scripts or by `headlight init`. They use the names of the
// encoder, so this family also documents the possibilities of the description.
#pragma once

#include "model/families/family.h"

namespace headlight {

FamilyConfig read_native_config(const Json& config_json, const std::string& where);
Weights read_native_weights(FamilyConfig& config, TensorSource& source);

}  // namespace headlight
