// The log of strengths that were tried.
#pragma once

#include <memory>
#include <string>

#include "base/output.h"
#include "training/directory/output_place.h"
#include "training/head/head_fitting.h"

namespace headlight {

/// A line of JSON for each strength.
class StrengthLog {
 public:
  /// Writes nothing if `path` is empty. Throws Error if the file may not be replaced: with
  /// place.resume, only a log of the same lines.
  StrengthLog(std::string path, const OutputPlace& place);

  void add(const StrengthTrial& trial);
  void finish();

 private:
  std::string path_;
  bool resumes_;
  std::string text_;
  std::unique_ptr<OutputFile> file_;
};

}  // namespace headlight
