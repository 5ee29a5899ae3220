// Files that are deleted if the program ends before they are complete.
#pragma once

#include <cstddef>
#include <string>

namespace headlight {

/// During its lifetime, remove_unfinished_files() deletes the file.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(std::string path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  std::string path_;
  std::size_t slot_;
};

/// Deletes them all. A signal handler may call it.
void remove_unfinished_files();

}  // namespace headlight
