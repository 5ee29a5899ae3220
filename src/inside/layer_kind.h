// What a layer's queries and keys are in a model with a decoder: tokens of the text, or those that
// the decoder reads, the same ones shifted by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "model/description.h"

namespace headlight {

/// Queries and keys: of the text; of the decoder; of the decoder, with the text's keys.
enum class LayerKind : std::uint8_t { encoder, decoder, cross };

/// Of a model without a decoder: encoder.
LayerKind kind_of_layer(const Description& model, std::size_t layer);
/// "encoder", "decoder" or "cross".
const char* kind_name(const Description& model, std::size_t layer);
/// The number of the layer in its stack: both of a decoder's second layer have 1.
std::size_t number_in_stack(const Description& model, std::size_t layer);
/// "3", or "5 (cross)" if the model has a decoder.
std::string layer_label(const Description& model, std::size_t layer);

}  // namespace headlight
