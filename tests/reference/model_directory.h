// A model as files: config.json beside safetensors (huggingface/safetensors, README "Format") of
// three number types, or beside weights.json.
#pragma once

#include <cstdint>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "reference/tensors.h"

namespace headlight::reference {

/// What the weights are written as; `json` is weights.json.
enum class NumberType : std::uint8_t { f32, f16, bf16, json };

struct Storage {
  NumberType type = NumberType::f32;
  bool unaligned = false;  // safetensors whose numbers begin at an odd byte
};

/// The nearest number that `type` holds, ties to even; `json` holds those of float32.
double rounded_to(NumberType type, double value);

/// Rounds every number of `tensors` to what `type` holds.
void round_tensors(NumberType type, Tensors& tensors);

/// Makes `directory` with config.json and model.safetensors (or weights.json). The tensors must be
/// rounded to storage.type.
void write_model_directory(const std::filesystem::path& directory, const nlohmann::json& config,
                           const Tensors& tensors, const Storage& storage);

}  // namespace headlight::reference
