// How a file comes to stand under its name: written beside it by one run alone, then renamed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headlight {

/// What stands at a path that is to be written. A special one is a pipe or a device.
enum class Target : std::uint8_t { absent, file, directory, special };
Target target_at(const std::string& path);

/// A descriptor that reads and writes `path`, made where it is absent, and locked until it is
/// closed. Throws Error where another run holds it.
int open_alone(const std::string& path);

/// Renames a file whose bytes are on the disk, and makes the name last there too. Throws Error.
void place_file(const std::string& written, const std::string& path);

/// Writes a small file that is there whole or not at all, also after a power cut. What stands there
/// is replaced. Throws Error.
void write_whole(const std::string& path, std::string_view bytes);

}  // namespace headlight
