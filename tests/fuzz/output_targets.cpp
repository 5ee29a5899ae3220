// Files that are written, replaced and read while system calls fail, among files of strangers.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/compression.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output.h"
#include "base/placing.h"
#include "base/sorted_lines.h"
#include "base/temporary_folder.h"
#include "base/unfinished_file.h"
#include "fuzz/decompressed.h"
#include "fuzz/failing_calls.h"
#include "fuzz/targets.h"
#include "rows/origin.h"
#include "rows/resumable_file.h"
#include "rows/whole_rows.h"

namespace headlight::fuzz {
namespace {

namespace fs = std::filesystem;

/// What is in a folder: the bytes of each file, what each link leads to, and "/" for a folder.
using Files = std::map<std::string, std::string>;

class Scene {
 public:
  explicit Scene(std::vector<Fault> faults) : faults_(std::move(faults)) {}

  std::string path(const std::string& name) const { return folder_ / name; }
  const TemporaryFolder& folder() const { return folder_; }

  Files files() const {
    Files files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      const std::string name = entry.path().lexically_relative(folder_.path()).string();
      if (entry.is_symlink()) {
        files[name] = "-> " + fs::read_symlink(entry.path()).string();
      } else {
        files[name] = entry.is_directory() ? "/" : content_of(entry.path().string());
      }
    }
    return files;
  }

  /// Runs `action` with its faults. Returns whether it throws Error.
  bool fails(const std::function<void()>& action) const {
    const FailingCalls calls(faults_);
    const bool refused = is_refused(action);
    require(calls.open_descriptors() == 0, "what was opened is closed");
    return refused;
  }

