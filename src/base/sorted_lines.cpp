#include "base/sorted_lines.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

namespace headlight {
namespace {

/// Of a part's line in the file, before its bytes.
struct LineStart {
  double number;
  std::uint64_t size;
};

constexpr std::size_t kReadAtOnce = std::size_t{64} * 1024;

std::string temporary_directory() {
  const char* named = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): no thread sets it
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

[[noreturn]] void fail(const std::string& directory, const char* action) {
  throw Error(directory,
              std::string("cannot ") + action + " a temporary file: " + system_message(errno),
              "TMPDIR names another directory");
}

}  // namespace

/// A file that is gone when its descriptor is closed.
class SortedLines::File {
 public:
  File() : directory_(temporary_directory()) {
    std::string name = directory_ + "/headlight-XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail(directory_, "create");
    ::unlink(name.c_str());
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::uint64_t size() const { return size_; }

  void append(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(directory_, "write");
      bytes.remove_prefix(static_cast<std::size_t>(count));
      size_ += static_cast<std::uint64_t>(count);
    }
  }

  /// Fills `bytes` from `offset` on, which must be in the file.
  void read(std::uint64_t offset, std::span<char> bytes) const {
    while (!bytes.empty()) {
      const ssize_t count =
          ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) fail(directory_, "read");
      bytes = bytes.subspan(static_cast<std::size_t>(count));
      offset += static_cast<std::uint64_t>(count);
    }
  }

 private:
  std::string directory_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// The lines of one part, one at a time.
class SortedLines::PartReader {
 public:
  PartReader(const File& file, Part part) : file_(&file), part_(part) { next(); }

  /// nullopt after the last line.
  const std::optional<Line>& line() const { return line_; }

  void next() {
    line_.reset();
    if (part_.begin == part_.end && at_ == buffer_.size()) return;
    LineStart start{};
    std::array<char, sizeof(start)> bytes{};
    take(bytes);
    std::memcpy(&start, bytes.data(), sizeof(start));
    line_.emplace(Line{start.number, std::string(start.size, '\0')});
    take(line_->text);
  }

 private:
  void take(std::span<char> bytes) {
    while (!bytes.empty()) {
      if (at_ == buffer_.size()) refill();
      const std::size_t count = std::min(bytes.size(), buffer_.size() - at_);
      std::memcpy(bytes.data(), buffer_.data() + at_, count);
      at_ += count;
      bytes = bytes.subspan(count);
    }
  }

  void refill() {
    buffer_.resize(std::min<std::uint64_t>(kReadAtOnce, part_.end - part_.begin));
    file_->read(part_.begin, buffer_);
    part_.begin += buffer_.size();
    at_ = 0;
  }

  const File* file_;
  Part part_;  // what is not in the buffer yet
  std::string buffer_;
  std::size_t at_ = 0;
  std::optional<Line> line_;
};

SortedLines::SortedLines(std::size_t most_bytes) : most_bytes_(most_bytes) {}

SortedLines::~SortedLines() = default;

void SortedLines::add(double number, std::string line) {
  bytes_ += sizeof(Line) + line.size();
  lines_.push_back({number, std::move(line)});
  if (bytes_ > most_bytes_) write_part();
}

void SortedLines::sort_lines() {
  std::stable_sort(lines_.begin(), lines_.end(),
                   [](const Line& a, const Line& b) { return a.number > b.number; });
}

void SortedLines::write_part() {
  if (!file_) file_ = std::make_unique<File>();
  sort_lines();
  const std::uint64_t begin = file_->size();
  std::string buffer;
  for (const Line& line : lines_) {
    const LineStart start{line.number, line.text.size()};
    std::array<char, sizeof(start)> bytes{};
    std::memcpy(bytes.data(), &start, sizeof(start));
    buffer.append(bytes.data(), bytes.size());
    buffer += line.text;
    if (buffer.size() < kReadAtOnce) continue;
    file_->append(buffer);
    buffer.clear();
  }
  file_->append(buffer);
  parts_.push_back({begin, file_->size()});
  lines_.clear();
  bytes_ = 0;
}

void SortedLines::pass_on(const std::function<void(std::string_view)>& take) {
  if (!file_) {
    sort_lines();
    for (const Line& line : lines_) take(line.text);
    return;
  }
  if (!lines_.empty()) write_part();
  std::vector<PartReader> readers;
  readers.reserve(parts_.size());
  for (const Part& part : parts_) readers.emplace_back(*file_, part);
  // A heap of parts: the one with the highest next number on top, of equal ones the first.
  const auto is_later = [&](std::size_t a, std::size_t b) {
    const double first = readers[a].line()->number;
    const double second = readers[b].line()->number;
    return first < second || (first == second && a > b);
  };
  std::vector<std::size_t> heap(readers.size());
  for (std::size_t i = 0; i < heap.size(); ++i) heap[i] = i;
  std::make_heap(heap.begin(), heap.end(), is_later);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), is_later);
    PartReader& reader = readers[heap.back()];
    take(reader.line()->text);
    reader.next();
    if (reader.line()) {
      std::push_heap(heap.begin(), heap.end(), is_later);
    } else {
      heap.pop_back();
    }
  }
}

}  // namespace headlight
