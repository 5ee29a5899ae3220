#include "base/json_array.h"

namespace headlight {

void JsonArray::add(std::string_view value) {
  output_.write(empty_ ? "[" : ",\n");
  empty_ = false;
  output_.write(value);
}

void JsonArray::finish() { output_.write(empty_ ? "[]\n" : "]\n"); }

}  // namespace headlight
