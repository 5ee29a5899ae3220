// The `post_processor` of a tokenizer.json.
#pragma once

#include "text/files/json_components.h"
#include "text/pipeline/post_processor.h"

namespace headlight {

/// Throws Error naming the field.
PostProcessor read_post_processor(const Component& component);

}  // namespace headlight
