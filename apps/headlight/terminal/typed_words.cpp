#include "terminal/typed_words.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <termios.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "report/formats/plain_text.h"
#include "rows/byte_source.h"
#include "terminal/terminal.h"
#include "text/blank_words.h"

namespace headlight {
namespace {

constexpr char kControlD = 0x04;
constexpr char kControlU = 0x15;
constexpr char kControlW = 0x17;
constexpr char kEscape = 0x1B;
constexpr char kBackspace = 0x08;
constexpr char kDelete = 0x7F;

constexpr std::size_t kVerdictColumns = 30;

/// During its lifetime, the terminal delivers each key as it is pressed and does not echo it.
/// Ctrl-C still sends a signal.
class KeyByKey {
 public:
  explicit KeyByKey(int descriptor) : descriptor_(descriptor) {
    termios mode{};
    if (::tcgetattr(descriptor_, &mode) != 0) return;
    before_ = mode;
    mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    mode.c_cc[VMIN] = 1;
    mode.c_cc[VTIME] = 0;
    ::tcsetattr(descriptor_, TCSADRAIN, &mode);
  }
  ~KeyByKey() { restore(); }
  KeyByKey(const KeyByKey&) = delete;
  KeyByKey& operator=(const KeyByKey&) = delete;

  /// The terminal is as before.
  void restore() const {
    if (before_) ::tcsetattr(descriptor_, TCSADRAIN, &*before_);
  }

 private:
  int descriptor_;
  std::optional<termios> before_;
};

/// A line that is typed key by key, with simple editing keys.
class TypedLine {
 public:
  enum class Key : std::uint8_t { nothing, changed, finished, ended };

  /// Takes one byte from the terminal. Backspace deletes a character, Ctrl-W a word, Ctrl-U the
  /// line. Enter finishes the line, Ctrl-D ends the input. Ignores other control keys.
  Key take(char byte) {
    if (escape_ != Escape::none) {
      const bool opens = escape_ == Escape::begun && (byte == '[' || byte == 'O');
      const bool goes_on = escape_ == Escape::sequence && byte >= ' ' && byte < '@';
      escape_ = opens || goes_on ? Escape::sequence : Escape::none;
      return Key::nothing;
    }
    if (static_cast<unsigned char>(byte) < ' ' || byte == kDelete) return take_control(byte);
    const std::size_t before = text_.size();
    add(byte);
    return text_.size() == before ? Key::nothing : Key::changed;
  }
  /// Starts a new line.
  void clear() { text_.clear(); }

  /// Valid UTF-8: a character is added when all its bytes have arrived.
  const std::string& text() const { return text_; }
  /// The words followed by white space, or all words if the line is `finished`.
  std::vector<std::string> words(bool finished) const {
    const std::u32string characters = to_code_points(text_);
    std::vector<std::string> words;
    for (const auto& [begin, end] : words_between_blanks(characters)) {
      if (end == characters.size() && !finished) break;
      words.push_back(to_utf8(std::u32string_view(characters).substr(begin, end - begin)));
    }
    return words;
  }

 private:
  enum class Escape : std::uint8_t { none, begun, sequence };

  Key take_control(char byte) {
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

  void add(char byte) {
    character_ += byte;
    const bool is_whole = decode_utf8(character_, 0).has_value();
    if (is_whole) text_ += character_;
    if (is_whole || character_.size() >= kLongestUtf8) character_.clear();
  }

  void drop_character() {
    std::u32string characters = to_code_points(text_);
    if (!characters.empty()) characters.pop_back();
    text_ = to_utf8(characters);
  }

  void drop_word() {
    const std::u32string characters = to_code_points(text_);
    const auto words = words_between_blanks(characters);
    const std::size_t kept = words.empty() ? 0 : words.back().begin;
    text_ = to_utf8(std::u32string_view(characters).substr(0, kept));
  }

  std::string text_;
  std::string character_;  // the first bytes of an incomplete character
  Escape escape_ = Escape::none;
};

/// The prediction for the words of a line that is being typed.
class LineVerdict {
 public:
  explicit LineVerdict(WordStream& stream) : stream_(stream) {}

  /// Scores only the first changed word and those after it.
  void follow(const std::vector<std::string>& words) {
    const auto same = std::mismatch(words.begin(), words.end(), words_.begin(), words_.end());
    const auto kept = static_cast<std::size_t>(same.first - words.begin());
    stream_.keep(kept);
    predictions_.resize(kept);
    for (std::size_t i = kept; i < words.size(); ++i) predictions_.push_back(stream_.add(words[i]));
    words_ = words;
  }
  /// nullptr if there is no word yet.
  const Prediction* prediction() const {
    return predictions_.empty() ? nullptr : &predictions_.back();
  }

 private:
  WordStream& stream_;
  std::vector<std::string> words_;
  std::vector<Prediction> predictions_;
};

/// The longest end of `text` that fits.
std::string tail(const std::string& text, std::size_t columns) {
  std::u32string characters = to_code_points(text);
  if (width_of(text) <= columns) return text;
  while (!characters.empty() && width_of(to_utf8(characters)) + 1 > columns) characters.erase(0, 1);
  return "…" + to_utf8(characters);
}

std::string verdict_column(const LabelSet& labels, const PredictionView& view,
                           const Prediction* prediction, bool color) {
  if (prediction == nullptr) return std::string(kVerdictColumns, ' ');
  const std::string whole = prediction->error.empty() ? verdict(labels, *prediction, view, false)
                                                      : "error: " + printable(prediction->error);
  const std::string plain = cut_to(whole, kVerdictColumns - 2);
  const std::string filled = begin_in(plain, kVerdictColumns);
  return bold(plain, color) + filled.substr(plain.size());
}

}  // namespace

int show_typed_words(const LabelSet& labels, const PredictionView& view, const Console& console,
                     WordStream& stream) {
  const KeyByKey keys(STDIN_FILENO);
  const BeforeForcedEnd restored([&] { keys.restore(); });
  console.note(
      "type a text; each word is classified once it is complete, Enter starts a new text, Ctrl-D "
      "ends");
  Output output(STDOUT_FILENO, "standard output");
  ByteSource source(STDIN_FILENO, "standard input");
  TypedLine line;
  LineVerdict verdicts(stream);
  std::string bytes;
  const auto draw = [&](bool finished) {
    verdicts.follow(line.words(finished));
    const std::size_t columns = terminal_columns(STDOUT_FILENO);
    const std::size_t room = columns - std::min(columns, kVerdictColumns + 1);
    output.write("\r" + verdict_column(labels, view, verdicts.prediction(), console.color()) +
                 tail(printable(line.text()), room) + "\x1b[K" + (finished ? "\n" : ""));
    output.flush();
  };
  const auto take = [&](char byte) {
    const TypedLine::Key key = line.take(byte);
    if (key == TypedLine::Key::nothing) return true;
    const bool finished = key != TypedLine::Key::changed;
    if (key == TypedLine::Key::ended && line.text().empty()) return false;
    draw(finished);
    if (finished) line.clear();
    return key != TypedLine::Key::ended;
  };
  while (!stop_requested()) {
    bytes.clear();
    if (!source.wait(-1)) continue;
    if (!source.read(bytes)) break;
    if (!std::all_of(bytes.begin(), bytes.end(), take)) break;
  }
  output.write(line.text().empty() ? "\r\x1b[K" : "\n");
  output.flush();
  return caught_signal() == 0 ? kSuccess : kSignalBase + caught_signal();
}

}  // namespace headlight
