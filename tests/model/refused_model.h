// What loading a broken model says, in the process of the test.
#pragma once

#include <string>

#include "model/model_files.h"

namespace headlight {

/// What a command that reads texts says of a model that it cannot use; empty if it can.
std::string refusal_of(const std::string& path, const std::string& weights = "");

/// Checks that `line` has each part of `reason`; parts are separated by bars:
/// "classifier.bias|found shape [3]".
void check_parts(const std::string& line, const std::string& reason);

/// Loading the model "toy" whose files these are throws an Error that has each part of `reason` and
/// takes little memory; parts are separated by bars: "classifier.bias|found shape [3]". `path` is
/// what is loaded, "toy" or a config in it.
void check_refused(const Folder& files, const std::string& reason, const std::string& path = "toy");

}  // namespace headlight
