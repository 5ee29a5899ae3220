// The config.json of native models. It uses the names of the encoder, so this file also documents
// the possibilities of the description.
#pragma once

#include "model/families/family.h"

namespace headlight {

/// Throws Error that names the field.
FamilyConfig read_native_config(const Json& config_json, const std::string& where);

}  // namespace headlight
