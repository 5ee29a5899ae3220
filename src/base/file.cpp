#include "base/file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_guard.h"
#include "base/parallel.h"

namespace headlight {
namespace {

// Global, because many functions read files of a model and none has a FilesRead.
std::mutex remembering;
std::map<const void*, std::set<std::string>> remembered;  // by the work

void remember(const std::string& path) {
  const std::lock_guard lock(remembering);
  const auto found = remembered.find(TeamWork::of_this_thread());
  if (found != remembered.end()) found->second.insert(path);
}

/// A mapped file, for a signal handler, which can only use globals and atomics.
struct Mapping {
  std::atomic<const std::byte*> data{nullptr};
  std::atomic<std::size_t> size{0};
  std::atomic<char*> path{nullptr};
};

// A model has a few files. Of more than these, the rest has no name in the message of a lost page.
std::array<Mapping, 64> mappings;

void note_mapping(const std::byte* data, std::size_t size, const std::string& path) {
  for (Mapping& mapping : mappings) {
    const std::byte* free = nullptr;
    if (!mapping.data.compare_exchange_strong(free, data)) continue;
    mapping.path = ::strdup(path.c_str());
    mapping.size = size;
    return;
  }
}

void forget_mapping(const std::byte* data) {
  for (Mapping& mapping : mappings) {
    if (mapping.data != data) continue;
    mapping.size = 0;
    std::free(mapping.path.exchange(nullptr));  // NOLINT(cppcoreguidelines-no-malloc)
    mapping.data = nullptr;
    return;
  }
}

}  // namespace

const char* mapped_path_at(const void* address) {
  for (const Mapping& mapping : mappings) {
    const std::byte* begin = mapping.data;
    const std::size_t size = mapping.size;
    if (begin <= address && address < begin + size) return mapping.path;
  }
  return nullptr;
}

FilesRead::FilesRead() : work_(TeamWork::of_this_thread()) {
  const std::lock_guard lock(remembering);
  remembered[work_].clear();
}

FilesRead::~FilesRead() {
  const std::lock_guard lock(remembering);
  remembered.erase(work_);
}

std::vector<std::string> FilesRead::paths() const {
  const std::lock_guard lock(remembering);
  const auto& paths = remembered.at(work_);
  return {paths.begin(), paths.end()};
}

std::string system_message(int error_number) {
  return std::generic_category().message(error_number);
}

bool file_exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

MappedFile::MappedFile(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) throw Error(path, system_message(errno));
  struct stat status {};
  std::string complaint;
  std::string cure;
  if (::fstat(fd, &status) != 0) {
    complaint = system_message(errno);
  } else if (S_ISDIR(status.st_mode)) {
    complaint = "is a directory, expected a file";
  } else if (!S_ISREG(status.st_mode)) {
    complaint = "is not a regular file";
  } else if (!std::in_range<std::size_t>(status.st_size)) {
    complaint = "has " + std::to_string(status.st_size) +
                " bytes, expected fewer than 4 GiB where sizes have 32 bits";
  } else if (status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) {
      complaint = system_message(errno);
    } else {
      data_ = static_cast<const std::byte*>(mapped);
      note_mapping(data_, size_, path);
      if (text().starts_with(kLfsPointer)) {
        forget_mapping(data_);
        ::munmap(mapped, size_);
        complaint = std::string("is ") + kLfsFound;
        cure = kLfsCure;
      }
    }
  }
  if (complaint.empty()) guard_input(fd, path);
  ::close(fd);
  if (!complaint.empty()) throw Error(path, complaint, cure);
  remember(path);
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  forget_mapping(data_);
  // munmap takes a pointer to non-const; the pages themselves are read-only.
  ::munmap(const_cast<std::byte*>(data_), size_);
}

void MappedFile::let_go() const {
  if (data_ != nullptr) ::madvise(const_cast<std::byte*>(data_), size_, MADV_DONTNEED);
}

void MappedFile::let_go(std::span<const std::byte> part) const {
  constexpr std::size_t kPage = 4096;  // of larger pages, a part of one is refused
  const bool inside = std::less_equal<>()(data_, part.data()) &&
                      std::less_equal<>()(part.data() + part.size(), data_ + size_);
  if (data_ == nullptr || !inside) return;
  const auto offset = static_cast<std::size_t>(part.data() - data_);
  const std::size_t first = (offset + kPage - 1) / kPage * kPage;
  const std::size_t last = (offset + part.size()) / kPage * kPage;
  if (first >= last) return;
  ::madvise(const_cast<std::byte*>(data_) + first, last - first, MADV_DONTNEED);  // only a hint
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

std::string_view MappedFile::text() const { return {reinterpret_cast<const char*>(data_), size_}; }

}  // namespace headlight
