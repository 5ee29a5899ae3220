#include "reference/model_directory.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>

namespace headlight::reference {
namespace {

using Json = nlohmann::json;

/// The nearest multiple of a power of two, as a float of `fraction` bits and smallest normal
/// exponent `lowest` has them; ties to even. No overflow is looked for.
double rounded(double value, int fraction, int lowest) {
  if (value == 0.0) return value;
  const int exponent = std::max(std::ilogb(value), lowest);
  const double step = std::ldexp(1.0, exponent - fraction);
  return std::nearbyint(value / step) * step;
}

/// IEEE 754 half: sign, 5 bits of exponent, 10 of fraction; `value` must be one.
std::uint16_t half_bits(double value) {
  const unsigned sign = std::signbit(value) ? 0x8000U : 0U;
  const double size = std::fabs(value);
  if (size < 0x1p-14)
    return static_cast<std::uint16_t>(sign | static_cast<unsigned>(size * 0x1p24));
  const int exponent = std::ilogb(size);
  if (exponent > 15) throw std::logic_error("reference: a number that float16 does not hold");
  const auto fraction = static_cast<unsigned>(std::ldexp(size, 10 - exponent)) - 1024U;
  return static_cast<std::uint16_t>(sign | (static_cast<unsigned>(exponent + 15) << 10U) |
                                    fraction);
}

void append_bits(std::string& bytes, std::uint64_t bits, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    bytes.push_back(static_cast<char>(static_cast<unsigned char>(bits >> (8U * i))));
  }
}

void append_number(std::string& bytes, NumberType type, double value) {
  const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == NumberType::f16) return append_bits(bytes, half_bits(value), 2);
  if (type == NumberType::bf16) return append_bits(bytes, single >> 16U, 2);
  append_bits(bytes, single, 4);
}

std::string safetensors(const Tensors& tensors, const Storage& storage) {
  std::string dtype = "F32";
  if (storage.type == NumberType::f16) dtype = "F16";
  if (storage.type == NumberType::bf16) dtype = "BF16";
  Json header = {{"__metadata__", {{"format", "pt"}}}};
  std::string data;
  for (auto tensor = tensors.rbegin(); tensor != tensors.rend(); ++tensor) {  // not by name
    const std::size_t begin = data.size();
    for (const double value : tensor->second.values) append_number(data, storage.type, value);
    header[tensor->first] = {
        {"dtype", dtype}, {"shape", tensor->second.shape}, {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  if (storage.unaligned) text.push_back(' ');
  std::string file;
  append_bits(file, text.size(), 8);
  return file + text + data;
}

/// The lists of dimension `depth` and below; takes its numbers from `next` on.
Json nested(const Tensor& tensor, std::size_t depth, std::size_t& next) {
  if (depth == tensor.shape.size()) return tensor.values[next++];
  Json list = Json::array();
  for (std::size_t i = 0; i < tensor.shape[depth]; ++i) {
    list.push_back(nested(tensor, depth + 1, next));
  }
  return list;
}

std::string json_weights(const Tensors& tensors) {
  Json json = {{"tensors", Json::object()}};
  for (const auto& [name, tensor] : tensors) {
    std::size_t next = 0;
    json["tensors"][name] = nested(tensor, 0, next);
  }
  return json.dump();
}

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw std::runtime_error("reference: cannot write " + path.string());
}

}  // namespace

double rounded_to(NumberType type, double value) {
  if (type == NumberType::f16) return rounded(value, 10, -14);
  if (type == NumberType::bf16) return rounded(value, 7, -126);
  return static_cast<double>(static_cast<float>(value));
}

void round_tensors(NumberType type, Tensors& tensors) {
  for (auto& [name, tensor] : tensors) {
    for (double& value : tensor.values) value = rounded_to(type, value);
  }
}

void write_model_directory(const std::filesystem::path& directory, const Json& config,
                           const Tensors& tensors, const Storage& storage) {
  std::filesystem::create_directories(directory);
  write_bytes(directory / "config.json", config.dump(2));
  if (storage.type == NumberType::json) {
    write_bytes(directory / "weights.json", json_weights(tensors));
  } else {
    write_bytes(directory / "model.safetensors", safetensors(tensors, storage));
  }
}

}  // namespace headlight::reference
