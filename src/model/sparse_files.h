// The directory of a SparseModel: config.json and model.safetensors, which is mapped. The format is
// in apps/scikit-learn.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "model/description.h"
#include "model/locate.h"
#include "model/safetensors.h"
#include "sparse/sparse_model.h"

namespace headlight {

inline constexpr const char* kSparseFamily = "sparse";  // its model_type

bool is_sparse_config(const Json& config);

/// The labels, the type of problem and the kind of scores. Throws Error that names the field.
Description describe_sparse(const Json& config, const std::string& where);

/// Throws Error that names the field or the tensor.
std::shared_ptr<const SparseModel> load_sparse(const Json& config, const ModelPlace& place,
                                               const Description& description);

/// config.json of a model that was trained here: what it has no setting of is not looked at.
std::string sparse_config(const Description& description, const SparseModel& model);
/// Its tensors, with narrow weights; the widest first, so that all are aligned. Views of its
/// memory.
std::vector<SafetensorsEntry> sparse_tensors(const SparseModel& model);

}  // namespace headlight
