// Tensors of a model's files: safetensors (one file, or shards named by an index) or weights.json.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "model/tensor_source.h"

namespace headlight {

/// Mapped, not copied: lookup tables and the weights of linear layers in any format; vectors where
/// they are float32 and lie aligned, else they are widened once.
class FileTensors : public TensorSource {
 public:
  /// `path` ends in .safetensors, .safetensors.index.json, or holds the tensors as JSON.
  /// Throws Error naming file and tensor for all that is wrong with the file itself.
  explicit FileTensors(const std::string& path);

  /// A dtype that is not float, another shape: Error.
  std::span<const float> floats(const std::string& name, const Shape& shape) override;
  Table table(const std::string& name, std::size_t rows, std::size_t cols) override;
  Table weight(const std::string& name, std::size_t out, std::size_t in) override {
    return table(name, out, in);
  }
  bool has(const std::string& name) const override { return stored_.contains(name); }
  std::optional<std::size_t> rows_of(const std::string& name) const override;
  const std::string& where() const override { return path_; }

  /// Throws Error naming the first number that is not finite of all tensors asked for so far.
  void check_finite() const;

  /// The tensors that nobody asked for, by name.
  std::vector<std::string> leftovers() const;
  /// Throws Error naming a tensor that nobody asked for.
  void refuse_leftovers() const;
  /// Throws Error for a tensor that stands in the file and must not.
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const;

  /// Gives the files' pages back to the system; what is read again is fetched again.
  void let_go() const;

  std::size_t bytes_on_disk() const { return bytes_on_disk_; }
  std::size_t parameters() const { return parameters_; }

 private:
  struct Stored {
    std::string file;
    std::string dtype;
    Shape shape;
    const std::byte* bytes = nullptr;
    bool taken = false;
  };
  struct Found {
    NumberFormat format;
    const std::byte* bytes;
    std::size_t count;
  };

  void open_safetensors(const std::string& path, const std::map<std::string, std::string>* owners);
  void open_index(const std::string& path);
  void open_json(const std::string& path);
  Found take(const std::string& name, const Shape& shape);
  Error not_finite(const std::string& name, std::size_t element) const;

  std::string path_;
  std::vector<MappedFile> files_;
  std::map<std::string, Stored> stored_;
  std::vector<std::string> taken_;  // in the order they were asked for
  std::vector<std::unique_ptr<Buffer>> widened_;
  std::size_t bytes_on_disk_ = 0;
  std::size_t parameters_ = 0;
};

}  // namespace headlight