 private:
  TemporaryFolder folder_;
  std::vector<Fault> faults_;
};

struct Operation {
  std::string name;
  std::string bytes;
  bool force;
  bool rival;  // another program creates the file at the same time
};

/// The files but those whose names begin with `name`.
Files without(Files files, const std::string& name) {
  std::erase_if(files, [&](const auto& file) { return file.first.starts_with(name); });
  return files;
}

/// What has the name; empty if nothing has it.
std::optional<std::string> at(const Files& files, const std::string& name) {
  const auto found = files.find(name);
  return found == files.end() ? std::nullopt : std::optional(found->second);
}

bool is_new(const std::optional<std::string>& file, const Operation& operation) {
  if (!file) return false;
  const Compression compression = compression_of(operation.name);
  if (compression == Compression::none) return *file == operation.bytes;
  return decompressed(compression, *file) == operation.bytes;
}

/// A stranger creates something, unless the name is in use.
void create(const Scene& scene, const Operation& operation) {
  const std::string name = operation.name + (operation.force ? ".partial" : "");
  if (scene.folder().has(name)) return;
  std::error_code ignored;
  if (operation.bytes == "link") {
    fs::create_symlink(scene.path("a"), scene.path(name), ignored);
  } else if (operation.bytes == "hard link") {
    fs::create_hard_link(scene.path("a"), scene.path(name), ignored);
  } else if (operation.bytes == "folder") {
    fs::create_directory(scene.path(name), ignored);
  } else {
    scene.folder().write(name, operation.bytes);
  }
}

/// A temporary file that was there is not touched without --force, and none is left unless it is
/// empty, or holds what a stranger's file leaves no name for.
void check_partial(const Files& before, const Files& after, const Operation& operation) {
  const auto old = at(before, operation.name + ".partial");
  const auto left = at(after, operation.name + ".partial");
  if (left == old || !left || left->empty()) {
    require(!old || old->empty() || operation.force || left == old, "a leftover is not replaced");
    return;
  }
  require(operation.rival && !at(before, operation.name) && is_new(left, operation),
          "a temporary file is deleted");
}

void write_file(const Scene& scene, const Operation& operation) {
  const Files before = scene.files();
  auto old = at(before, operation.name);
  // A link to nothing may be replaced.
  bool is_taken =
      !operation.force && target_at(scene.path(operation.name)) != headlight::Target::absent;
  const bool failed = scene.fails([&] {
    OutputFile file(scene.path(operation.name), operation.force);
    file.output().write(operation.bytes);
    if (operation.rival && !old) {
      old = "a rival's";
      is_taken = true;
      scene.folder().write(operation.name, *old);
    }
    file.finish();
  });
  const Files after = scene.files();
  require(without(after, operation.name) == without(before, operation.name), "others stay");
  require(failed ? at(after, operation.name) == old : is_new(at(after, operation.name), operation),
          "a file is the old one or the new one");
  require(failed || !is_taken, "a file is not replaced");
  require(failed || !at(after, operation.name + ".partial"), "a finished file leaves nothing");
  check_partial(before, after, operation);
}

/// A run that a signal ends leaves no file.
void stop_writing(const Scene& scene, const Operation& operation) {
  const Files before = scene.files();
  scene.fails([&] {
    OutputFile file(scene.path(operation.name), operation.force);
    file.output().write(operation.bytes);
    file.output().flush();
    remove_unfinished_files();
  });
  const Files after = scene.files();
  require(without(after, operation.name) == without(before, operation.name) &&
              at(after, operation.name) == at(before, operation.name),
          "a stopped run changes nothing");
  check_partial(before, after, operation);
}

void replace_whole(const Scene& scene, const Operation& operation) {
  Files expected = scene.files();
  const bool failed =
      scene.fails([&] { write_whole(scene.path(operation.name), operation.bytes); });
  if (!failed) expected[operation.name] = operation.bytes;
  require(scene.files() == expected, "a file is replaced as a whole");
}

void replace_folder(const Scene& scene, const Operation& operation) {
  Files expected = scene.files();
  scene.folder().write("new/file", operation.bytes);
  const bool failed = scene.fails([&] { place_directory(scene.path("new"), scene.path("old")); });
  const std::string place = failed ? "new" : "old";
  expected[place] = "/";
  expected[place + "/file"] = operation.bytes;
  require(scene.files() == expected, "a folder is replaced as a whole");
  fs::remove_all(scene.path("new"));
}

void read_file(const Scene& scene, const Operation& operation) {
  const std::string path = scene.path(operation.name);
  const auto file = at(scene.files(), operation.name);
  const bool failed = scene.fails([&] {
    const MappedFile mapped(path);
    require(mapped.text() == content_of(path), "a file has its bytes");
    const char* noted = mapped_path_at(mapped.bytes().data());
    require(mapped.bytes().empty() || noted == path, "a mapped file is known by its place");
  });
  require(failed || file, "what is not there is not read");
}

void sort_lines(const Scene& scene, const Operation& operation) {
  std::vector<std::string> sorted;
  const bool failed = scene.fails([&] {
    constexpr std::size_t kMemory = 64;
    SortedLines lines(kMemory);
    for (const char c : operation.bytes)
      lines.add(static_cast<unsigned char>(c), std::string(1, c));
    lines.pass_on([&](std::string_view line) { sorted.emplace_back(line); });
  });
  require(failed || sorted.size() == operation.bytes.size(), "all lines are sorted");
  require(std::is_sorted(sorted.rbegin(), sorted.rend()), "lines are sorted");
}

/// Writes the rows from those on that are there.
void write_rows(const std::string& path, Earlier earlier, const std::vector<std::string>& rows) {
  Origin origin;
  origin.program = "fuzz";
  WholeRowFinder finder(RowShape{});
  ResumableFile file(path, earlier, origin, finder);
  if (file.is_finished()) return;
  for (std::size_t i = file.earlier_rows().rows; i < rows.size(); ++i) {
    file.write(rows[i]);
    if (i % 3 == 0) file.flush();
  }
  file.finish();
}

/// A run that fails can be resumed, and makes the same file as one that does not.
void resume_rows(const Scene& scene, const Operation& operation) {
  std::vector<std::string> rows;
  for (const char c : operation.bytes) {
    rows.push_back("{\"n\":" + std::to_string(static_cast<int>(c)) + "}\n");
  }
  const std::string name = "rows-" + operation.name;
  const Files before = scene.files();
  const bool failed = scene.fails([&] { write_rows(scene.path(name), Earlier::resume, rows); });
  require(without(scene.files(), name) == before, "others stay");
  if (failed) write_rows(scene.path(name), Earlier::resume, rows);
  write_rows(scene.path("whole-" + name), Earlier::refuse, rows);
  Files after = scene.files();
  require(after[name] == after["whole-" + name], "a resumed file is that of one run");
  fs::remove(scene.path(name));
  fs::remove(scene.path("whole-" + name));
  require(scene.files() == before, "a finished run leaves nothing");
}

/// Takes four bytes from the front of `data`.
Fault take_fault(std::string_view& data) {
  constexpr std::array<std::string_view, 14> kFunctions = {
      "",      "open",      "mkostemp", "write", "pwrite", "read",      "pread",
      "fsync", "ftruncate", "flock",    "fstat", "rename", "renameat2", "mmap"};
  constexpr std::array<int, 10> kErrors = {0,     ENOSPC, EIO,    EACCES, ELOOP,
                                           EROFS, EINVAL, ENOSYS, EINTR,  EAGAIN};
  const auto next = [&](std::size_t count) {
    const auto number = static_cast<unsigned char>(data.front()) % count;
    data.remove_prefix(1);
    return number;
  };
  Fault fault;
  fault.function = kFunctions[next(kFunctions.size())];
  fault.call = static_cast<int>(next(16));
  fault.error = kErrors[next(kErrors.size())];
  // A call that is interrupted is made again until it succeeds.
  fault.forever = next(2) == 1 && fault.error != EINTR && fault.error != EAGAIN;
  return fault;
}

}  // namespace

/// Two faults, then operations, one per line: what is done, with which name and how, and the bytes.
void run_outputs(std::string_view data) {
  constexpr std::size_t kFaults = 8;
  if (data.size() < kFaults) return;
  constexpr std::array<void (*)(const Scene&, const Operation&), 8> kOperations = {
      create,         write_file, stop_writing, replace_whole,
      replace_folder, read_file,  sort_lines,   resume_rows};
  constexpr std::array<const char*, 3> kNames = {"a", "b.gz", "c.zst"};
  const Fault first = take_fault(data);
  const Scene scene({first, take_fault(data)});
  while (!data.empty()) {
    std::string_view line = data.substr(0, data.find('\n'));
    data.remove_prefix(std::min(data.size(), line.size() + 1));
    if (line.size() < 2) continue;
    const auto what = static_cast<unsigned char>(line[0]);
    const auto how = static_cast<unsigned char>(line[1]);
    line.remove_prefix(2);
    const Operation operation{kNames[how / 4U % kNames.size()], std::string(line), (how & 1U) != 0,
                              (how & 2U) != 0};
    kOperations[what % kOperations.size()](scene, operation);
  }
}

}  // namespace headlight::fuzz
