// The fields of attention in the config.json of native models.
#pragma once

#include <cstddef>

#include "base/fields.h"
#include "model/description.h"

namespace headlight {

/// The heads of every layer, without their windows and positions. Throws Error that names the
/// field.
HeadsDescription read_heads(Fields& fields, std::size_t hidden_size);

/// The window and the rotary positions of each layer. Throws Error that names the field.
void read_layer_positions(Fields& fields, Description& model);

}  // namespace headlight
