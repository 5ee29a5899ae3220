// The vectors that the last layer of a model reads, of many texts, kept in a file: a run that was
// stopped goes on where it ended, and the vectors of millions of texts need no memory.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sys/types.h>

#include "base/file.h"
#include "base/output.h"
#include "math/matrix.h"
#include "model/model.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// What a file of vectors begins with.
inline constexpr std::string_view kVectorMagic = "headlight vectors ";

/// A file of float32 vectors that belongs to certain texts and a certain encoder. A checksum
/// follows each vector.
class VectorFile {
 public:
  /// `origin` identifies the texts and the encoder; `width` is d. Without a path, the vectors are
  /// in memory. With `resume`, keeps the vectors of a file with the same origin and width up to the
  /// first that is incomplete or damaged. Throws Error if the file cannot be written, if another
  /// run is writing it, or if `resume` finds vectors of another origin.
  VectorFile(std::string path, const std::string& origin, std::size_t width, bool resume);
  /// Whether the constructor could go on with the file at `path`.
  static bool is_of(const std::string& path, const std::string& origin, std::size_t width);
  ~VectorFile();
  VectorFile(const VectorFile&) = delete;
  VectorFile& operator=(const VectorFile&) = delete;

  /// Finished vectors.
  std::size_t count() const { return count_; }
  std::size_t width() const { return width_; }
  /// Adds a vector [d].
  void add(std::span<const float> vector);
  /// Removes all but the first `count` vectors.
  void drop_after(std::size_t count);
  /// Writes what was added.
  void flush() { output_.flush(); }
  /// All finished vectors [n, d], mapped. Throws Error.
  ConstMatrix map();

 private:
  /// The leading bytes of the file that have these vectors.
  off_t bytes_of(std::size_t count) const;
  /// The leading vectors of the file that are as they were written.
  std::size_t count_undamaged() const;

  std::string path_;
  std::size_t width_;
  std::size_t stride_;  // floats: a vector and its checksum
  std::size_t count_ = 0;
  int descriptor_ = -1;
  Output output_;
  std::unique_ptr<MappedFile> mapped_;
};

/// A VectorFile of texts in any order, by their hashes, which several runs share. Vectors are
/// added, none is replaced.
class KeptVectors {
 public:
  /// `origin` identifies the encoder. Throws Error if the file at `path` has no such vectors, or as
  /// VectorFile does.
  KeptVectors(const std::string& path, const std::string& origin, std::size_t width);

  /// The rows whose texts have no vector; of equal texts, the first.
  RowPointers missing(const RowPointers& rows) const;
  /// Adds the vector [d] of a missing text.
  void add(const TextInput& text, std::span<const float> vector);
  void open_added();
  /// The vector [d] of a text that was there, or was opened after it was added.
  std::span<const float> find(const TextInput& text) const;

 private:
  std::size_t width_;
  VectorFile file_;  // [d + 8]: after each vector the 32 characters of its key
  ConstMatrix entries_;
  std::unordered_map<std::string, std::size_t> places_;  // in entries_, by key
};

/// The vector [d] that the last layer reads: the mean of those of the windows. Empty after a
/// signal.
std::vector<float> text_vector(const Model& model, const LabelledRow& row);

using AddVector = std::function<void(const LabelledRow&, std::span<const float>)>;
/// Computes the vectors of rows on `threads` threads, and adds them in their order. Stops early
/// after a signal.
void encode_texts(const Model& model, std::span<const LabelledRow* const> rows, std::size_t threads,
                  const AddVector& add);

}  // namespace headlight
