// Which files a model's name means: a directory, a bare config, or a name that stands in one of the
// places where models are looked for.
#pragma once

#include <string>
#include <vector>

namespace headlight {

/// The files of one model. Nothing is read yet.
struct ModelPlace {
  std::string name;       // as typed, or the folder's or config's own name
  std::string path;       // the directory, or the bare config
  std::string config;     // path of the config
  std::string weights;    // path of the weights; empty where none stands by
  std::string directory;  // where vocab.txt and tokenizer.json are looked for; empty: bare config
};

/// Folders that hold models by name: HEADLIGHT_MODELS (colons between), `models` beside the
/// program, and the install prefix. Those that exist, in this order.
std::vector<std::string> model_folders();

/// Every model those folders hold; of two with one name, the one that would be found.
std::vector<ModelPlace> list_models();

/// A path that exists wins over a name. `weights` (empty: what stands by) is used as it is given.
/// Throws Error that says where was looked.
ModelPlace locate_model(const std::string& given, const std::string& weights);

}  // namespace headlight
