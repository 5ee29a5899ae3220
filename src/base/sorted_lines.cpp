#include "base/sorted_lines.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

namespace headlight {
namespace {

/// Of a part's line in the file, before its bytes.
struct LineStart {
  double number;
  std::uint64_t size;
};

constexpr std::size_t kReadAtOnce = std::size_t{64} * 1024;

}  // namespace

/// The lines of one part, one at a time.
class SortedLines::PartReader {
 public:
  PartReader(const TemporaryFile& file, Part part) : file_(&file), part_(part) { next(); }

  /// nullopt after the last line.
  const std::optional<Line>& line() const { return line_; }

  void next() {
    line_.reset();
    if (part_.begin == part_.end && at_ == buffer_.size()) return;
    LineStart start{};
    std::array<char, sizeof(start)> bytes{};
    take(bytes);
    std::memcpy(&start, bytes.data(), sizeof(start));
    line_.emplace(Line{start.number, std::string(static_cast<std::size_t>(start.size), '\0')});
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
    const std::uint64_t left = part_.end - part_.begin;
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kReadAtOnce, left)));
    file_->read(part_.begin, buffer_);
    part_.begin += buffer_.size();
    at_ = 0;
  }

  const TemporaryFile* file_;
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
  if (!file_) file_ = std::make_unique<TemporaryFile>();
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
