#include "terminal/typed_line.h"

#include "base/utf8.h"
#include "text/blank_words.h"

namespace headlight {
namespace {

constexpr char kControlD = 0x04;
constexpr char kControlU = 0x15;
constexpr char kControlW = 0x17;
constexpr char kEscape = 0x1B;
constexpr char kBackspace = 0x08;
constexpr char kDelete = 0x7F;

bool is_control(char byte) { return static_cast<unsigned char>(byte) < ' ' || byte == kDelete; }

}  // namespace

TypedLine::Key TypedLine::take(char byte) {
  if (escape_ != Escape::none) {
    const bool opens = escape_ == Escape::begun && (byte == '[' || byte == 'O');
    const bool goes_on = escape_ == Escape::sequence && byte >= ' ' && byte < '@';
    escape_ = opens || goes_on ? Escape::sequence : Escape::none;
    return Key::nothing;
  }
  if (is_control(byte)) return take_control(byte);
  const std::size_t before = text_.size();
  add(byte);
  return text_.size() == before ? Key::nothing : Key::changed;
}

TypedLine::Key TypedLine::take_control(char byte) {
  character_.clear();
  switch (byte) {
    case '\n':
    case '\r':
      return Key::finished;
    case kControlD:
      return Key::ended;
    case kEscape:
      escape_ = Escape::begun;
      return Key::nothing;
    case kBackspace:
    case kDelete:
      drop_character();
      return Key::changed;
    case kControlW:
      drop_word();
      return Key::changed;
    case kControlU:
      text_.clear();
      return Key::changed;
    case '\t':
      text_ += ' ';
      return Key::changed;
    default:
      return Key::nothing;
  }
}

void TypedLine::add(char byte) {
  character_ += byte;
  if (decode_utf8(character_, 0)) {
    text_ += character_;
    character_.clear();
  } else if (character_.size() >= kLongestUtf8) {
    character_.clear();
  }
}

void TypedLine::drop_character() {
  std::u32string characters = to_code_points(text_);
  if (!characters.empty()) characters.pop_back();
  text_ = to_utf8(characters);
}

void TypedLine::drop_word() {
  const std::u32string characters = to_code_points(text_);
  const auto words = words_between_blanks(characters);
  text_ =
      words.empty() ? "" : to_utf8(std::u32string_view(characters).substr(0, words.back().begin));
}

std::vector<std::string> TypedLine::words(bool finished) const {
  const std::u32string characters = to_code_points(text_);
  std::vector<std::string> words;
  for (const auto& [begin, end] : words_between_blanks(characters)) {
    if (end == characters.size() && !finished) break;
    words.push_back(to_utf8(std::u32string_view(characters).substr(begin, end - begin)));
  }
  return words;
}

}  // namespace headlight
