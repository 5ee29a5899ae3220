// Finds the files of a model by a directory, a bare config, a file of fastText, or a name in one of
// the folders of models.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

/// The files of one model. Nothing is read yet.
struct ModelPlace {
  std::string name;          // the given name, or the name of the directory or config
  std::string path;          // the directory, or the bare config
  std::string config;        // path of the config
  std::string weights;       // path of the weights; empty if there are none
  std::string directory;     // of vocab.txt and tokenizer.json; empty: bare config
  std::string modules = {};  // path of the modules.json of sentence-transformers; empty: none
  std::string adapter = {};  // path of the config of an adapter of this model; empty: none
  bool is_fasttext = false;  // a file of fastText, which is also `config` and `weights`
};

/// The bytes of the files beside a config, or of a file that is a model.
std::uintmax_t bytes_of_files(const ModelPlace& place);

/// The existing folders `name` of what is installed with the program or library whose folder is
/// `place`: beside it, and in share/headlight of its install prefix, in this order.
std::vector<std::string> data_folders(const std::string& name, const std::string& place);
/// Of this program.
std::vector<std::string> data_folders(const std::string& name);

/// The folders that contain models by name: HEADLIGHT_MODELS (separated by colons), then
/// data_folders("models"). Only existing folders are returned.
std::vector<std::string> model_folders(const std::string& place);
/// Of this program.
std::vector<std::string> model_folders();

/// Whether a directory has the config of a model, or the modules of one.
bool is_model_folder(const std::string& path);

/// All models in these folders. If several have the same name, only the first is returned.
std::vector<ModelPlace> list_models(const std::vector<std::string>& folders = model_folders());

/// The path of `name` beside the config: in the model's directory, or NAME.`name` next to a bare
/// NAME.json.
std::string beside_config(const ModelPlace& place, const std::string& name);

/// The thresholds of a cascade of the model and a larger one (metrics/cascade_file.h). They are
/// read by --agree alone: they are no part of the model.
inline constexpr const char* kCascadeFile = "cascade.json";

/// The files in the model's directory that belong to a model, whether or not they are read.
std::vector<std::string> files_of_folder(const ModelPlace& place);

/// An existing path takes precedence over a name. `weights` is the path of the weights; empty: the
/// weights next to the config. Throws Error that says what to give instead, see not_a_model.h.
ModelPlace locate_model(const std::string& given, const std::string& weights,
                        const std::vector<std::string>& folders = model_folders());

}  // namespace headlight
