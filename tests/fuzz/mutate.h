// Changes inputs of the fuzz targets. Changes of the structure keep the syntax, so that inputs
// reach what is behind the parser.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::fuzz {

using Random = std::minstd_rand;  // quick to make, for each change of an input is one made

/// Where an input has JSON: nowhere; all of it; before the first NUL; after a byte; in the header
/// of a safetensors file; in the files of a folder.
enum class Structure : std::uint8_t {
  bytes,
  json,
  json_and_text,
  byte_and_json,
  safetensors,
  folder
};

/// The files of a folder are written one after another, each after a line "=== NAME".
struct NamedFile {
  std::string_view name;
  std::string_view content;
};
std::vector<NamedFile> files_of(std::string_view folder);

/// The input with one change in its JSON: a value, a name or a member. nullopt: there is no JSON.
std::optional<std::string> with_other_json(std::string_view input, Structure structure,
                                           Random& random);

/// The input with a few other, missing, repeated or inserted bytes.
std::string with_other_bytes(std::string_view input, Random& random);

}  // namespace headlight::fuzz
