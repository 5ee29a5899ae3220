// The fields of relative attention and the convolution in the config.json of native models.
#pragma once

#include "base/fields.h"
#include "model/description.h"

namespace headlight {

/// Throws Error that names the field.
void read_relative_fields(Fields& fields, Description& model);

/// The convolution beside the first layer, if there is one. Throws Error that names the field.
void read_convolution(Fields& fields, Description& model);

}  // namespace headlight
