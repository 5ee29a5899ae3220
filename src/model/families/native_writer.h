// Any model as a native one: its config.json, the inverse of native_config.h.
#pragma once

#include <string>

#include "base/json_fwd.h"
#include "model/description.h"

namespace headlight {

/// The fields of a config.json with this description, in the order of the specification, without
/// `tokenizer`. Reading them gives the same description, except that layers do not share weights.
/// Throws Error{where, …} for a description that no native config has.
nlohmann::ordered_json native_config_of(const Description& model, const std::string& where);

}  // namespace headlight
