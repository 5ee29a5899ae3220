// Creates files atomically: only one run writes to a temporary name, then renames the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headlight {

/// What exists at a path that will be written. `special` is a pipe or a device.
enum class Target : std::uint8_t { absent, file, directory, special };
Target target_at(const std::string& path);

/// Opens `path` for reading and writing, creates it if absent, and locks it until the descriptor is
/// closed. Throws Error if another run holds the lock.
int open_alone(const std::string& path);

/// Renames a file whose bytes are on the disk, and syncs the new name to the disk. Throws Error.
void place_file(const std::string& written, const std::string& path);

/// Writes a small file atomically, also with regard to a power failure. Replaces an existing file.
/// Throws Error.
void write_whole(const std::string& path, std::string_view bytes);

}  // namespace headlight
