// Native models, written by hand, by our scripts or by `headlight init`.
#include <array>

#include "model/families/families.h"
#include "model/families/native_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr std::array kTypes = {ModelType{"headlight", ""}};

}  // namespace

constinit const Family kNativeFamily = {kTypes, &read_native_config, &read_native_weights, false};

}  // namespace headlight
