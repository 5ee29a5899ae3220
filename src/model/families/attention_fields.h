// Fields about attention in the configs of published checkpoints: rotary positions, local windows
// and heads that share keys.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/description.h"

namespace headlight {

/// The names of a family's fields about rotary positions, and its defaults.
struct RotaryFields {
  const char* base = "rope_theta";
  double default_base = 10'000.0;
  /// The key of rope_parameters that has the fields of these layers; nullptr: rope_parameters has
  /// them itself.
  const char* layers = nullptr;
  /// Whether the old field rope_scaling counts for these layers.
  bool is_scaled = true;
  /// Whether partial_rotary_factor counts in positions of the kind `default`.
  bool is_partial = false;
};

/// The angles of the head's pairs, of the kinds `default`, `linear` and `llama3`. Computed in
/// float32 as in the reference. Throws Error that names the field, and for every other kind.
Rotary read_rotary(Fields& fields, const RotaryFields& names, std::size_t head_size);

/// Slows positions down as the object says, which has the kind (`rope_type`) and its numbers.
/// `context` is the length of the texts before that; only llama3 reads it. Throws Error that names
/// the field.
void scale_frequencies(Fields& positions, std::size_t context, std::vector<float>& frequencies);

/// The index of `rotary` in model.rotary, where it is added if it is new.
std::size_t share_rotary(Rotary rotary, Description& model);

/// Adds a table of biases that all layers so far read.
void add_relative_bias(const RelativeBias& bias, Description& model);

/// layer_types: whether the attention of each layer is local; nullopt if it is absent or null.
std::optional<std::vector<bool>> read_local_layers(Fields& fields, std::size_t layers);

/// How many consecutive heads share keys: `heads` / num_key_value_heads, or `heads` / `fallback` if
/// that is absent or null. Throws Error if it does not divide.
std::size_t read_group(Fields& fields, std::size_t heads, std::size_t fallback);

}  // namespace headlight
