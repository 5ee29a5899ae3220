// The safetensors format (huggingface/safetensors, README "Format"): 8 bytes N, N bytes of JSON
// header, then the numbers, row-major and little-endian. Checks all rules of the reference reader
// and refuses duplicate names, as the specification requires.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/tensor_source.h"

namespace headlight {

struct SafetensorsEntry {
  std::string name;
  std::string dtype;  // "F32", …
  Shape shape;
  std::span<const std::byte> bytes;
};

/// The tensors of a mapped file in the order of their bytes. Throws Error{where, …} that names the
/// tensor, what was found and what was expected.
std::vector<SafetensorsEntry> parse_safetensors(std::span<const std::byte> file,
                                                const std::string& where);

/// Hands over a safetensors file, piece by piece, with these tensors in the given order and the
/// metadata that transformers expects.
void write_safetensors(const std::function<void(std::string_view bytes)>& write,
                       const std::vector<SafetensorsEntry>& tensors);

/// The bytes of a safetensors file with F32 tensors in the given order.
struct NamedTensor {
  std::string name;
  Shape shape;
  std::span<const float> values;
};
std::string make_safetensors(const std::vector<NamedTensor>& tensors);

}  // namespace headlight
