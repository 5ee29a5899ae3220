#include "rows/word_reader.h"

#include <utility>

#include "base/interrupt.h"
#include "base/utf8.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

constexpr char32_t kMarkCharacter = 0xFEFF;

}  // namespace

std::optional<WordReader::Status> WordReader::find() {
  while (searched_ < buffer_.size()) {
    const auto decoded = decode_utf8(buffer_, searched_);
    // The rest of the character may not have arrived yet.
    if (!decoded && !at_end_ && buffer_.size() - searched_ < kLongestUtf8) return std::nullopt;
    const char32_t c = decoded ? decoded->code_point : 0;
    const std::size_t next = searched_ + (decoded ? decoded->bytes : 1);
    const bool in_word = searched_ > begin_ || passing_over_;
    if (is_white_space(c)) {
      if (in_word) return passing_over_ ? Status::too_long : Status::word;
      begin_ = searched_ = next;
      at_start_ = false;
      if (c == U'\n') return Status::new_text;
    } else if (at_start_ && c == kMarkCharacter) {
      begin_ = searched_ = next;
    } else {
      searched_ = next;
    }
    at_start_ = false;
  }
  if (searched_ - begin_ > kLongestWord) {
    passing_over_ = true;
    begin_ = searched_;
  }
  if (!at_end_) return std::nullopt;
  if (passing_over_) return Status::too_long;
  return searched_ > begin_ ? Status::word : Status::end;
}

void WordReader::read_more() {
  buffer_.erase(0, begin_);
  searched_ -= begin_;
  begin_ = 0;
  at_end_ = !source_.read(buffer_);
}

bool WordReader::ready() {
  constexpr int kNow = 0;
  while (!found_ && !(found_ = find())) {
    if (!source_.wait(kNow)) return false;
    read_more();
  }
  return true;
}

WordReader::Status WordReader::next(std::string& word) {
  constexpr int kForever = -1;
  word.clear();
  while (!stop_requested()) {
    if (!found_) found_ = find();
    if (found_) {
      const Status status = *std::exchange(found_, std::nullopt);
      if (status == Status::word) word.assign(buffer_, begin_, searched_ - begin_);
      begin_ = searched_;
      passing_over_ = false;
      return status;
    }
    if (source_.wait(kForever)) read_more();
  }
  return Status::end;
}

}  // namespace headlight
