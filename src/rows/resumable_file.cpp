#include "rows/resumable_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "rows/fingerprint.h"

namespace headlight {
namespace {

constexpr const char* kWaysToContinue = "--resume continues it, --force starts over";
constexpr const char* kStartOver = "--force starts over";
constexpr std::size_t kLongestMember = std::size_t{256} * 1024 * 1024;  // of rows
constexpr std::size_t kPieceSize = std::size_t{64} * 1024;

/// The next bytes of a file; empty at its end.
std::string_view next_piece(int descriptor, std::string& buffer, const std::string& name) {
  buffer.resize(kPieceSize);
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count >= 0) return std::string_view(buffer).substr(0, static_cast<std::size_t>(count));
    if (errno != EINTR) throw Error(name, "cannot read: " + system_message(errno));
  }
}

/// Whether start_over() wrote the file.
bool is_manifest(const std::string& path) {
  try {
    const MappedFile file(path);
    origin_from_json(file.text(), path);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

ResumableFile::ResumableFile()
    : descriptor_(STDOUT_FILENO),
      output_(std::make_unique<Output>(descriptor_, "standard output")) {}

ResumableFile::ResumableFile(std::string path, Earlier earlier, const Origin& origin,
                             RowFinder& finder)
    : path_(std::move(path)), compression_(compression_of(path_)), replaces_(is_named(path_)) {
  claim_output(path_, {".partial", ".partial.json", ".partial.json.new"});
  refuse_folder_of(path_);
  if (target_at(path_) != Target::special) partial_ = path_ + ".partial";
  if (is_complete_already(earlier, origin)) return;
  open(earlier);
  if (is_finished()) return;
  try {
    const bool rows = can_be_resumed() && ::lseek(descriptor_, 0, SEEK_END) > 0;
    if (rows && earlier == Earlier::refuse) {
      throw Error(partial_, "contains rows of a stopped run", kWaysToContinue);
    }
    if (rows && earlier != Earlier::replace) {
      resume(origin, finder);
    } else if (can_be_resumed()) {
      refuse_foreign_manifest(earlier);
      start_over(origin);
    }
  } catch (...) {
    close();
    throw;
  }
}

void ResumableFile::extend(RowFinder& finder) {
  open(Earlier::replace);
  try {
    refuse_foreign_manifest(Earlier::refuse);
    copy_finished();
    take_rows(finder);
    go_on();
  } catch (...) {
    close();
    throw;
  }
}

/// Removes a file without rows.
void ResumableFile::close() {
  if (can_be_resumed() && ::lseek(descriptor_, 0, SEEK_END) == 0) {
    ::unlink(partial_.c_str());
    remove_manifest();
  }
  ::close(std::exchange(descriptor_, -1));
}

/// A file of this name that start_over() did not write belongs to somebody else.
void ResumableFile::refuse_foreign_manifest(Earlier earlier) const {
  if (earlier == Earlier::replace || !is_named(manifest()) || is_manifest(manifest())) return;
  throw Error(manifest(), "exists already and does not describe rows of a stopped run",
              "rename it, or choose another output");
}

void ResumableFile::remove_manifest() const {
  if (is_manifest(manifest())) ::unlink(manifest().c_str());
  std::error_code ignored;
  const bool is_begun = std::filesystem::is_empty(new_manifest(), ignored);
  if (is_begun || is_manifest(new_manifest())) ::unlink(new_manifest().c_str());
}

/// Nobody else writes the new file, so a killed run leaves no more than one.
void ResumableFile::describe(const Origin& origin) const {
  const int descriptor = open_alone(new_manifest(), Leftover::replace);
  try {
    Output output(descriptor, new_manifest());
    output.write(to_json(origin));
    output.flush_to_disk();
    place_file(new_manifest(), manifest());
  } catch (...) {
    ::close(descriptor);
    ::unlink(new_manifest().c_str());
    throw;
  }
  ::close(descriptor);
}

void ResumableFile::count_finished(RowFinder& finder) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw Error(path_, system_message(errno));
  try {
    take_rows(finder);
  } catch (...) {
    ::close(std::exchange(descriptor_, -1));
    throw;
  }
  ::close(std::exchange(descriptor_, -1));
}

/// Throws if an existing file must not be replaced.
bool ResumableFile::is_complete_already(Earlier earlier, const Origin& origin) const {
  const Target target = target_at(path_);
  if (target == Target::directory) throw Error(path_, "is a directory, expected a file to write");
  if (target != Target::file || earlier == Earlier::replace) return false;
  // A stopped run that was replacing this file left its partial rows next to it.
  if (earlier == Earlier::refuse) throw Error(path_, "exists already", "--force replaces it");
  const bool stopped = target_at(partial_) == Target::file;
  if (stopped && (earlier == Earlier::resume || continues(origin))) return false;
  remove_manifest();  // left if the power failed before it was deleted
  return true;
}

/// Whether the rows of a stopped run have this origin. Throws Error if they have other options or
/// another model: then they are not of this run with fewer rows.
bool ResumableFile::continues(const Origin& origin) const {
  if (!is_manifest(manifest())) return false;
  Origin then = origin_from_json(MappedFile(manifest()).text(), manifest());
  if (difference(then, origin).empty()) return true;
  then.input = origin.input;
  const std::string other = difference(then, origin);
  if (other.empty() || MappedFile(partial_).text().empty()) return false;
  throw Error("", partial_ + ' ' + other, "finish that run, or delete the file");
}

void ResumableFile::open(Earlier earlier) {
  const Leftover leftover = earlier == Earlier::replace ? Leftover::replace : Leftover::keep;
  descriptor_ = can_be_resumed() ? open_alone(partial_, leftover)
                                 : ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw Error(path_, "cannot write: " + system_message(errno));
  if (can_be_resumed()) take_mode(descriptor_, path_);
  output_ = std::make_unique<Output>(descriptor_, can_be_resumed() ? partial_ : path_);
  if (!can_be_resumed() || earlier == Earlier::replace || target_at(path_) != Target::file) return;
  // Another run has finished since the first check, or a run that was to replace the file wrote
  // nothing.
  const bool begun = ::lseek(descriptor_, 0, SEEK_END) > 0 || file_exists(manifest());
  if (begun) return;
  ::unlink(partial_.c_str());
  ::close(std::exchange(descriptor_, -1));
  if (earlier == Earlier::refuse) throw Error(path_, "exists already", "--force replaces it");
}

void ResumableFile::seek(std::uint64_t place) const {
  if (::lseek(descriptor_, static_cast<off_t>(place), SEEK_SET) < 0) {
    throw Error(partial_, "cannot be resumed: " + system_message(errno));
  }
}

void ResumableFile::cut(std::uint64_t size) const {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) {
    throw Error(partial_, "cannot be truncated to its complete rows: " + system_message(errno));
  }
  seek(size);
}

