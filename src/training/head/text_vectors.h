// The vectors that the last layer of a model reads, of many texts, kept in a file: a run that was
// stopped goes on where it ended, and the vectors of millions of texts need no memory.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  /// `origin` identifies the texts and the encoder; `width` is d. With `resume`, keeps the vectors
  /// of a file with the same origin and width up to the first that is incomplete or damaged. Throws
  /// Error if the file cannot be written, if another run is writing it, or if `resume` finds
  /// vectors of another origin.
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
  /// Writes what was added.
  void flush() { output_.flush(); }
  /// All finished vectors [n, d], mapped. Throws Error.
  ConstMatrix map();

 private:
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

/// Adds the vectors of rows[file.count()], … to the file, on `threads` threads. Stops early after a
/// signal. `progress` is called now and then with the number of finished vectors.
void encode_texts(const Model& model, const RowPointers& rows, std::size_t threads,
                  VectorFile& file, const std::function<void(std::size_t)>& progress);

}  // namespace headlight
