// Creates files atomically: only one run writes to a temporary name, then renames the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headlight {

/// What exists at a path that will be written. `special` is a pipe or a device.
enum class Target : std::uint8_t { absent, file, directory, special };
Target target_at(const std::string& path);

/// Whether `path` names anything, also a symbolic link to nothing.
bool is_named(const std::string& path);

/// Why no file at `path` can be written; empty if one can, which then exists.
std::string failure_to_write(const std::string& path);

/// Throws Error{path, …} if its folder takes no file, as one that is written under a temporary
/// name.
void refuse_folder_of(const std::string& path);

/// What to do with a file that has the temporary name and is not empty. refuse: unless it has
/// mark_unfinished(), which is replaced.
enum class Leftover : std::uint8_t { keep, replace, refuse };

/// Says of an open file that a killed run may leave it, or no longer, where the file system has
/// extended attributes.
void mark_unfinished(int descriptor, bool is_unfinished);

/// Opens `path` for reading and writing, creates it if absent, and locks it until the descriptor is
/// closed. A symbolic link is not followed, and a replaced file is not written to: another name may
/// lead to its bytes. Throws Error if another run holds the lock.
int open_alone(const std::string& path, Leftover leftover);

/// Gives the open file the permissions of the file at `path`, if there is one.
void take_mode(int descriptor, const std::string& path);

/// Renames a file whose bytes are on the disk, and syncs the new name to the disk. Throws Error.
void place_file(const std::string& written, const std::string& path);
/// The same, but returns false if something has the name already.
bool place_new_file(const std::string& written, const std::string& path);

/// Renames a directory whose files are on the disk. One that has the name is replaced at once and
/// then deleted; its file system may need two steps for this. Throws Error if the name cannot be
/// given; then the directory that was there has it.
void place_directory(const std::string& written, const std::string& path);

/// Writes a small file atomically, also with regard to a power failure. Replaces an existing file
/// and keeps its permissions; deletes what killed calls left beside it. Throws Error.
void write_whole(const std::string& path, std::string_view bytes);

}  // namespace headlight
