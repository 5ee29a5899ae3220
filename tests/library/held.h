// Handles of the C interface that free themselves, for tests.
#pragma once

#include <memory>

#include "library/headlight.h"

namespace headlight {

struct FreeHandle {
  void operator()(hl_engine* handle) const { hl_engine_free(handle); }
  void operator()(hl_model* handle) const { hl_model_free(handle); }
  void operator()(hl_encoding* handle) const { hl_encoding_free(handle); }
  void operator()(hl_attention* handle) const { hl_attention_free(handle); }
  void operator()(hl_entity_list* handle) const { hl_entity_list_free(handle); }
  void operator()(char* handle) const { hl_string_free(handle); }
  void operator()(hl_explanation* handle) const { hl_explanation_free(handle); }
};
template <typename T>
using Held = std::unique_ptr<T, FreeHandle>;

}  // namespace headlight
