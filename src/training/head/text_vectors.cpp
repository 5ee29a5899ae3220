#include "training/head/text_vectors.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>
#include <unordered_set>
#include <utility>

#include <sys/mman.h>
#include <tbb/enumerable_thread_specific.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_guard.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/placing.h"
#include "classifier/batched_encoder.h"
#include "encoder/forward.h"
#include "training/directory/model_directory.h"

namespace headlight {
namespace {

constexpr std::size_t kVectorHeader = 64;    // bytes, so that vectors are aligned
constexpr std::size_t kVectorChecksum = 32;  // bytes: hash_of() the vector
constexpr std::size_t kTextsAtOnce = 64;
constexpr std::size_t kKeyFloats = 8;  // the 32 characters of hash_of()

/// "headlight vectors", the width and a hash of the origin, filled with blanks.
std::string vector_header(const std::string& origin, std::size_t width) {
  std::string header = std::string(kVectorMagic) + hash_of(origin + '\n' + std::to_string(width));
  header.resize(kVectorHeader - 1, ' ');
  return header + '\n';
}

/// The vectors of `rows`, one after the other; fewer if a signal stopped the work.
std::vector<float> encode_some(const Model& model, std::span<const LabelledRow* const> rows,
                               ScoringScratch& scratch) {
  const auto run = [&](const Batch& batch, Scratch& memory) {
    return classifier_inputs(model.description, model.weights, {batch, memory});
  };
  const auto read = [&](std::size_t i) { return read_text(*rows[i]); };
  BatchedEncoder encoder(run, model.description, tokens_at_once(model.description), scratch);
  std::vector<float> vectors;
  for (const EncodedText& text : encoder.encode(rows.size(), read, is_interrupted)) {
    const std::vector<float> vector = text.windows.mean();
    if (!std::ranges::all_of(vector, [](float x) { return std::isfinite(x); })) {
      throw TrainingError(model.place.path + ": the vector of a text is not finite");
    }
    vectors.insert(vectors.end(), vector.begin(), vector.end());
  }
  return vectors;
}

std::string key_of_text(const TextInput& text) {
  return hash_of(text.text + '\0' + text.pair.value_or("\1"));
}

/// Returns the path.
const std::string& refuse_others(const std::string& path, const std::string& origin,
                                 std::size_t width) {
  if (!is_named(path) || VectorFile::is_of(path, origin, width)) return path;
  throw Error(path,
              begins_with(path, kVectorMagic)
                  ? "has vectors of another encoder, of other windows or of another processor"
                  : "exists, but has no vectors that headlight wrote",
              "choose another file for --vectors, or delete this one");
}

/// Sets the path of a file in memory.
int open_claimed(std::string& path, bool resume) {
  if (path.empty()) {
    const int descriptor = ::memfd_create("headlight", MFD_CLOEXEC);
    if (descriptor < 0) throw Error("", "cannot make a file in memory: " + system_message(errno));
    path = "/proc/self/fd/" + std::to_string(descriptor);
    return descriptor;
  }
  claim_output(path, {});
  return open_alone(path, resume ? Leftover::keep : Leftover::replace);
}

}  // namespace

VectorFile::VectorFile(std::string path, const std::string& origin, std::size_t width, bool resume)
    : path_(std::move(path)),
      width_(width),
      stride_(width + kVectorChecksum / sizeof(float)),
      descriptor_(open_claimed(path_, resume)),
      output_(descriptor_, path_) {
  const std::string header = vector_header(origin, width);
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  const auto size = static_cast<std::size_t>(std::max<off_t>(end, 0));
  if (resume) {
    std::string found(std::min(size, kVectorHeader), ' ');
    const ssize_t count = ::pread(descriptor_, found.data(), found.size(), 0);
    if (count != static_cast<ssize_t>(found.size()) || !header.starts_with(found)) {
      ::close(descriptor_);
      throw Error(path_, "has vectors of other rows or of another model",
                  "without --resume they are replaced");
    }
    if (size > kVectorHeader) count_ = count_undamaged();
  }
  const bool is_new = count_ == 0;
  if (::ftruncate(descriptor_, is_new ? 0 : bytes_of(count_)) != 0 ||
      ::lseek(descriptor_, 0, SEEK_END) < 0) {
    ::close(descriptor_);
    throw Error(path_, "cannot write: " + system_message(errno));
  }
  if (is_new) output_.write(header);
  flush();
}

off_t VectorFile::bytes_of(std::size_t count) const {
  return static_cast<off_t>(kVectorHeader + count * stride_ * sizeof(float));
}

void VectorFile::drop_after(std::size_t count) {
  if (count_ <= count) return;
  count_ = count;
  if (::ftruncate(descriptor_, bytes_of(count)) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0) {
    throw Error(path_, "cannot write: " + system_message(errno));
  }
}

bool VectorFile::is_of(const std::string& path, const std::string& origin, std::size_t width) {
  return begins_with(path, vector_header(origin, width));
}

VectorFile::~VectorFile() {
  // The next training of this run replaces it.
  release_input(path_);
  release_output(path_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t VectorFile::count_undamaged() const {
  const MappedFile file(path_);
  release_input(path_);  // it is written
  const std::size_t length = width_ * sizeof(float);
  std::string_view rest = file.text().substr(kVectorHeader);
  std::size_t count = 0;
  for (; rest.size() >= length + kVectorChecksum; ++count) {
    if (hash_of(rest.substr(0, length)) != rest.substr(length, kVectorChecksum)) break;
    rest.remove_prefix(length + kVectorChecksum);
  }
  return count;
}

void VectorFile::add(std::span<const float> vector) {
  const std::string_view bytes(reinterpret_cast<const char*>(vector.data()), vector.size_bytes());
  output_.write(bytes);
  output_.write(hash_of(bytes));
  ++count_;
}

ConstMatrix VectorFile::map() {
  flush();
  mapped_ = std::make_unique<MappedFile>(path_);
  const std::byte* first = mapped_->bytes().data() + kVectorHeader;
  return {reinterpret_cast<const float*>(first), count_, width_, stride_};
}

std::vector<float> text_vector(const Model& model, const LabelledRow& row) {
  ScoringScratch scratch;
  const LabelledRow* const only = &row;
  return encode_some(model, {&only, 1}, scratch);
}

KeptVectors::KeptVectors(const std::string& path, const std::string& origin, std::size_t width)
    : width_(width),
      file_(refuse_others(path, origin, width + kKeyFloats), origin, width + kKeyFloats,
            /*resume=*/true) {
  open_added();
}

RowPointers KeptVectors::missing(const RowPointers& rows) const {
  RowPointers unknown;
  std::unordered_set<std::string> seen;
  for (const LabelledRow* row : rows) {
    const std::string key = key_of_text(row->input);
    if (!places_.contains(key) && seen.insert(key).second) unknown.push_back(row);
  }
  return unknown;
}

void KeptVectors::add(const TextInput& text, std::span<const float> vector) {
  const std::string key = key_of_text(text);
  std::vector<float> entry(vector.begin(), vector.end());
  entry.resize(width_ + kKeyFloats);
  std::memcpy(entry.data() + width_, key.data(), key.size());
  file_.add(entry);
}

void KeptVectors::open_added() {
  entries_ = file_.map();
  for (std::size_t i = 0; i < entries_.rows; ++i) {
    const auto* key = reinterpret_cast<const char*>(entries_.row(i).data() + width_);
    places_.try_emplace(std::string(key, kKeyFloats * sizeof(float)), i);
  }
}

std::span<const float> KeptVectors::find(const TextInput& text) const {
  return entries_.row(places_.at(key_of_text(text))).first(width_);
}

void encode_texts(const Model& model, std::span<const LabelledRow* const> rows, std::size_t threads,
                  const AddVector& add) {
  using Rows = std::span<const LabelledRow* const>;
  struct Encoded {
    Rows rows;
    std::vector<float> vectors;
  };
  tbb::enumerable_thread_specific<ScoringScratch> scratches;
  Rows left = rows;
  bool gap = false;  // after unfinished texts, nothing may be added
  const auto produce = [&]() -> std::optional<Rows> {
    if (left.empty() || is_interrupted()) return std::nullopt;
    Rows next = left.first(std::min(kTextsAtOnce, left.size()));
    left = left.subspan(next.size());
    return next;
  };
  const auto transform = [&](Rows next) {
    return Encoded{next, encode_some(model, next, scratches.local())};
  };
  const auto consume = [&](const Encoded& texts) {
    if (gap) return;
    const std::size_t width = model.description.classifier_size();
    const std::size_t count = texts.vectors.size() / width;
    for (std::size_t i = 0; i < count; ++i) {
      add(*texts.rows[i], std::span(texts.vectors).subspan(i * width, width));
    }
    gap = count < texts.rows.size();
  };
  ordered_parallel_map<Rows, Encoded>(threads, produce, transform, consume);
}

}  // namespace headlight
