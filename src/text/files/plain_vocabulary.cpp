#include "text/files/plain_vocabulary.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "base/json.h"
#include "base/utf8.h"

namespace headlight {
namespace {

/// Moves over JSON without checking all of it. What it moves over is checked by others.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }

  /// Moves behind `mark` and the white space before it, if it follows.
  bool take(char mark) {
    pass_blanks();
    if (at_ == text_.size() || text_[at_] != mark) return false;
    ++at_;
    return true;
  }

  /// Moves behind a string and returns what is between its quotes.
  std::optional<std::string_view> take_string() {
    if (!take('"')) return std::nullopt;
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) return std::nullopt;
    return text_.substr(begin, at_++ - begin);
  }

  /// Moves behind digits and returns them.
  std::string_view take_digits() {
    pass_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return text_.substr(begin, at_ - begin);
  }

  /// No object that begins here has more members.
  std::size_t most_members() const {
    constexpr std::size_t kFewestBytes = std::string_view("\"\":0,").size();  // of a member
    const std::string_view left = text_.substr(at_);
    const auto commas = static_cast<std::size_t>(std::count(left.begin(), left.end(), ','));
    return std::min(commas, left.size() / kFewestBytes) + 1;
  }

  /// Moves to the value of the member `name` of the object that follows.
  bool enter(std::string_view name) {
    if (!take('{')) return false;
    do {
      const auto found = take_string();
      if (!found || !take(':')) return false;
      if (found == name) return true;
      if (!pass_value()) return false;
    } while (take(','));
    return false;
  }

 private:
  void pass_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

  bool pass_value() {
    std::size_t depth = 0;
    do {
      pass_blanks();
      if (at_ == text_.size()) return false;
      const char first = text_[at_];
      if (first == '"') {
        if (!take_string()) return false;
        continue;
      }
      if (first == '{' || first == '[') ++depth;
      if (first == '}' || first == ']') {
        if (depth == 0) return false;
        --depth;
      }
      ++at_;
      if (depth == 0) pass_atom();
    } while (depth > 0);
    return true;
  }
  /// Moves behind the rest of a number or of true, false or null.
  void pass_atom() {
    constexpr std::string_view kEnds = ",]} \n\t\r";
    while (at_ < text_.size() && kEnds.find(text_[at_]) == std::string_view::npos) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// What is meant by a string of JSON, given without its quotes.
std::optional<std::string> meant_by(std::string_view raw) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  if (std::any_of(raw.begin(), raw.end(), is_control)) return std::nullopt;
  if (raw.find('\\') == std::string_view::npos) return std::string(raw);
  const Json value = Json::parse('"' + std::string(raw) + '"', nullptr, false);
  return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

std::optional<TokenId> id_of(std::string_view digits) {
  constexpr std::size_t kMostDigits = 10;
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  std::uint64_t id = 0;
  for (const char digit : digits) id = 10 * id + static_cast<std::uint64_t>(digit - '0');
  return id > Fields::kLargestSize ? std::nullopt : std::optional(static_cast<TokenId>(id));
}

/// The members of the object at `cursor`, in their order.
std::optional<std::vector<Vocabulary::Entry>> take_entries(JsonCursor& cursor) {
  if (!cursor.take('{')) return std::nullopt;
  std::vector<Vocabulary::Entry> entries;
  entries.reserve(cursor.most_members());
  do {
    const auto raw = cursor.take_string();
    if (!raw || !cursor.take(':')) return std::nullopt;
    auto token = meant_by(*raw);
    const auto id = id_of(cursor.take_digits());
    if (!token || !id) return std::nullopt;
    entries.push_back({std::move(*token), *id});
  } while (cursor.take(','));
  if (!cursor.take('}')) return std::nullopt;
  return entries;
}

bool is_one_to_one(const Vocabulary& vocabulary) {
  const auto& entries = vocabulary.entries();
  const auto same_id = [](const auto& a, const auto& b) { return a.id == b.id; };
  return vocabulary.index().size() == entries.size() &&
         std::adjacent_find(entries.begin(), entries.end(), same_id) == entries.end();
}

}  // namespace

std::optional<PlainVocabulary> take_vocabulary(std::string_view file) {
  if (find_bad_utf8(file)) return std::nullopt;
  JsonCursor cursor(file);
  if (!cursor.enter("model") || !cursor.enter("vocab")) return std::nullopt;
  const std::size_t begin = cursor.at();
  auto entries = take_entries(cursor);
  if (!entries) return std::nullopt;
  Vocabulary vocabulary(std::move(*entries));
  if (!is_one_to_one(vocabulary)) return std::nullopt;
  std::string rest(file.substr(0, begin));
  rest += "{}";
  rest += file.substr(cursor.at());
  return PlainVocabulary{std::move(vocabulary), std::move(rest)};
}

}  // namespace headlight