/// The old rows must be gone from the disk before the manifest describes the new ones.
void ResumableFile::start_over(const Origin& origin) {
  cut(0);
  output_->flush_to_disk();
  describe(origin);
}

/// Until the manifest is written, nobody takes the copy for rows of a stopped run.
void ResumableFile::copy_finished() {
  ::unlink(manifest().c_str());
  cut(0);
  const int finished = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (finished < 0) throw Error(path_, system_message(errno));
  try {
    std::string buffer;
    for (std::string_view bytes; !(bytes = next_piece(finished, buffer, path_)).empty();) {
      output_->write(bytes);
    }
  } catch (...) {
    ::close(finished);
    throw;
  }
  ::close(finished);
  output_->flush_to_disk();
}

void ResumableFile::check_origin(const Origin& origin) const {
  const MappedFile file(manifest());
  const std::string found = difference(origin_from_json(file.text(), manifest()), origin);
  if (!found.empty()) throw Error("", partial_ + ' ' + found, kStartOver);
}

void ResumableFile::resume(const Origin& origin, RowFinder& finder) {
  const bool known = file_exists(manifest());
  if (known) check_origin(origin);
  take_rows(finder);
  if (!begun_) return start_over(origin);
  if (!known) {
    throw Error(partial_, "cannot be resumed without " + manifest() + ", which is missing",
                kStartOver);
  }
  go_on();
  if (origin.accepts_build) describe(origin);
}

void ResumableFile::take_rows(RowFinder& finder) {
  ::lseek(descriptor_, 0, SEEK_SET);
  compression_ == Compression::none ? find_rows(finder) : find_compressed_rows(finder);
  earlier_rows_ = finder.found();
  begun_ = earlier_rows_.rows > 0;
}

/// Writes the next row after those that were found.
void ResumableFile::go_on() const {
  compression_ == Compression::none ? cut(earlier_rows_.bytes) : seek(members_);
}

void ResumableFile::find_rows(RowFinder& finder) {
  std::string buffer;
  while (!finder.is_damaged()) {
    const std::string_view bytes = next_piece(descriptor_, buffer, partial_);
    if (bytes.empty()) return;
    finder.add(bytes);
  }
}

