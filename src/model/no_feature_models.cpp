#include "base/error.h"
#include "model/feature_models.h"

namespace headlight {
namespace {

[[noreturn]] void refuse(const ModelPlace& place, const char* kind) {
  throw Error(place.path, std::string("is a model of ") + kind +
                              ", without layers, and the WebAssembly module needs some");
}

}  // namespace

Model load_fasttext(const ModelPlace& place, const FilesRead& /*files*/) {
  refuse(place, "fastText");
}

Model load_sparse_model(const ModelPlace& place, const Json& /*json*/, const FilesRead& /*files*/) {
  refuse(place, "n-grams");
}

}  // namespace headlight
