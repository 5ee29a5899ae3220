// Where a model goes, with the files that a run keeps beside it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {

struct OutputPlace {
  std::string output;   // the directory, as given
  std::string log;      // a file of JSON lines; empty: none
  bool force = false;   // replaces a model that exists, and the log
  bool resume = false;  // continues a stopped run, if there is one

  /// directory_at(output)
  std::string directory() const;
  /// The place of a way that is tried among others: its files are beside the directory, and it has
  /// no log.
  OutputPlace of_way(std::string_view word) const;
};

/// `path` without slashes at its end, or what it leads to as a symbolic link.
std::string directory_at(std::string path);

/// Courses of a training, one after another.
inline constexpr std::size_t kMostCourses = 3;
/// The state of a stopped training in this of its courses, from 1.
std::string checkpoint_of(const OutputPlace& place, std::size_t course);
/// Whether there is one.
bool has_checkpoint(const OutputPlace& place);

}  // namespace headlight
