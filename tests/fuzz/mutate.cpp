#include "fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace headlight::fuzz {
namespace {

using Json = nlohmann::ordered_json;

/// Values at the limits of what a field takes, and of other types.
Json unusual_value(Random& random) {
  static const std::array<const char*, 24> kValues = {
      "0",          "1",         "2",
      "3",          "-1",        "64",
      "4294967296", "1e400",     "1e-45",
      "0.5",        "-0.0",      "true",
      "false",      "null",      "\"\"",
      "\"a\"",      "\"gelu\"",  "[]",
      "{}",         "[0]",       "18446744073709551615",
      "[[]]",       "{\"a\":1}", "\"\\u0000\\ud83d\\ude00\""};
  return Json::parse(kValues[random() % kValues.size()], nullptr, /*allow_exceptions=*/false);
}

/// Every value of a document, from the outside in.
void collect(Json& json, std::vector<Json*>& all) {
  all.push_back(&json);
  if (!json.is_structured()) return;
  for (Json& inner : json) collect(inner, all);
}

Json number_near(const Json& number, Random& random) {
  if (!number.is_number_integer()) return number.get<double>() * 2.0;
  const auto value = static_cast<std::uint64_t>(number.get<std::int64_t>());
  constexpr std::array<std::uint64_t, 4> kSteps = {1, ~std::uint64_t{0}, 8, 255};
  return static_cast<std::int64_t>(value + kSteps[random() % kSteps.size()]);
}

void change_member(Json& object, const Json& other, Random& random) {
  if (object.empty()) {
    object["a"] = other;
    return;
  }
  const auto member =
      std::next(object.begin(), static_cast<std::ptrdiff_t>(random() % object.size()));
  const std::string name = member.key();
  const Json value = member.value();
  if (random() % 2 == 0) object.erase(name);
  if (random() % 2 == 0) object[name + (random() % 2 == 0 ? "_" : "s")] = value;
}

void change_array(Json& array, const Json& other, Random& random) {
  const std::size_t at = array.empty() ? 0 : random() % array.size();
  switch (random() % 3) {
    case 0:
      array.insert(array.begin() + static_cast<std::ptrdiff_t>(at), other);
      break;
    case 1:
      if (!array.empty()) array.erase(at);
      break;
    default:
      if (!array.empty()) array.push_back(Json(array[at]));
  }
}

void change(Json& document, Random& random) {
  std::vector<Json*> all;
  collect(document, all);
  Json& chosen = *all[random() % all.size()];
  const Json other = *all[random() % all.size()];  // a copy, as it may contain what is chosen
  const auto way = random() % 4;
  if (way == 0) {
    chosen = unusual_value(random);
  } else if (way == 1) {
    chosen = other;
  } else if (chosen.is_object()) {
    change_member(chosen, other, random);
  } else if (chosen.is_array()) {
    change_array(chosen, other, random);
  } else if (chosen.is_number()) {
    chosen = number_near(chosen, random);
  } else if (chosen.is_string()) {
    chosen = with_other_bytes(chosen.get<std::string>(), random);
  }
}

/// The bytes before the JSON, the JSON, and the bytes after it.
struct Parts {
  std::string_view before;
  std::string_view json;
  std::string_view after;
};

constexpr std::size_t kLength = 8;  // bytes of the length of a safetensors header

std::optional<Parts> parts_of(std::string_view input, Structure structure) {
  switch (structure) {
    case Structure::bytes:
    case Structure::folder:
      return std::nullopt;
    case Structure::json:
      return Parts{"", input, ""};
    case Structure::json_and_text: {
      const std::size_t end = std::min(input.find('\0'), input.size());
      return Parts{"", input.substr(0, end), input.substr(end)};
    }
    case Structure::byte_and_json:
      if (input.empty()) return std::nullopt;
      return Parts{input.substr(0, 1), input.substr(1), ""};
    case Structure::safetensors: {
      std::uint64_t length = 0;
      if (input.size() < kLength) return std::nullopt;
      std::memcpy(&length, input.data(), kLength);
      if (length > input.size() - kLength) return std::nullopt;
      return Parts{input.substr(0, kLength), input.substr(kLength, length),
                   input.substr(kLength + length)};
    }
  }
  return std::nullopt;
}

constexpr std::string_view kFileMark = "=== ";

/// One file of the folder with another JSON.
std::optional<std::string> with_other_file(std::string_view folder, Random& random) {
  const std::vector<NamedFile> files = files_of(folder);
  if (files.empty()) return std::nullopt;
  const std::string_view chosen = files[random() % files.size()].content;
  auto other = with_other_json(chosen, Structure::json, random);
  if (!other) other = with_other_json(chosen, Structure::safetensors, random);
  if (!other) return std::nullopt;
  const auto begin = static_cast<std::size_t>(chosen.data() - folder.data());
  return std::string(folder.substr(0, begin)) + *other +
         std::string(folder.substr(begin + chosen.size()));
}

}  // namespace

std::vector<NamedFile> files_of(std::string_view folder) {
  std::vector<NamedFile> files;
  while (folder.starts_with(kFileMark)) {
    folder.remove_prefix(kFileMark.size());
    const std::size_t line = std::min(folder.find('\n'), folder.size());
    const std::string_view name = folder.substr(0, line);
    folder.remove_prefix(std::min(line + 1, folder.size()));
    const std::size_t end = std::min(folder.find("\n=== "), folder.size());
    files.push_back({name, folder.substr(0, end)});
    folder.remove_prefix(std::min(end + 1, folder.size()));
  }
  return files;
}

std::optional<std::string> with_other_json(std::string_view input, Structure structure,
                                           Random& random) {
  if (structure == Structure::folder) return with_other_file(input, random);
  const auto parts = parts_of(input, structure);
  if (!parts) return std::nullopt;
  Json document = Json::parse(parts->json, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return std::nullopt;
  for (std::size_t left = 1 + random() % 3; left > 0; --left) change(document, random);
  const std::string json =
      document.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
  std::string before(parts->before);
  if (structure == Structure::safetensors) {
    const std::uint64_t length = json.size();
    std::memcpy(before.data(), &length, kLength);
  }
  return before + json + std::string(parts->after);
}

std::string with_other_bytes(std::string_view input, Random& random) {
  std::string bytes(input);
  for (std::size_t left = 1 + random() % 4; left > 0; --left) {
    const std::size_t at = bytes.empty() ? 0 : random() % bytes.size();
    const std::size_t count = std::min<std::size_t>(bytes.size() - at, 1 + random() % 16);
    const char byte = static_cast<char>(random() % 3 == 0 ? random() % 256 : 32 + random() % 95);
    switch (random() % 5) {
      case 0:
        if (!bytes.empty()) bytes[at] = byte;
        break;
      case 1:
        bytes.erase(at, count);
        break;
      case 2:
        bytes.insert(at, bytes.substr(at, count));
        break;
      case 3:
        bytes.insert(at, 1, byte);
        break;
      default:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
    }
  }
  return bytes;
}

}  // namespace headlight::fuzz
