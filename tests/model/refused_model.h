// What loading a broken model says, in the process of the test.
#pragma once

#include <string>

#include "model/model_files.h"

namespace headlight {

/// Loading the model "toy" whose files these are throws an Error that has each part of `reason` and
/// takes little memory; parts are separated by bars: "classifier.bias|found shape [3]". `path` is
/// what is loaded, "toy" or a config in it.
void check_refused(const Folder& files, const std::string& reason, const std::string& path = "toy");

}  // namespace headlight
