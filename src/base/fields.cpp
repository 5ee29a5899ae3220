#include "base/fields.h"

#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "base/nearest_name.h"
#include "base/utf8.h"

namespace headlight {
namespace {

/// What is expected instead of `found`. A bound that is never meant is named if it is passed.
std::string whole_number(const Json& found, std::size_t low, std::size_t high) {
  const bool open = high == Fields::kLargestSize && !(found.is_number() && found > high);
  return "a whole number " + (open ? "of at least " + std::to_string(low)
                                   : "from " + std::to_string(low) + " to " + std::to_string(high));
}

}  // namespace

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
  // A number of more than 64 bits is parsed as floating-point, so it fails here too.
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number >= low && number <= high) return static_cast<std::size_t>(number);
  }
  fail(name, whole_number(value, low, high));
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
                              ", expected " + whole_number(list[i], low, kLargestSize));
    }
    out.push_back(list[i].get<std::size_t>());
  }
  return out;
}

void Fields::refuse_unknown() const {
  for (const auto& [name, value] : object_->items()) {
    if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
    throw Error(where_, path_of(name) + ": unknown field", did_you_mean(name, asked_));
  }
}

}  // namespace headlight
