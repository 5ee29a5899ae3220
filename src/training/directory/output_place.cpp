#include "training/directory/output_place.h"

#include <filesystem>
#include <system_error>

#include "base/file.h"

namespace headlight {

std::string OutputPlace::directory() const { return directory_at(output); }

OutputPlace OutputPlace::of_way(std::string_view word) const {
  OutputPlace place = *this;
  place.output = directory() + '.' + std::string(word);
  place.log.clear();
  return place;
}

std::string directory_at(std::string path) {
  constexpr int kMostLinks = 40;  // as the system follows
  for (int links = 0;; ++links) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    std::error_code failure;
    const std::filesystem::path to = std::filesystem::read_symlink(path, failure);
    if (failure || links == kMostLinks) return path;
    path = (std::filesystem::path(path).parent_path() / to).string();
  }
}

std::string checkpoint_of(const OutputPlace& place, std::size_t course) {
  return place.directory() + ".checkpoint" + (course > 1 ? "-" + std::to_string(course) : "");
}

bool has_checkpoint(const OutputPlace& place) {
  for (std::size_t course = 1; course <= kMostCourses; ++course) {
    if (file_exists(checkpoint_of(place, course))) return true;
  }
  return false;
}

}  // namespace headlight
