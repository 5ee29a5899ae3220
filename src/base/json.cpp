#include "base/json.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kExcerptLength = 40;

std::string place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const bool single = text.find('\n') == std::string_view::npos;
  return (single ? "" : "line " + std::to_string(line) + ", ") + "column " +
         std::to_string(before.size() - line_start + 1);
}

/// Builds the value. Refuses excessive depth and duplicate names, which the library's builder
/// accepts.
class StrictBuilder : public nlohmann::json_sax<Json> {
 public:
  explicit StrictBuilder(std::string_view text) : text_(text), builder_(root_, false) {}

  bool null() override { return builder_.null(); }
  bool boolean(bool value) override { return builder_.boolean(value); }
  bool number_integer(number_integer_t value) override { return builder_.number_integer(value); }
  bool number_unsigned(number_unsigned_t value) override { return builder_.number_unsigned(value); }
  bool number_float(number_float_t value, const string_t& text) override {
    return builder_.number_float(value, text);
  }
  bool string(string_t& value) override { return builder_.string(value); }
  bool binary(binary_t& value) override { return builder_.binary(value); }

  bool start_object(std::size_t size) override {
    names_.emplace_back();
    return fits_depth() && builder_.start_object(size);
  }
  bool end_object() override {
    names_.pop_back();
    return builder_.end_object();
  }
  bool start_array(std::size_t size) override {
    names_.emplace_back();
    return fits_depth() && builder_.start_array(size);
  }
  bool end_array() override {
    names_.pop_back();
    return builder_.end_array();
  }
  bool key(string_t& name) override {
    if (!names_.back().insert(name).second) {
      complaint_ = "the name \"" + shortened(name) + "\" occurs twice in one object";
      return false;
    }
    return builder_.key(name);
  }
  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::json::exception& error) override {
    const bool overflow = error.id == 406;
    complaint_ =
        place_of(text_, byte == 0 ? 0 : byte - 1) +
        (overflow ? ": a number above 1.8e308, the most of a float64" : ": not valid JSON here");
    return false;
  }

  const std::string& complaint() const { return complaint_; }
  Json take() { return std::move(root_); }

 private:
  bool fits_depth() {
    if (names_.size() <= kMaxJsonDepth) return true;
    complaint_ = "nested more than " + std::to_string(kMaxJsonDepth) + " levels deep";
    return false;
  }

  std::string_view text_;
  Json root_;
  nlohmann::detail::json_sax_dom_parser<Json> builder_;
  std::vector<std::set<std::string>> names_;  // of each open object; empty for arrays
  std::string complaint_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& where) {
  if (const auto bad = find_bad_utf8(text)) {
    throw Error(where, "not valid UTF-8 at byte " + std::to_string(*bad));
  }
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    throw Error(where, place_of(text, nul) + ": not valid JSON here");  // the library stops there
  }
  StrictBuilder builder(text);
  if (!Json::sax_parse(text, &builder)) throw Error(where, builder.complaint());
  return builder.take();
}

Json read_json_file(const std::string& path) { return parse_json(MappedFile(path).text(), path); }

std::string excerpt(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace), kExcerptLength);
}

}  // namespace headlight
