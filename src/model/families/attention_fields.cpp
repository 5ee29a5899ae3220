#include "model/families/attention_fields.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"
#include "math/positions.h"
#include "model/families/config_fields.h"

namespace headlight {
namespace {

enum class RotaryKind : std::uint8_t { standard, linear, llama3 };

/// The fields about the positions of some layers, and their path for errors.
struct Positions {
  Json object = Json::object();
  std::string path;
};

void refuse_kinds_of_layers(Fields& fields, const char* name, const Json& object) {
  Fields positions(object, fields.where(), name);
  for (const char* kind : {"full_attention", "sliding_attention"}) {
    if (positions.find_value(kind) != nullptr) {
      positions.fail(kind, "none, as all layers of this family have the same positions");
    }
  }
}

/// The old field rope_scaling takes precedence. For layers with fields of their own, it adds to
/// them.
Positions find_positions(Fields& fields, const RotaryFields& names) {
  Positions found;
  if (const Json* all = fields.find_value("rope_parameters")) {
    found.path = "rope_parameters";
    Fields by_kind(*all, fields.where(), found.path);
    if (names.layers == nullptr) {
      refuse_kinds_of_layers(fields, "rope_parameters", *all);
      found.object = *all;
    } else if (const Json* object = by_kind.find_value(names.layers)) {
      found = {*object, by_kind.path_of(names.layers)};
    }
  }
  const Json* scaling = names.is_scaled ? fields.find_value("rope_scaling") : nullptr;
  if (scaling == nullptr || scaling->empty()) return found;
  refuse_kinds_of_layers(fields, "rope_scaling", *scaling);
  if (names.layers == nullptr || !found.object.is_object()) return {*scaling, "rope_scaling"};
  found.object.update(*scaling);
  return {found.object, "rope_scaling"};
}

RotaryKind read_kind(Fields& fields) {
  const char* const name = fields.find_value("rope_type") != nullptr ? "rope_type" : "type";
  if (fields.find_value(name) == nullptr) return RotaryKind::standard;
  return fields.choice_or(name, RotaryKind::standard,
                          {{"default", RotaryKind::standard},
                           {"linear", RotaryKind::linear},
                           {"llama3", RotaryKind::llama3}});
}

float positive(Fields& fields, const char* name) {
  const auto value = read_float(fields, name);
  if (!value || *value <= 0.0F) fields.fail(name, "a number above 0");
  return *value;
}

/// Dubey et al. 2024, "The Llama 3 Herd of Models": slow pairs are slowed down further, pairs of
/// medium speed in between.
void slow_down(Fields& positions, std::size_t context, std::vector<float>& frequencies) {
  const float factor = positive(positions, "factor");
  const float low = positive(positions, "low_freq_factor");
  const float high = positive(positions, "high_freq_factor");
  if (high <= low) positions.fail("high_freq_factor", "a number above low_freq_factor");
  const auto length = static_cast<float>(context);
  for (float& frequency : frequencies) {
    const float wavelength = 2.0F * std::numbers::pi_v<float> / frequency;
    if (wavelength > length / low) {
      frequency /= factor;
    } else if (wavelength >= length / high) {
      const float smooth = (length / wavelength - low) / (high - low);
      frequency = (1.0F - smooth) * frequency / factor + smooth * frequency;
    }
  }
}

/// How many numbers of a head are turned.
std::size_t turned_size(Fields& fields, Fields& positions, std::size_t head_size, bool is_partial) {
  Fields& holder = positions.find_value("partial_rotary_factor") != nullptr ? positions : fields;
  const double share = holder.find_value("partial_rotary_factor") == nullptr
                           ? 1.0
                           : holder.number_or("partial_rotary_factor", 1.0);
  if (!(share > 0.0 && share <= 1.0))
    holder.fail("partial_rotary_factor", "a number above 0, up to 1");
  const auto size = static_cast<std::size_t>(static_cast<double>(head_size) * share);
  if (!is_partial && size != head_size) {
    holder.fail("partial_rotary_factor", "1, as this family turns whole heads");
  }
  return size;
}

/// The base is in the object of the positions, else in the config.
double read_base(Fields& fields, Fields& positions, const RotaryFields& names) {
  const bool is_inside = positions.find_value("rope_theta") != nullptr;
  Fields& holder = is_inside ? positions : fields;
  const char* const name = is_inside ? "rope_theta" : names.base;
  if (holder.find_value(name) == nullptr) return names.default_base;
  const double base = holder.number_or(name, names.default_base);
  if (!(base > 0.0)) holder.fail(name, "a number above 0");
  return base;
}

/// The length of the texts on which the model was trained before its positions were slowed down.
std::size_t read_context(Fields& fields, Fields& positions, const RotaryFields& names) {
  const char* const name = "original_max_position_embeddings";
  const bool is_outside = names.layers == nullptr && fields.find_value(name) != nullptr;
  Fields& holder = is_outside ? fields : positions;
  if (holder.find_value(name) != nullptr) return holder.required_size(name, 1);
  return fields.required_size("max_position_embeddings", 1);
}

}  // namespace

Rotary read_rotary(Fields& fields, const RotaryFields& names, std::size_t head_size) {
  const Positions found = find_positions(fields, names);
  Fields positions(found.object, fields.where(), found.path);
  const RotaryKind kind = read_kind(positions);
  const bool is_whole = kind == RotaryKind::standard && !names.is_partial;
  const std::size_t size =
      is_whole ? head_size : turned_size(fields, positions, head_size, names.is_partial);
  if (size == 0 || size % 2 != 0) {
    throw Error(fields.where(), "rotary positions turn pairs of numbers, but " +
                                    std::to_string(size) + " numbers of a head are turned");
  }
  Rotary rotary;
  rotary.frequencies =
      rotary_frequencies(static_cast<float>(read_base(fields, positions, names)), size);
  const bool needs_context = kind == RotaryKind::llama3;
  scale_frequencies(positions, needs_context ? read_context(fields, positions, names) : 0,
                    rotary.frequencies);
  return rotary;
}

void scale_frequencies(Fields& positions, std::size_t context, std::vector<float>& frequencies) {
  const RotaryKind kind = read_kind(positions);
  if (kind == RotaryKind::llama3) return slow_down(positions, context, frequencies);
  if (kind == RotaryKind::standard) return;
  const float factor = positive(positions, "factor");
  for (float& frequency : frequencies) frequency /= factor;
}

std::size_t share_rotary(Rotary rotary, Description& model) {
  const auto found = std::find(model.rotary.begin(), model.rotary.end(), rotary);
  const auto index = static_cast<std::size_t>(found - model.rotary.begin());
  if (found == model.rotary.end()) model.rotary.push_back(std::move(rotary));
  return index;
}

void add_relative_bias(const RelativeBias& bias, Description& model) {
  for (LayerDescription& layer : model.layers) {
    layer.heads.relative_bias = model.relative_biases.size();
  }
  model.relative_biases.push_back(bias);
}

std::optional<std::vector<bool>> read_local_layers(Fields& fields, std::size_t layers) {
  if (fields.find_value("layer_types") == nullptr) return std::nullopt;
  const auto types = fields.strings("layer_types");
  if (types.size() != layers) {
    fields.complain("layer_types", "has " + std::to_string(types.size()) + " entries, expected " +
                                       std::to_string(layers) + ", one per layer");
  }
  std::vector<bool> are_local;
  for (const std::string& type : types) {
    const bool is_local = type == "sliding_attention";
    if (!is_local && type != "full_attention" && type != "attention") {
      fields.complain("layer_types", "has \"" + shortened(type) +
                                         "\", expected full_attention or sliding_attention");
    }
    are_local.push_back(is_local);
  }
  return are_local;
}

std::size_t read_group(Fields& fields, std::size_t heads, std::size_t fallback) {
  const char* const name = "num_key_value_heads";
  const std::size_t shared =
      fields.find_value(name) == nullptr ? fallback : fields.required_size(name, 1, kMostHeads);
  if (heads % shared != 0) {
    fields.complain(
        name, std::to_string(shared) + " does not divide the " + std::to_string(heads) + " heads");
  }
  return heads / shared;
}

}  // namespace headlight
