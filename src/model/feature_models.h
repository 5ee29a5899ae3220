// Models that read texts by themselves (text/feature_model.h): a file of fastText, or a directory
// of counted features. The WebAssembly module, whose pages show layers, is linked without them:
// no_feature_models.cpp refuses them in place of feature_models.cpp.
#pragma once

#include "base/file.h"
#include "base/json_fwd.h"
#include "model/model.h"

namespace headlight {

/// `files`: those that are read from here on.
Model load_fasttext(const ModelPlace& place, const FilesRead& files);
/// `json`: its config.
Model load_sparse_model(const ModelPlace& place, const Json& json, const FilesRead& files);

}  // namespace headlight
