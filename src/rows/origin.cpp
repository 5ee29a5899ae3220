#include "rows/origin.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compression.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"

namespace headlight {
namespace {

constexpr std::string_view kFlag = "given";  // the value of an option without a value
constexpr std::string_view kHash = "xxh3 ";  // begins the value of a hidden one

std::string value_in(const Origin::Facts& facts, const std::string& name,
                     const std::string& absent) {
  const auto found = facts.find(name);
  return found == facts.end() ? absent : found->second;
}

/// "was written with --limit 7; this run does not use --limit"
std::string option_change(const std::string& name, const Origin::Facts& then,
                          const Origin::Facts& now) {
  const auto spelled = [&](const std::string& value) {
    return value == kFlag || value.starts_with(kHash) ? name : name + ' ' + value;
  };
  const auto before = then.find(name);
  const auto after = now.find(name);
  const bool both = before != then.end() && after != now.end();
  if (both && before->second.starts_with(kHash)) return "was written with another " + name;
  return "was written " +
         (before == then.end() ? "without " + name : "with " + spelled(before->second)) +
         "; this run " +
         (after == now.end() ? "does not use " + name : "uses " + spelled(after->second));
}

/// "size was 5 bytes and is now 6 bytes"; `absent` describes a missing value.
std::string change(const std::string& name, const Origin::Facts& then, const Origin::Facts& now,
                   const std::string& absent) {
  return name + " was " + value_in(then, name, absent) + " and is now " +
         value_in(now, name, absent);
}

/// The first name with different values, or empty.
std::string differing_name(const Origin::Facts& then, const Origin::Facts& now) {
  std::vector<std::pair<std::string, std::string>> differing;
  std::ranges::set_symmetric_difference(then, now, std::back_inserter(differing));
  return differing.empty() ? "" : differing.front().first;
}

Origin::Facts facts_in(Fields& fields, std::string_view name) {
  Origin::Facts facts;
  const Json& object = fields.required(name);
  if (!object.is_object()) fields.fail(name, "an object");
  for (const auto& [key, value] : object.items()) {
    if (!value.is_string()) fields.fail(name, "strings");
    facts[key] = value.get<std::string>();
  }
  return facts;
}

}  // namespace

std::string mark_of(std::string_view bytes) {
  return std::to_string(bytes.size()) + " bytes, xxh3 " + hash_of(bytes);
}

Origin::Facts marks_of_files(const std::vector<std::string>& paths) {
  Origin::Facts marks;
  for (const auto& path : paths) {
    const MappedFile file(path);
    marks[std::filesystem::path(path).filename().string()] += mark_of(file.text());
  }
  return marks;
}

Origin::Facts marks_of_input(int descriptor, const std::string& name) {
  constexpr std::size_t kHashedAtOnce = std::size_t{1} << 20U;
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  GrowingHash hash;
  std::string piece(kHashedAtOnce, '\0');
  off_t place = 0;
  while (true) {
    const ssize_t count = ::pread(descriptor, piece.data(), piece.size(), place);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(name, "cannot read: " + system_message(errno));
    if (count == 0) break;
    hash.add(std::string_view(piece).substr(0, static_cast<std::size_t>(count)));
    place += count;
  }
  return {{"size", std::to_string(place) + " bytes"}, {"content", "xxh3 " + hash.text()}};
}

Origin::Facts marks_of_input(const std::string& path) {
  const int descriptor =
      path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) throw Error(path, system_message(errno));
  Origin::Facts marks;
  try {
    marks = marks_of_input(descriptor, path);
  } catch (...) {
    if (descriptor != STDIN_FILENO) ::close(descriptor);
    throw;
  }
  if (descriptor != STDIN_FILENO) ::close(descriptor);
  const std::filesystem::path name = std::string(without_compression(path));
  marks["ending"] = name.extension().string() + path.substr(name.native().size());
  return marks;
}

std::string model_hash(const Origin::Facts& model) {
  std::string all;
  for (const auto& [name, mark] : model) {
    all += name;
    all += '\0';
    all += mark;
    all += '\0';
  }
  return hash_of(all);
}

std::string to_json(const Origin& origin) {
  const Json json = {{"headlight", origin.program},
                     {"options", origin.options},
                     {"model", origin.model},
                     {"input", origin.input},
                     {"arithmetic", origin.arithmetic}};
  constexpr int kIndent = 1;
  return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + '\n';
}

Origin origin_from_json(std::string_view text, const std::string& where) {
  const Json json = parse_json(text, where);
  Fields fields(json, where);
  Origin origin;
  origin.program = fields.required_string("headlight");
  origin.options = facts_in(fields, "options");
  origin.model = facts_in(fields, "model");
  origin.input = facts_in(fields, "input");
  origin.arithmetic = fields.required_string("arithmetic");
  return origin;
}

Origin hidden(Origin origin) {
  for (auto& [name, value] : origin.options) {
    if (value != kFlag) value = std::string(kHash) + hash_of(value);
  }
  return origin;
}

std::string difference(const Origin& then, const Origin& made) {
  const Origin now = origin_from_json(to_json(made), "");
  if (const auto name = differing_name(then.options, now.options); !name.empty()) {
    return option_change(name, then.options, now.options);
  }
  if (const auto name = differing_name(then.model, now.model); !name.empty()) {
    return "was written with another model: " + change(name, then.model, now.model, "missing");
  }
  if (const auto name = differing_name(then.input, now.input); !name.empty()) {
    return "was written for another input: its " + change(name, then.input, now.input, "unknown");
  }
  if (then.arithmetic != now.arithmetic) {
    return "was written with " + then.arithmetic + "; this run uses " + now.arithmetic;
  }
  if (then.program != now.program && !made.accepts_build) {
    return "was written by build " + then.program + "; this is build " + now.program +
           ", and --accept-build goes on with it";
  }
  return "";
}

}  // namespace headlight
