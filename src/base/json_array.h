// A JSON array that is written value by value.
#pragma once

#include <string_view>

#include "base/output.h"

namespace headlight {

/// One value per line.
class JsonArray {
 public:
  /// `output` must outlive it.
  explicit JsonArray(Output& output) : output_(output) {}

  /// `value` is JSON on one line, without a newline.
  void add(std::string_view value);
  /// Call this after the last value.
  void finish();

 private:
  Output& output_;
  bool empty_ = true;
};

}  // namespace headlight
