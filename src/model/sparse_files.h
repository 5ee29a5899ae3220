// The directory of a SparseModel: config.json and model.safetensors, which is mapped. The format is
// in apps/scikit-learn.md.
#pragma once

#include <memory>

#include "base/json_fwd.h"
#include "model/description.h"
#include "model/locate.h"
#include "sparse/sparse_model.h"

namespace headlight {

inline constexpr const char* kSparseFamily = "sparse";  // its model_type

bool is_sparse_config(const Json& config);

/// The labels, the type of problem and the kind of scores. Throws Error that names the field.
Description describe_sparse(const Json& config, const std::string& where);

/// Throws Error that names the field or the tensor.
std::shared_ptr<const SparseModel> load_sparse(const Json& config, const ModelPlace& place,
                                               const Description& description);

}  // namespace headlight
