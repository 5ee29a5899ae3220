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

/// Builds the value while refusing what the library's own builder lets pass: depth and duplicates.
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
      complaint_ = "the name \"" + shortened(name) + "\" stands twice in one object";
      return false;
    }
    return builder_.key(name);
  }
  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::json::exception& error) override {
    const bool overflow = error.id == 406;
    complaint_ = place_of(text_, byte == 0 ? 0 : byte - 1) +
                 (overflow ? ": a number that no double can hold" : ": not valid JSON here");
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
  std::vector<std::set<std::string>> names_;  // of each open object; arrays leave theirs empty
  std::string complaint_;
};

/// Edit distance (Levenshtein), one row at a time.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

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

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  const auto nearest = std::min_element(
      known.begin(), known.end(),
      [&](const auto& a, const auto& b) { return distance(name, a) < distance(name, b); });
  return nearest == known.end() ? "" : *nearest;
}

Fields::Fields(const Json& object, std::string where, std::string path)
    : object_(&object), where_(std::move(where)), path_(std::move(path)) {
  if (!object.is_object()) {
    throw Error(where_, (path_.empty() ? "" : path_ + ": ") + "found " + excerpt(object) +
                            ", expected an object");
  }
}

std::string Fields::path_of(std::string_view name) const {
  return (path_.empty() ? "" : path_ + ".") + shortened(name);
}

void Fields::complain(std::string_view name, const std::string& what) const {
  throw Error(where_, path_of(name) + " " + what);
}

void Fields::fail(std::string_view name, const std::string& expected) const {
  const auto found = object_->find(name);
  throw Error(where_, path_of(name) + ": " +
                          (found == object_->end() ? "missing" : "found " + excerpt(*found)) +
                          ", expected " + expected);
}

const Json* Fields::find(std::string_view name) {
  asked_.emplace_back(name);
  const auto found = object_->find(name);
  return found == object_->end() ? nullptr : &*found;
}

const Json* Fields::find_value(std::string_view name) {
  const Json* value = find(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

const Json& Fields::required(std::string_view name) {
  const Json* value = find(name);
  if (value == nullptr) throw Error(where_, path_of(name) + ": missing");
  return *value;
}

std::size_t Fields::to_size(std::string_view name, const Json& value, std::size_t low,
                            std::size_t high) const {
  // A number past 64 bits is parsed as floating-point, so it fails here too.
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number >= low && number <= high) return static_cast<std::size_t>(number);
  }
  fail(name, "a whole number " + (high == kLargestSize ? "of at least " + std::to_string(low)
                                                       : "from " + std::to_string(low) + " to " +
                                                             std::to_string(high)));
}

std::size_t Fields::required_size(std::string_view name, std::size_t low, std::size_t high) {
  return to_size(name, required(name), low, high);
}

std::size_t Fields::size_or(std::string_view name, std::size_t fallback, std::size_t low,
                            std::size_t high) {
  const Json* value = find(name);
  return value == nullptr ? fallback : to_size(name, *value, low, high);
}

double Fields::number_or(std::string_view name, double fallback) {
  const Json* value = find(name);
  if (value == nullptr) return fallback;
  if (!value->is_number()) fail(name, "a number");
  return value->get<double>();
}

bool Fields::flag_or(std::string_view name, bool fallback) {
  const Json* value = find(name);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) fail(name, "true or false");
  return value->get<bool>();
}

std::string Fields::required_string(std::string_view name) {
  const Json& value = required(name);
  if (!value.is_string()) fail(name, "a string");
  return value.get<std::string>();
}

std::string Fields::string_or(std::string_view name, const std::string& fallback) {
  return find(name) == nullptr ? fallback : required_string(name);
}

std::optional<std::string> Fields::nullable_string_or(std::string_view name,
                                                      std::optional<std::string> fallback) {
  const Json* value = find(name);
  if (value == nullptr) return fallback;
  if (value->is_null()) return std::nullopt;
  if (!value->is_string()) fail(name, "a string or null");
  return value->get<std::string>();
}

std::vector<std::string> Fields::strings(std::string_view name) {
  const Json& list = required(name);
  const auto is_string = [](const Json& item) { return item.is_string(); };
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_string)) {
    fail(name, "a list of strings");
  }
  return list.get<std::vector<std::string>>();
}

std::vector<std::size_t> Fields::sizes(std::string_view name, std::size_t low) {
  const Json& list = required(name);
  if (!list.is_array()) fail(name, "a list of whole numbers");
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_number_unsigned() || list[i].get<std::uint64_t>() < low ||
        list[i].get<std::uint64_t>() > kLargestSize) {
      throw Error(where_, path_of(name) + "[" + std::to_string(i) + "]: found " + excerpt(list[i]) +
                              ", expected a whole number of at least " + std::to_string(low));
    }
    out.push_back(list[i].get<std::size_t>());
  }
  return out;
}

void Fields::refuse_unknown() const {
  for (const auto& [name, value] : object_->items()) {
    if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
    throw Error(where_, path_of(name) + ": unknown field",
                "did you mean " + nearest_name(name, asked_) + "?");
  }
}

}  // namespace headlight
