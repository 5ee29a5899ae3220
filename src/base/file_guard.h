// Protects the files that a program reads: none of its outputs may replace one, whatever path, hard
// link or symbolic link leads to it. Also knows what was read.
#pragma once

#include <initializer_list>
#include <string>

namespace headlight {

/// Remembers the inputs and outputs of the program during its lifetime. Only one may exist at a
/// time. Without one, nothing is remembered and nothing is refused.
class FileGuard {
 public:
  FileGuard();
  ~FileGuard();
  FileGuard(const FileGuard&) = delete;
  FileGuard& operator=(const FileGuard&) = delete;
};

/// Remembers an input. Only regular files count: pipes and devices can be read and written.
void guard_input(int descriptor, const std::string& path);
void guard_input(const std::string& path);

/// Forgets the input that was read from `path`, because this run may replace it.
void release_input(const std::string& path);

/// Forgets the output at `path`, which this run may write again.
void release_output(const std::string& path);

/// Remembers the hash of an input that was read to its end; input_hash() is empty without one.
void remember_hash(const std::string& name, const std::string& hash);
std::string input_hash(const std::string& name);

/// Remembers an output. `suffixes` make the names of the files that are written before `path` is
/// complete, such as ".partial". Throws Error if one of these is an input, or if another output has
/// the same path.
void claim_output(const std::string& path, std::initializer_list<const char*> suffixes);

/// Throws Error{name, …} if the open file is an input.
void refuse_input(int descriptor, const std::string& name);

}  // namespace headlight
