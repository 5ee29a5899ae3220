#include "rows/json_line.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"

namespace headlight {
namespace {

using LargeNumbers = std::map<std::size_t, std::size_t>;  // place in the line → size

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Iterates over the bytes of a line and records the position of the parser.
class CountedBytes {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountedBytes(const char* at, const char** taken) : at_(at), taken_(taken) {}
  const char& operator*() const { return *at_; }
  CountedBytes& operator++() {
    *taken_ = ++at_;
    return *this;
  }
  bool operator==(const CountedBytes& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** taken_;
};

/// The size of NaN or an infinity that is here, which Python writes, and the parser refuses; else
/// 0.
std::size_t size_of_nan(std::string_view line, std::size_t at) {
  constexpr std::string_view kBefore = ":,[ ";
  if (at == 0 || kBefore.find(line[at - 1]) == std::string_view::npos) return 0;
  for (const std::string_view word : {"NaN", "Infinity", "-Infinity"}) {
    if (line.substr(at).starts_with(word)) return word.size();
  }
  return 0;
}

/// Whether `token` is a number of JSON beyond the range of float64.
bool is_out_of_range(std::string_view token) {
  const bool negative = token.starts_with('-');
  const std::string_view digits = token.substr(negative ? 1 : 0);
  const bool leading_zero = digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]);
  const std::size_t point = digits.find('.');
  const bool whole_point = point == std::string_view::npos ||
                           (point > 0 && point + 1 < digits.size() && is_digit(digits[point + 1]));
  double value = 0.0;
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, value);
  return !leading_zero && whole_point && stop == end && error == std::errc::result_out_of_range;
}

/// The parser refuses NaN, and numbers beyond the range of float64, also where nobody reads them.
/// Replaces each by a 0 and blanks, and returns the places and sizes of all. Texts are left alone.
LargeNumbers replace_large_numbers(std::string& line) {
  LargeNumbers numbers;
  bool in_text = false;
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (in_text || c == '"') {
      at += in_text && c == '\\' ? 2 : 1;
      in_text = in_text != (c == '"');
    } else if (const std::size_t nan = size_of_nan(line, at); nan > 0) {
      numbers.emplace(at, nan);
      line.replace(at, nan, nan, ' ');
      line[at] = '0';
      at += nan;
    } else if (c == '-' || is_digit(c)) {
      const std::size_t end = std::min(line.find_first_not_of("0123456789+-.eE", at), line.size());
      if (is_out_of_range(std::string_view(line).substr(at, end - at))) {
        numbers.emplace(at, end - at);
        std::fill(line.begin() + static_cast<std::ptrdiff_t>(at),
                  line.begin() + static_cast<std::ptrdiff_t>(end), ' ');
        line[at] = '0';
      }
      at = end;
    } else {
      ++at;
    }
  }
  return numbers;
}

/// A line as it is parsed, and as it was before large numbers were replaced.
struct ParsedLine {
  std::string_view parsed;
  std::string_view original;
  const LargeNumbers& large_numbers;
};

/// Collects the fields of the outermost object. The parser reports each bracket at once after
/// reading it, so nested values can be copied from the line.
class Collector : public nlohmann::json_sax<Json> {
 public:
  Collector(std::vector<JsonLine::Field>& fields, const ParsedLine& line, const char* const& taken)
      : fields_(fields), line_(line), taken_(taken) {}

