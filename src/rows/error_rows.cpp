#include "rows/error_rows.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include <unistd.h>

#include "base/compression.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/hash.h"
#include "base/placing.h"
#include "rows/fingerprint.h"

namespace headlight {
namespace {

/// Stands before the bytes of one row, or of a piece of rows.
struct Entry {
  std::uint64_t good;   // rows of the output before it
  std::uint64_t rows;   // how many it adds
  std::uint64_t bytes;  // after it
  std::uint64_t hash;   // of these
};

/// Removes the first entry from `rest`, and returns it with its bytes. Empty at the end and at
/// damage.
std::optional<std::pair<Entry, std::string_view>> take_entry(std::string_view& rest) {
  Entry entry{};
  if (rest.size() < sizeof entry) return std::nullopt;
  std::memcpy(&entry, rest.data(), sizeof entry);
  const std::string_view bytes = rest.substr(sizeof entry, entry.bytes);
  const bool whole = bytes.size() == entry.bytes;
  if (!whole || short_hash_of(bytes, entry.good) != entry.hash) return std::nullopt;
  rest.remove_prefix(sizeof entry + bytes.size());
  return std::pair(entry, bytes);
}

/// Whether an existing file is to be replaced: a stopped run left what stands beside it.
bool replaces(const std::string& path, bool force) {
  return force || (is_named(path + ".rows") && !is_named(path));
}

}  // namespace

ErrorRows::ErrorRows(const std::string& path, bool force, std::size_t good)
    : path_(path),
      rows_path_(path + ".rows"),
      file_(path, replaces(path, force)),
      descriptor_(open_alone(rows_path_, Leftover::keep)),
      rows_(std::make_unique<Output>(descriptor_, rows_path_)) {
  refuse_input(descriptor_, rows_path_);
  keep_rows(good);
}

bool ErrorRows::has_rows(const std::string& path) {
  if (!file_exists(path + ".rows")) return false;
  const MappedFile file(path + ".rows");
  release_input(path + ".rows");  // it is written
  std::string_view rest = file.text();
  return take_entry(rest).has_value();
}

void ErrorRows::keep_rows(std::size_t good) {
  std::size_t kept = 0;
  {
    const MappedFile file(rows_path_);
    std::string_view rest = file.text();
    auto found = take_entry(rest);
    if (!found && !file.text().empty() && good == 0) {
      throw Error(rows_path_, "exists already and has no rows of a stopped run", "rename it");
    }
    for (; found && good > 0 && found->first.good <= good; found = take_entry(rest)) {
      kept = file.text().size() - rest.size();
      earlier_ += found->first.rows;
      last_good_ = found->first.good;
    }
  }
  const auto end = static_cast<off_t>(kept);
  if (::ftruncate(descriptor_, end) != 0 || ::lseek(descriptor_, end, SEEK_SET) < 0) {
    throw Error(rows_path_, "cannot be truncated to its complete rows");
  }
}

ErrorRows::~ErrorRows() {
  try {
    sync();
  } catch (...) {
    // A destructor must not throw. The next run scores these rows again.
  }
  ::close(descriptor_);
}

void ErrorRows::put(std::size_t good, std::size_t rows, std::string_view bytes) {
  const Entry entry{good, rows, bytes.size(), short_hash_of(bytes, good)};
  rows_->write({reinterpret_cast<const char*>(&entry), sizeof entry});
  rows_->write(bytes);
  last_good_ = good;
  is_synced_ = false;
}

void ErrorRows::sync() {
  if (!is_synced_) rows_->flush_to_disk();
  is_synced_ = true;
}

void ErrorRows::extend(std::size_t rows) {
  earlier_ = rows;
  const MappedFile file(path_);
  std::string_view rest = file.text();
  std::optional<Decompressor> opened;
  const Compression compression = compression_of(path_);
  if (compression != Compression::none) opened.emplace(compression, path_);
  constexpr std::size_t kPieceSize = std::size_t{64} * 1024;
  std::string piece(kPieceSize, '\0');
  while (true) {
    const bool was_empty = rest.empty();
    std::size_t size = 0;
    if (opened) {
      size = opened->read(rest, piece);
    } else {
      size = rest.copy(piece.data(), piece.size());
      rest.remove_prefix(size);
    }
    if (size == 0 && was_empty) break;
    put(0, std::exchange(rows, 0), {piece.data(), size});
  }
  sync();
}

void ErrorRows::finish(std::string_view header, const Origin& made) {
  sync();
  const MappedFile rows(rows_path_);
  std::string_view rest = rows.text();
  const auto first = take_entry(rest);
  const bool has_header =
      first && (first->second.starts_with(header) || header.starts_with(first->second));
  if (!has_header) file_.output().write(header);  // those of a finished file begin with it
  rest = rows.text();
  while (const auto found = take_entry(rest)) file_.output().write(found->second);
  file_.finish();
  keep_fingerprint(path_, path_, made);
}

void ErrorRows::remove_leftover(const std::string& path) {
  const std::string left = path + ".rows";
  if (target_at(left) != Target::file) return;
  const MappedFile file(left);
  std::string_view rest = file.text();
  if (rest.empty() || take_entry(rest)) ::unlink(left.c_str());
}

void ErrorRows::remove_rows() { ::unlink(rows_path_.c_str()); }

}  // namespace headlight
