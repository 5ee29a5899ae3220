// What to do where the path or name of a model is something else: a file of weights, a folder of
// models, a name on the Hugging Face Hub, a mistyped name.
#pragma once

#include <string>
#include <vector>

namespace headlight {

/// Throws Error if the existing `path` is a file of a model other than its config, or a folder
/// without a config.json that has models below it.
void refuse_parts_of_models(const std::string& path);

/// Throws Error for a name that is neither a path nor in one of these folders of models.
[[noreturn]] void fail_unknown_model(const std::string& given,
                                     const std::vector<std::string>& folders);

}  // namespace headlight
