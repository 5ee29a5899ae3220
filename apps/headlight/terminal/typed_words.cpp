#include "terminal/typed_words.h"

#include <algorithm>
#include <string>
#include <vector>

#include <unistd.h>

#include "base/interrupt.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "report/formats/plain_text.h"
#include "rows/byte_source.h"
#include "terminal/terminal.h"
#include "terminal/typed_line.h"

namespace headlight {
namespace {

constexpr std::size_t kVerdictColumns = 30;

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
