// Forward declaration of a JSON value, for headers that only pass it on. Parsing nlohmann/json.hpp
// takes seconds.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace headlight {

using Json = nlohmann::json;

}  // namespace headlight
