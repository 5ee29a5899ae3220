// A folder for the files of one test, removed at its end.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <unistd.h>

namespace headlight {

/// The bytes of a file; empty if there is none.
inline std::string content_of(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "headlight-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path() const { return path_.string(); }
  /// The path of something in the folder; "/" joins.
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  /// Writes a file and makes its folders if they are missing. Returns its path.
  std::string write(const std::string& name, std::string_view content) const {
    const std::filesystem::path path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << content;
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
    return path.string();
  }
  /// Writes files, file name → content, into a folder of this one.
  void write_folder(const std::string& name,
                    const std::map<std::string, std::string>& files) const {
    std::filesystem::create_directories(path_ / name);
    for (const auto& [file, content] : files) write(name + "/" + file, content);
  }

  std::string read(const std::string& name) const { return content_of(*this / name); }
  bool has(const std::string& name) const {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::symlink_status(path_ / name, ignored));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace headlight
