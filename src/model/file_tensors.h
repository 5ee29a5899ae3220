// Tensors from the files of a model: safetensors (one file, or shards with an index) or
// weights.json.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "model/safetensors.h"
#include "model/tensor_source.h"

namespace headlight {

/// Lookup tables and the weights of linear layers are mapped, not copied, in any format. Vectors
/// are mapped if they are aligned float32, else they are converted once.
class FileTensors : public TensorSource {
 public:
  /// `path` ends in .safetensors or .safetensors.index.json, or contains the tensors as JSON.
  /// Throws Error that names file and tensor if the file is invalid.
  explicit FileTensors(const std::string& path);

  /// Throws Error if the shape is different or the dtype is not a float type. A table X.weight may
  /// be I8, if there is a tensor X.scale with the scale of each row.
  std::span<const float> floats(const std::string& name, const Shape& shape) override;
  Table table(const std::string& name, std::size_t rows, std::size_t cols) override;
  Table weight(const std::string& name, std::size_t out, std::size_t in) override;
  std::optional<StoredTensor> stored(const std::string& name) override;
  bool has(const std::string& name) const override { return stored_.contains(name); }
  std::optional<std::size_t> rows_of(const std::string& name) const override;
  const std::string& where() const override { return path_; }

  /// A tensor of float32 in the place of the one with this name, if there is one; copied. Throws
  /// Error if weights are transposed.
  void replace(const std::string& name, const Shape& shape, std::span<const float> values);

  /// Checks that all numbers of the tensors requested so far are finite, while `meanwhile`, if not
  /// empty, runs on one of the threads. The pages of `lookup`, a table of which only some rows will
  /// be read, are released. Throws Error that names the first number that is not finite, else what
  /// `meanwhile` throws.
  void check_finite(const Table& lookup = {}, const std::function<void()>& meanwhile = {}) const;

  /// From here on, tensors that are missing are those that `made` makes.
  void fill_missing(std::unique_ptr<TensorSource> made) { made_ = std::move(made); }
  /// From here on, small tensors that are missing are zeros until refuse_missing().
  void defer_missing() { defers_missing_ = true; }
  /// Throws Error that names all tensors that were requested and are missing, if there is one.
  void refuse_missing();

  /// All tensors, requested or not, by name.
  std::vector<SafetensorsEntry> entries() const;
  /// The names of the tensors that were not requested.
  std::vector<std::string> leftovers() const;
  /// Throws Error that names a tensor that was not requested, if there is one.
  void refuse_leftovers() const;
  /// Throws Error for a tensor that must not be in the file.
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const;

  /// Releases the pages of the files to the system. They are loaded again when they are read.
  void let_go() const;

  std::size_t bytes_on_disk() const { return bytes_on_disk_; }
  std::size_t parameters() const { return parameters_; }

 private:
  struct Stored {
    std::string file;
    std::string dtype;
    Shape shape;
    const std::byte* bytes = nullptr;
    std::size_t size = 0;  // in bytes
    bool taken = false;
  };
  /// A part of a tensor that one thread checks.
  struct Block {
    const std::string* name;
    const Stored* tensor;
    NumberFormat format;
    std::size_t first;
    std::size_t count;

    std::span<const std::byte> bytes() const {
      return {tensor->bytes + first * bytes_each(format), count * bytes_each(format)};
    }
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
  Found missing(const std::string& name, const Shape& shape);
  void turn(const std::string& name, std::size_t out, std::size_t in);
  std::vector<Block> blocks() const;
  Error not_finite(const Block& block, std::size_t element) const;

  std::string path_;
  std::vector<MappedFile> files_;
  std::map<std::string, Stored> stored_;
  std::vector<std::string> taken_;  // in the order of the requests
  std::vector<std::unique_ptr<Buffer>> widened_;
  bool transposed_ = false;             // weights are stored as [in, out]
  std::set<std::string> turned_;        // those that are no longer
  std::unique_ptr<TensorSource> made_;  // of tensors that are missing
  bool defers_missing_ = false;
  std::vector<std::string> missing_;      // "NAME: missing, expected shape [2, 3]", then "NAME [3]"
  std::deque<std::vector<float>> zeros_;  // in place of missing tensors
  std::size_t bytes_on_disk_ = 0;
  std::size_t parameters_ = 0;
};

}  // namespace headlight
