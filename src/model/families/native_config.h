// The config.json of native models. It uses the names of the encoder, so this file also documents
// the possibilities of the description.
#pragma once

#include "base/fields.h"
#include "model/families/family.h"

namespace headlight {

/// Throws Error that names the field.
FamilyConfig read_native_config(const Json& config_json, const std::string& where);

// native_attention.cpp reads the fields of attention. Both throw Error that names the field.

/// The heads of every layer, without their windows and positions.
HeadsDescription read_heads(Fields& fields, std::size_t hidden_size);
/// The window and the rotary positions of each layer.
void read_layer_positions(Fields& fields, Description& model);

}  // namespace headlight