  bool null() override { return scalar("null"); }
  bool boolean(bool value) override { return scalar(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override {
    return scalar(value == 0 ? "-0" : std::to_string(value));  // a 0 without sign is unsigned
  }
  bool number_unsigned(number_unsigned_t value) override {
    // The parser has read one character after a number.
    const auto large = value == 0 && !line_.large_numbers.empty()
                           ? line_.large_numbers.find(taken() - 2)
                           : line_.large_numbers.end();
    if (large == line_.large_numbers.end()) return scalar(std::to_string(value));
    if (size_of_nan(line_.original, large->first) > 0) {  // the JSON of a list would have it
      return depth_ == 1 ? scalar("null")
                         : fail("is not valid JSON at byte " + std::to_string(large->first));
    }
    return scalar(std::string(line_.original.substr(large->first, large->second)));
  }
  bool number_float(number_float_t, const string_t& spelling) override { return scalar(spelling); }
  bool string(string_t& value) override {
    if (depth_ == 1) {
      fields_.back().kind = JsonLine::Kind::string;
      fields_.back().text = std::move(value);
    }
    return depth_ > 0 || fail("is not a JSON object");
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override {
    return depth_ > 0 ? open() : fail("is not a JSON object");
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    if (!names_.insert(name).second) {
      if (complaint_.empty()) complaint_ = "has the field \"" + shortened(name) + "\" twice";
      repeated_.insert(name);
    }
    fields_.push_back({name, JsonLine::Kind::scalar, ""});
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::json::exception& error) override {
    constexpr int kOutOfRange = 406;
    const auto is_nan = [&](std::size_t back) {  // behind the - of an infinity
      return byte >= back && size_of_nan(line_.original, byte - back) > 0;
    };
    has_refused_number_ = error.id == kOutOfRange || is_nan(1) || is_nan(2);
    return fail("is not valid JSON at byte " + std::to_string(byte == 0 ? 0 : byte - 1));
  }

  const std::string& complaint() const { return complaint_; }
  bool has_refused_number() const { return has_refused_number_; }
  void drop_repeated() {
    std::erase_if(fields_, [&](const auto& field) { return repeated_.contains(field.name); });
  }

 private:
  std::size_t taken() const { return static_cast<std::size_t>(taken_ - line_.parsed.data()); }

  bool scalar(std::string spelling) {
    if (depth_ == 0) return fail("is not a JSON object");
    if (depth_ == 1) fields_.back().text = std::move(spelling);
    return true;
  }
  bool open() {
    if (depth_ == 1) {
      fields_.back().kind = JsonLine::Kind::nested;
      opened_ = taken() - 1;
    }
    return ++depth_ <= kMaxJsonDepth ||
           fail("is nested more than " + std::to_string(kMaxJsonDepth) + " levels deep");
  }
  bool close() {
    --depth_;
    if (depth_ != 1) return true;
    std::string& text = fields_.back().text;
    text = line_.original.substr(opened_, taken() - opened_);
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return true;
  }
  bool fail(std::string complaint) {
    complaint_ = std::move(complaint);
    if (!fields_.empty()) fields_.pop_back();  // it may be cut short
    return false;
  }

  std::vector<JsonLine::Field>& fields_;
  const ParsedLine& line_;
  const char* const& taken_;
  std::size_t opened_ = 0;  // where the last field's nested value begins
  std::set<std::string> names_;
  std::set<std::string> repeated_;
  std::size_t depth_ = 0;
  std::string complaint_;
  bool has_refused_number_ = false;
};

}  // namespace

JsonLine::JsonLine(std::string_view line) {
  if (const std::string fault = read(line); !fault.empty()) throw TextError(fault);
}

JsonLine::JsonLine(std::string_view line, std::string& fault) { fault = read(line); }

/// Returns what is wrong with the line.
std::string JsonLine::read(std::string_view line) {
  if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos) {
    return "the line is not valid JSON at byte " + std::to_string(nul);
  }
  /// Nothing if the parser refuses a number.
  const auto parse = [&](const ParsedLine& parsed) -> std::optional<std::string> {
    fields_.clear();
    const char* taken = parsed.parsed.data();
    Collector collector(fields_, parsed, taken);
    const CountedBytes begin(taken, &taken);
    const CountedBytes end(taken + parsed.parsed.size(), &taken);
    const bool is_whole = Json::sax_parse(begin, end, &collector);
    if (!is_whole && collector.has_refused_number() && parsed.large_numbers.empty()) return {};
    collector.drop_repeated();
    const std::string& complaint = collector.complaint();
    return complaint.empty() ? "" : "the line " + complaint;
  };
  LargeNumbers numbers;
  if (auto fault = parse({line, line, numbers})) return *fault;
  std::string replaced(line);
  numbers = replace_large_numbers(replaced);
  return parse({replaced, line, numbers})
      .value_or("the line has a number above 1.8e308, the most of a float64");
}

const JsonLine::Field* JsonLine::find(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Field& field) { return field.name == name; });
  return found == fields_.end() ? find_by_path(name) : &*found;
}

const JsonLine::Field* JsonLine::find_by_path(std::string_view path) const {
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos;
       dot = path.find('.', dot + 1)) {
    for (const Field& field : fields_) {
      const bool is_object = field.kind == Kind::nested && field.text.starts_with('{');
      if (!is_object || field.name != path.substr(0, dot)) continue;
      nested_.push_back(std::make_unique<JsonLine>(field.text));
      if (const Field* inner = nested_.back()->find(path.substr(dot + 1))) return inner;
    }
  }
  return nullptr;
}

}  // namespace headlight
