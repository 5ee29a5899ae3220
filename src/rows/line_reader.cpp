#include "rows/line_reader.h"

#include <string_view>

#include "base/interrupt.h"

namespace headlight {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kSearchedForLf = std::size_t{1} << 20U;  // bytes

}  // namespace

std::size_t LineReader::find_end() {
  const std::size_t end = next_end();
  if (knows_line_end_ || is_array_) return end;
  const bool may_be_cr = end == std::string::npos || (is_csv_ && begins_quoted_after_cr(end));
  if (end == std::string::npos && !at_end_ && buffer_.size() - begin_ <= kSearchedForLf) return end;
  knows_line_end_ = true;
  if (!may_be_cr || buffer_.find('\r', begin_) == std::string::npos) return end;
  line_end_ = '\r';
  begin_line(begin_);
  const std::size_t found = next_end();
  if (found == std::string::npos) line_end_ = '\n';  // it is quoted
  return found;
}

/// Whether the record up to this LF is two, the second of which begins with a quote before the LF.
bool LineReader::begins_quoted_after_cr(std::size_t end) const {
  CsvRecordEnd record = record_end_;
  record.begin();
  const std::size_t cr = record.find(std::string_view(buffer_).substr(0, end), begin_, '\r');
  return cr < end && buffer_[cr + 1] == '"';
}

/// Passes over what stands before a line. False if more bytes are needed to know its text.
bool LineReader::pass_to_text() {
  while (std::string_view(buffer_).substr(begin_).starts_with(kByteOrderMark)) {
    begin_line(begin_ + kByteOrderMark.size());
  }
  const std::string_view rest = std::string_view(buffer_).substr(begin_);
  if (!at_end_ && kByteOrderMark.starts_with(rest)) return false;
  if (may_be_array_) {
    const JsonBeginning beginning = json_beginning(rest);
    if (beginning == JsonBeginning::unclear && !at_end_) return false;
    is_array_ = beginning == JsonBeginning::array;
    may_be_array_ = beginning == JsonBeginning::blank_line;
  }
  if (!is_array_) return true;
  const std::size_t begin = find_json_element(buffer_, begin_);
  for (const char c : std::string_view(buffer_).substr(begin_, begin - begin_)) {
    open_brackets_ += c == '[' ? 1 : c == ']' ? -1 : 0;
  }
  count_lines(begin_, begin);
  begin_line(begin);
  return begin < buffer_.size();
}

std::size_t LineReader::next_end() {
  if (at_start_ && !pass_to_text()) return std::string::npos;
  at_start_ = false;
  const std::size_t end = is_array_ ? element_end_.find(buffer_, searched_)
                          : is_csv_ ? record_end_.find(buffer_, searched_, line_end_)
                                    : buffer_.find(line_end_, searched_);
  searched_ = end == std::string::npos ? buffer_.size() : end;
  return end;
}

/// Only a record of CSV has newlines inside.
void LineReader::count_lines(std::size_t begin, std::size_t end) {
  const auto at = [&](std::size_t place) {
    return buffer_.begin() + static_cast<std::ptrdiff_t>(place);
  };
  next_line_ += static_cast<std::size_t>(std::count(at(begin), at(end), line_end_));
}

void LineReader::begin_line(std::size_t at) {
  begin_ = searched_ = at;
  at_start_ = true;
  record_end_.begin();
  element_end_ = {};
}

void LineReader::read_more() {
  buffer_.erase(0, begin_);
  searched_ -= begin_;
  begin_ = 0;
  at_end_ = !source_.read(buffer_);
}

bool LineReader::ready() {
  constexpr int kNow = 0;
  while (!has_line() && buffer_.size() - begin_ <= kLongestLine && source_.wait(kNow)) read_more();
  return has_line();
}

std::string_view LineReader::ahead() {
  constexpr int kForever = -1;
  while (!has_line() && buffer_.size() - begin_ <= kLongestLine && !stop_requested()) {
    if (source_.wait(kForever)) read_more();
  }
  const std::size_t end = std::min(find_end(), buffer_.size());
  return std::string_view(buffer_).substr(begin_, end - std::min(begin_, end));
}

std::string_view LineReader::text_ahead() {
  ahead();
  std::string_view text = std::string_view(buffer_).substr(std::min(begin_, buffer_.size()));
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\v\f"), text.size()));
  return text.substr(0, text.find_first_of("\r\n"));
}

void LineReader::take_line(std::size_t end, std::string& line) {
  const std::size_t stop = end > begin_ && buffer_[end - 1] == '\r' ? end - 1 : end;
  line.assign(buffer_, begin_, stop - begin_);
  const std::size_t next = is_array_ ? end : end + 1;
  count_lines(begin_, next);
  begin_line(next);
}

LineReader::Status LineReader::next(std::string& line) {
  constexpr int kForever = -1;
  bool too_long = false;
  while (true) {
    if (stop_requested()) return Status::end;
    const std::size_t end = find_end();
    if (!too_long) line_ = next_line_;
    if (end != std::string::npos) {
      too_long = too_long || end - begin_ > kLongestLine;
      last_ended_open_ = false;
      take_line(end, line);
      return too_long ? Status::too_long : Status::line;
    }
    if (at_end_) {
      if (is_used_up() && !too_long) return Status::end;
      line.assign(buffer_, begin_);
      last_ended_open_ = true;
      buffer_.clear();
      begin_line(0);
      return too_long ? Status::too_long : Status::line;
    }
    if (buffer_.size() - begin_ > kLongestLine) {
      too_long = true;
      count_lines(begin_, buffer_.size());
      begin_ = buffer_.size();
    }
    if (source_.wait(kForever)) read_more();
  }
}

}  // namespace headlight
