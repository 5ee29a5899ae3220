#include "model/copied_files.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"
#include "model/adapter.h"
#include "model/calibration.h"

namespace headlight {
namespace {

std::string name_in_copy(const std::string& path, const ModelPlace& place) {
  if (path == place.config) return "config.json";
  if (path == calibration_path(place)) return "calibration.json";
  return std::filesystem::path(path).filename().string();
}

/// The bytes of a tensor of F32 in another format.
std::vector<std::byte> rounded(const SafetensorsEntry& tensor, NumberFormat format,
                               const std::string& where) {
  std::vector<float> values(tensor.bytes.size() / sizeof(float));
  widen(NumberFormat::f32, tensor.bytes.data(), values);
  std::vector<std::byte> bytes = bytes_in(format, values);
  const auto bad = find_not_finite(format, bytes.data(), values.size());
  if (!bad) return bytes;
  throw Error(where,
              "tensor " + shortened(tensor.name) + ": found " + formatted("%g", values[*bad]) +
                  ", which is too large for 16 bits",
              "--store f32 keeps 32 bits");
}

std::string weights_of(const Model& model, NumberFormat matrices) {
  const std::vector<std::string> unused = model.tensors->leftovers();  // sorted
  std::vector<SafetensorsEntry> tensors;
  std::deque<std::vector<std::byte>> memory;
  for (SafetensorsEntry& tensor : model.tensors->entries()) {
    if (std::binary_search(unused.begin(), unused.end(), tensor.name)) continue;
    if (matrices != NumberFormat::f32 && tensor.dtype == "F32" && tensor.shape.size() > 1) {
      tensor.bytes = memory.emplace_back(rounded(tensor, matrices, model.place.weights));
      tensor.dtype = word_for(matrices, kNumberFormatWords);
    }
    tensors.push_back(tensor);
  }
  std::string file;
  write_safetensors([&](std::string_view bytes) { file += bytes; }, tensors);
  return file;
}

}  // namespace

std::map<std::string, std::string> copied_files(const Model& model, NumberFormat matrices) {
  refuse_adapter(model.place, "a copy");
  std::map<std::string, std::string> files;
  for (const std::string& path : model.files) {
    if (path == model.place.weights || path.ends_with(".safetensors")) continue;  // or a shard
    files[name_in_copy(path, model.place)] = MappedFile(path).text();
  }
  files["model.safetensors"] = weights_of(model, matrices);
  return files;
}

}  // namespace headlight
