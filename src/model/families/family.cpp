#include "model/families/family.h"

#include <array>

#include "base/error.h"
#include "model/families/native.h"

namespace headlight {
namespace {

constexpr std::array<Family, 1> kFamilies = {
    {{"headlight", &read_native_config, &read_native_weights}}};

}  // namespace

const Family& find_family(const Json& config, const std::string& where) {
  Fields fields(config, where);
  const std::string model_type = fields.required_string("model_type");
  std::string known;
  for (const Family& family : kFamilies) {
    if (model_type == family.model_type) return family;
    known += (known.empty() ? "" : ", ") + std::string(family.model_type);
  }
  throw Error(where, "model_type: \"" + model_type + "\" is not supported, expected " + known);
}

}  // namespace headlight
