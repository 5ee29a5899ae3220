// Writes the directory of a trained model: config.json, model.safetensors, the files of the
// tokenizer and others. It appears whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "math/number_format.h"
#include "model/families/written_weights.h"
#include "model/model.h"
#include "model/safetensors.h"

namespace headlight {

class ModelDirectory {
 public:
  /// Files are collected in `path`.partial. Throws Error if `path` exists and `force` is false, and
  /// for an existing directory with files that no model has.
  ModelDirectory(std::string path, bool force);
  /// Removes the files unless they were placed.
  ~ModelDirectory();
  ModelDirectory(const ModelDirectory&) = delete;
  ModelDirectory& operator=(const ModelDirectory&) = delete;

  /// Where the files are until place().
  const std::string& folder() const { return partial_; }
  /// Whether the training rows had pairs: the field `pairs` of a config that is written from now
  /// on.
  void set_pairs(bool pairs) { pairs_ = pairs; }
  void write(const std::string& name, std::string_view content);
  void write_weights(const std::vector<SafetensorsEntry>& tensors,
                     const std::string& name = "model.safetensors");
  /// `format`: that of matrices of float32, whose numbers it must represent.
  void write_weights(WrittenTensors tensors, NumberFormat format);
  /// Gives the directory its name, in place of an existing one.
  void place();

 private:
  std::string file(const std::string& name);

  std::string path_;
  std::string partial_;
  std::optional<bool> pairs_;
  bool is_placed_ = false;
};

/// Throws Error as the constructor of ModelDirectory does.
void refuse_directory(const std::string& path, bool force);
/// Throws Error if `path`.partial exists and is not a directory that this program may have left.
void refuse_partial_directory(const std::string& path);

/// Throws Error if a file beside `directory` has a name that a run needs, such as
/// DIR.vectors, but was not written by headlight fit. `force`: files may be replaced, directories
/// not.
void refuse_foreign_files(const std::string& directory, bool force);
/// Deletes these files, after the directory got its name. A run that is killed between the two
/// leaves them for the next one of any kind.
void remove_leftovers(const std::string& directory);
/// Whether the file begins with `magic`, or is shorter and agrees with it so far.
bool begins_with(const std::string& path, std::string_view magic);

/// Sets id2label and problem_type of a config.
void write_labels(const Description& model, nlohmann::ordered_json& config);

/// Sets the field `long` of a config.
void write_reading(const Description& model, nlohmann::ordered_json& config);

/// The config of the start with the labels and problem type of `model`, which was made from it. The
/// fields of the old ones that another number follows from are removed.
nlohmann::ordered_json config_with_labels(const Model& model);

/// Writes the files of `start` with its last layer, labels and problem type replaced by those of
/// `model`, which was made from it; the published layout stays as it is.
void write_with_new_head(const Model& model, ModelDirectory& directory);

/// The folder of the tokenizer's files; empty if the model has none.
std::string tokenizer_folder(const Model& model);
/// The names of the files in a folder that say how text becomes tokens, sorted.
std::vector<std::string> tokenizer_files(const std::string& folder);

/// Copies the files of the model's tokenizer.
void copy_tokenizer(const Model& model, ModelDirectory& directory);

/// The config.json of a native model that reads text with the tokenizer of `model`, whose place it
/// must have. Throws Error for a model that no native config describes.
std::string native_config_text(const Model& model);

/// Writes a native model with the tokenizer of `model`. Throws Error for a model that no native
/// config describes. `format`: that of matrices of float32, whose numbers it must represent.
void write_native(const Model& model, ModelDirectory& directory,
                  NumberFormat format = NumberFormat::f32);

/// Writes the weights of a native model alone.
void write_native_weights(const Model& model, ModelDirectory& directory, NumberFormat format);

}  // namespace headlight
