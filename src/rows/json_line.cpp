#include "rows/json_line.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"

namespace headlight {
namespace {

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

/// Collects the fields of the outermost object. The parser reports each bracket at once after
/// reading it, so nested values can be copied from the line.
class Collector : public nlohmann::json_sax<Json> {
 public:
  Collector(std::vector<JsonLine::Field>& fields, const char* const& taken)
      : fields_(fields), taken_(taken) {}

  bool null() override { return scalar("null"); }
  bool boolean(bool value) override { return scalar(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override {
    return scalar(value == 0 ? "-0" : std::to_string(value));  // a 0 without sign is unsigned
  }
  bool number_unsigned(number_unsigned_t value) override { return scalar(std::to_string(value)); }
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
      return fail("has the field \"" + shortened(name) + "\" twice");
    }
    fields_.push_back({name, JsonLine::Kind::scalar, ""});
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::json::exception&) override {
    return fail("is not valid JSON at byte " + std::to_string(byte == 0 ? 0 : byte - 1));
  }

  const std::string& complaint() const { return complaint_; }

 private:
  bool scalar(std::string spelling) {
    if (depth_ == 0) return fail("is not a JSON object");
    if (depth_ == 1) fields_.back().text = std::move(spelling);
    return true;
  }
  bool open() {
    if (depth_ == 1) {
      fields_.back().kind = JsonLine::Kind::nested;
      opened_ = taken_ - 1;
    }
    return ++depth_ <= kMaxJsonDepth || fail("is nested too deep");
  }
  bool close() {
    --depth_;
    if (depth_ == 1) fields_.back().text.assign(opened_, taken_);
    return true;
  }
  bool fail(std::string complaint) {
    complaint_ = std::move(complaint);
    return false;
  }

  std::vector<JsonLine::Field>& fields_;
  const char* const& taken_;
  const char* opened_ = nullptr;  // the beginning of the last field's nested value
  std::set<std::string> names_;
  std::size_t depth_ = 0;
  std::string complaint_;
};

}  // namespace

JsonLine::JsonLine(std::string_view line) {
  if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos) {
    throw TextError("the line is not valid JSON at byte " + std::to_string(nul));
  }
  const char* taken = line.data();
  Collector collector(fields_, taken);
  const CountedBytes begin(line.data(), &taken);
  const CountedBytes end(line.data() + line.size(), &taken);
  if (!Json::sax_parse(begin, end, &collector))
    throw TextError("the line " + collector.complaint());
}

const JsonLine::Field* JsonLine::find(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Field& field) { return field.name == name; });
  return found == fields_.end() ? nullptr : &*found;
}

}  // namespace headlight
