// The name of a JSON value, for headers that only pass one on: nlohmann/json.hpp takes seconds to
// parse.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace headlight {

using Json = nlohmann::json;

}  // namespace headlight
