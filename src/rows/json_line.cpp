#include "rows/json_line.h"

#include <algorithm>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"

namespace headlight {
namespace {

/// Collects scalars of the outermost object and its arrays; what is deeper is only checked.
class Collector : public nlohmann::json_sax<Json> {
 public:
  explicit Collector(std::vector<JsonLine::Field>& fields) : fields_(fields) {}

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
    } else if (in_array_) {
      add_item(Json(std::move(value)).dump());
    }
    return depth_ > 0 || fail("is not a JSON object");
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    leave_array();
    return open();
  }
  bool start_array(std::size_t) override {
    if (depth_ == 0) return fail("is not a JSON object");
    if (depth_ > 1) leave_array();
    in_array_ = depth_ == 1;
    if (in_array_) fields_.back().text = "[";
    return open();
  }
  bool end_object() override { return close(); }
  bool end_array() override {
    if (in_array_) fields_.back().text += ']';
    in_array_ = false;
    return close();
  }
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
    if (depth_ == 1) {
      fields_.back().text = std::move(spelling);
    } else if (in_array_) {
      add_item(spelling);
    }
    return true;
  }
  void add_item(const std::string& item) {
    std::string& text = fields_.back().text;
    if (text.size() > 1) text += ',';
    text += item;
  }
  /// It holds something deeper.
  void leave_array() {
    if (in_array_) fields_.back().text.clear();
    in_array_ = false;
  }
  bool open() {
    if (depth_ == 1) fields_.back().kind = JsonLine::Kind::nested;
    return ++depth_ <= kMaxJsonDepth || fail("is nested too deep");
  }
  bool close() {
    --depth_;
    return true;
  }
  bool fail(std::string complaint) {
    complaint_ = std::move(complaint);
    return false;
  }

  std::vector<JsonLine::Field>& fields_;
  std::set<std::string> names_;
  std::size_t depth_ = 0;
  bool in_array_ = false;  // in a field's, not deeper
  std::string complaint_;
};

}  // namespace

JsonLine::JsonLine(std::string_view line) {
  if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos) {
    throw TextError("the line is not valid JSON at byte " + std::to_string(nul));
  }
  Collector collector(fields_);
  if (!Json::sax_parse(line, &collector)) throw TextError("the line " + collector.complaint());
}

const JsonLine::Field* JsonLine::find(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Field& field) { return field.name == name; });
  return found == fields_.end() ? nullptr : &*found;
}

}  // namespace headlight