/// Only complete members count, because they end with a checksum: decompressed garbage after a
/// power failure may look like rows. Rows after the full members are loaded into member_ again.
void ResumableFile::find_compressed_rows(RowFinder& finder) {
  Decompressor decompressor(compression_, partial_);
  std::string buffer;
  std::string opened;  // from a member that is not complete
  std::array<char, kPieceSize> out{};
  std::uint64_t consumed = 0;    // bytes of the file
  std::uint64_t in_members = 0;  // bytes of rows in full members
  std::string_view bytes;
  try {
    while (!finder.is_damaged() && opened.size() < kLongestMember) {
      if (bytes.empty()) bytes = next_piece(descriptor_, buffer, partial_);
      const std::size_t before = bytes.size();
      const std::size_t made = decompressor.read(bytes, out);
      if (made == 0 && before == 0) break;
      consumed += before - bytes.size();
      opened.append(out.data(), made);
      if (!decompressor.between_members()) continue;
      finder.add(opened);
      member_ += std::exchange(opened, "");
      const bool sound = finder.found().bytes == in_members + member_.size();
      if (sound && member_.size() >= kMemberSize) {
        members_ = consumed;
        in_members += std::exchange(member_, "").size();
      }
    }
  } catch (const Error&) {
    // Damaged from here to the end.
  }
  member_.resize(std::max(finder.found().bytes, in_members) - in_members);
  tail_ = true;
}

void ResumableFile::write(std::string_view row) {
  begun_ = true;
  if (compression_ == Compression::none) {
    guard([&] { output_->write(row); });
    return;
  }
  member_ += row;
  if (member_.size() >= kMemberSize) guard([&] { write_member(); });
}

/// Overwrites a member that was closed early; the new member contains its rows too. A run that is
/// killed here loses only these rows.
void ResumableFile::write_member() {
  output_->write(compressed_member(compression_, member_));
  member_.clear();
  output_->flush();
  cut_tail();
}

/// Truncates the file after the current position.
void ResumableFile::cut_tail() {
  if (!std::exchange(tail_, false)) return;
  cut(static_cast<std::uint64_t>(::lseek(descriptor_, 0, SEEK_CUR)));
}

template <typename Action>
void ResumableFile::guard(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    failed_ = true;
    const bool kept = keeps_rows_ && can_be_resumed() && ::lseek(descriptor_, 0, SEEK_END) > 0;
    if (!kept) throw;
    throw Error("", error.line(), "its rows are kept, --resume continues after them");
  } catch (...) {
    failed_ = true;
    throw;
  }
}

void ResumableFile::flush() {
  guard([&] { output_->flush(); });
}

void ResumableFile::write_beginning(std::string_view bytes) {
  guard([&] {
    output_->flush();
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t count =
          ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
      if (count < 0 && errno != EINTR) {
        throw Error(partial_, "cannot write: " + system_message(errno));
      }
      if (count > 0) done += static_cast<std::size_t>(count);
    }
  });
}

void ResumableFile::finish(const Origin* made) {
  if (is_standard()) return flush();
  guard([&] {
    const bool compressed = compression_ != Compression::none;
    if (compressed && (!member_.empty() || !begun_)) write_member();
    cut_tail();
    output_->flush();
    if (made != nullptr && can_be_resumed()) keep_fingerprint(partial_, path_, *made);
    output_->flush_to_disk();
  });
  if (can_be_resumed()) {
    keeps_rows_ = true;  // all of them
    if (replaces_) {
      place_file(partial_, path_);
    } else if (!place_new_file(partial_, path_)) {
      throw Error(path_, "was created by another program during this run",
                  "the rows are kept in " + partial_ + ", and --resume replaces the file");
    }
    ::unlink(manifest().c_str());
    remove_manifest();
  }
  ::close(std::exchange(descriptor_, -1));
}

void ResumableFile::write_buffered() {
  if (!keeps_rows_ && can_be_resumed()) {
    ::unlink(partial_.c_str());
    return remove_manifest();
  }
  if (failed_) return;  // the buffered rows may be written in part
  guard([&] {
    if (!member_.empty()) write_member();
    output_->flush();
  });
}

ResumableFile::~ResumableFile() {
  if (descriptor_ < 0 || is_standard()) return;
  try {
    write_buffered();
  } catch (...) {
    // A destructor must not throw. The next run writes the missing rows again.
  }
  close();
}

}  // namespace headlight
