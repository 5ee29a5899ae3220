// A copy of a model as one folder, wherever its files lie and in whatever form its weights are.
#pragma once

#include <map>
#include <string>

#include "math/number_format.h"
#include "model/model.h"

namespace headlight {

/// Files, name → content, of a folder that load_model() loads as the same model: those that were
/// read, unchanged, and as model.safetensors the tensors that the model uses. Matrices of float32
/// are stored as `matrices`, rounded to the nearest; vectors are too small to matter. Throws Error
/// that names the tensor if a number does not fit.
std::map<std::string, std::string> copied_files(const Model& model, NumberFormat matrices);

}  // namespace headlight
