// Reads the `post_processor` of a tokenizer.json.
#pragma once

#include "text/files/json_components.h"
#include "text/pipeline/post_processor.h"

namespace headlight {

/// Throws Error that names the field.
PostProcessor read_post_processor(const Component& component);

}  // namespace headlight
