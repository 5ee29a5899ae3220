#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "math/positions.h"
#include "model/families/attention_fields.h"
#include "model/families/config_fields.h"
#include "model/families/native_config.h"

namespace headlight {
namespace {

constexpr float kDefaultBase = 10000.0F;  // of rotary positions
constexpr double kLargestBase = 1e30;

std::vector<std::size_t> read_head_sizes(Fields& fields, std::size_t hidden_size) {
  const std::size_t heads = fields.required_size("num_attention_heads", 1, kMostHeads);
  if (fields.find("head_sizes") != nullptr) {
    auto sizes = fields.sizes("head_sizes", 1);
    if (sizes.size() != heads) {
      fields.fail("head_sizes", std::to_string(heads) + " numbers, one per head");
    }
    return sizes;
  }
  if (hidden_size % heads != 0) {
    throw Error(fields.where(),
                "hidden_size " + std::to_string(hidden_size) +
                    " is not divisible by num_attention_heads " + std::to_string(heads),
                "head_sizes can set one size per head");
  }
  return std::vector<std::size_t>(heads, hidden_size / heads);
}

bool has_equal_heads(const HeadsDescription& heads) {
  return std::all_of(heads.sizes.begin(), heads.sizes.end(),
                     [&](std::size_t size) { return size == heads.sizes.front(); });
}

void need_equal_heads(const Fields& fields, const HeadsDescription& heads, const char* name,
                      const std::string& value) {
  if (!has_equal_heads(heads)) fields.complain(name, value + " needs equal head sizes");
}

/// The number of query heads for each key head.
std::size_t read_native_group(Fields& fields, const HeadsDescription& heads) {
  const std::size_t count = heads.sizes.size();
  const std::size_t group = read_group(fields, count, count);
  if (group == 1) return group;
  const std::string value = std::to_string(count / group);
  need_equal_heads(fields, heads, "num_key_value_heads", value);
  if (heads.input == HeadInput::slice) {
    fields.complain("num_key_value_heads", value + " cannot be combined with head_input slice");
  }
  return group;
}

/// attention_window: one for all layers, or a list with one for each layer; null: none.
std::vector<std::optional<std::size_t>> read_windows(Fields& fields, std::size_t layers) {
  const Json* found = fields.find_value("attention_window");
  if (found == nullptr) return std::vector<std::optional<std::size_t>>(layers);
  if (!found->is_array()) {
    return std::vector<std::optional<std::size_t>>(
        layers, fields.required_size("attention_window", 0, Fields::kLargestSize));
  }
  std::vector<std::optional<std::size_t>> windows;
  for (const Json& window : *found) {
    if (window.is_null()) {
      windows.emplace_back();
    } else if (window.is_number_unsigned() && window <= Fields::kLargestSize) {
      windows.emplace_back(window.get<std::size_t>());
    } else {
      windows.clear();
      break;
    }
  }
  if (windows.size() != layers || found->empty()) {
    fields.fail("attention_window", "whole numbers up to 2147483647 or null, one for each of the " +
                                        std::to_string(layers) + " layers");
  }
  return windows;
}

/// rope_theta: one for all layers, or a list with one for each layer.
std::vector<float> read_bases(Fields& fields, std::size_t layers) {
  const Json* found = fields.find_value("rope_theta");
  if (found == nullptr) return std::vector<float>(layers, kDefaultBase);
  std::vector<float> bases;
  const auto take = [&](const Json& base) {
    const double value = base.is_number() ? base.get<double>() : 0.0;
    if (value > 1.0 && value < kLargestBase) bases.push_back(static_cast<float>(value));
  };
  if (found->is_array()) {
    for (const Json& base : *found) take(base);
  } else {
    take(*found);
    if (bases.size() == 1) bases.assign(layers, bases.front());
  }
  if (bases.size() != layers) {
    fields.fail("rope_theta",
                "a number above 1, or one for each of the " + std::to_string(layers) + " layers");
  }
  return bases;
}

/// The numbers of a head of size e that rotary positions turn.
std::size_t read_turned_size(Fields& fields, std::size_t e) {
  const double share = fields.number_or("partial_rotary_factor", 1.0);
  if (!(share > 0.0 && share <= 1.0)) {
    fields.fail("partial_rotary_factor", "a number above 0, at most 1");
  }
  const auto turned = static_cast<std::size_t>(static_cast<double>(e) * share);
  if (turned == 0 || turned % 2 != 0) {
    fields.complain(share < 1.0 ? "partial_rotary_factor" : "position_embedding_type",
                    "turns " + std::to_string(turned) + " numbers of each head of size " +
                        std::to_string(e) + "; rotary positions need an even number");
  }
  return turned;
}

/// rope_scaling of layer `index`: one object for all layers, or a list with one for each; null:
/// none.
void read_scaling(Fields& fields, std::size_t index, std::size_t layers, std::size_t context,
                  std::vector<float>& frequencies) {
  const Json* found = fields.find_value("rope_scaling");
  if (found == nullptr) return;
  std::string path = fields.path_of("rope_scaling");
  if (found->is_array()) {
    if (found->size() != layers) {
      fields.fail("rope_scaling", "an object, or a list with an object or null for each of the " +
                                      std::to_string(layers) + " layers");
    }
    found = &(*found)[index];
    path += "[" + std::to_string(index) + "]";
    if (found->is_null()) return;
  }
  Fields own(*found, fields.where(), path);
  scale_frequencies(own, own.size_or("original_max_position_embeddings", context, 1), frequencies);
  own.refuse_unknown();
}

/// rope_frequencies: the angles of each kind of rotary positions, in radians per position;
/// rope_layers: the number of the kind of each layer, or null.
void read_frequencies(Fields& fields, Description& model) {
  const bool interleaved = fields.flag_or("rope_interleaved", false);
  const Json& kinds = fields.required("rope_frequencies");
  const auto is_number = [](const Json& angle) { return angle.is_number(); };
  const auto is_kind = [&](const Json& kind) {
    return kind.is_array() && !kind.empty() && std::all_of(kind.begin(), kind.end(), is_number);
  };
  if (!kinds.is_array() || !std::all_of(kinds.begin(), kinds.end(), is_kind)) {
    fields.fail("rope_frequencies", "a list of lists of numbers");
  }
  for (const Json& kind : kinds) {
    model.rotary.push_back({kind.get<std::vector<float>>(), interleaved});
  }
  const Json& layers = fields.required("rope_layers");
  if (!layers.is_array() || layers.size() != model.layers.size()) {
    fields.fail("rope_layers", "a number or null for each of the " +
                                   std::to_string(model.layers.size()) + " layers");
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    HeadsDescription& heads = model.layers[i].heads;
    if (layers[i].is_null()) continue;
    if (!layers[i].is_number_unsigned() || layers[i] >= model.rotary.size()) {
      fields.fail("rope_layers", "numbers below the number of lists in rope_frequencies");
    }
    heads.rotary = layers[i].get<std::size_t>();
    const std::size_t pairs = model.rotary[*heads.rotary].frequencies.size();
    for (const std::size_t size : heads.sizes) {
      if (2 * pairs <= size) continue;
      fields.fail("rope_frequencies", "at most " + std::to_string(size / 2) +
                                          " numbers for heads of size " + std::to_string(size));
    }
  }
}

}  // namespace

HeadsDescription read_heads(Fields& fields, std::size_t hidden_size) {
  HeadsDescription heads;
  heads.sizes = read_head_sizes(fields, hidden_size);
  heads.input = fields.choice_or("head_input", HeadInput::full, kHeadInputWords);
  heads.scale = read_float(fields, "attention_scale");
  heads.mask = fields.choice_or("attention_mask", AttentionMask::bidirectional, kMaskWords);
  heads.bias = fields.flag_or("attention_bias", true);
  heads.output_bias = fields.flag_or("attention_output_bias", heads.bias);
  heads.query_key_norm = fields.flag_or("query_key_norm", false);
  heads.output_projection = fields.flag_or("attention_output_projection", true);
  heads.group = read_native_group(fields, heads);
  if (heads.input == HeadInput::slice &&
      (!has_equal_heads(heads) || heads.width() != hidden_size)) {
    fields.complain("head_input", "slice needs equal head sizes that add up to hidden_size " +
                                      std::to_string(hidden_size));
  }
  if (heads.query_key_norm) need_equal_heads(fields, heads, "query_key_norm", "true");
  return heads;
}

void read_layer_positions(Fields& fields, Description& model) {
  const auto windows = read_windows(fields, model.layers.size());
  for (std::size_t i = 0; i < windows.size(); ++i) model.layers[i].heads.window = windows[i];
  const bool rotary = model.embedding.positions == PositionKind::rotary;
  for (const char* name : {"rope_theta", "partial_rotary_factor", "rope_interleaved",
                           "rope_scaling", "rope_frequencies", "rope_layers"}) {
    if (!rotary && fields.find_value(name) != nullptr) {
      fields.complain(name, "needs position_embedding_type rotary");
    }
  }
  if (!rotary) return;
  if (fields.find_value("rope_frequencies") != nullptr) return read_frequencies(fields, model);
  const auto bases = read_bases(fields, model.layers.size());
  need_equal_heads(fields, model.label_heads, "position_embedding_type", "rotary");
  const std::size_t turned = read_turned_size(fields, model.label_heads.sizes.front());
  const bool interleaved = fields.flag_or("rope_interleaved", false);
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    Rotary kind{rotary_frequencies(bases[i], turned), interleaved};
    read_scaling(fields, i, model.layers.size(), model.max_positions, kind.frequencies);
    model.layers[i].heads.rotary = share_rotary(std::move(kind), model);
  }
}

}  // namespace headlight
