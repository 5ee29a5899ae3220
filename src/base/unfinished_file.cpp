#include "base/unfinished_file.h"

#include <array>
#include <atomic>
#include <utility>

#include <unistd.h>

namespace headlight {
namespace {

// A signal handler can only use globals and atomics. A command opens a few outputs; of more than
// these, the rest stays if a signal ends the program.
std::array<std::atomic<const char*>, 16> unfinished_paths{};

}  // namespace

UnfinishedFile::UnfinishedFile(std::string path)
    : path_(std::move(path)), slot_(unfinished_paths.size()) {
  for (std::size_t i = 0; i < unfinished_paths.size() && slot_ == unfinished_paths.size(); ++i) {
    const char* free = nullptr;
    if (unfinished_paths[i].compare_exchange_strong(free, path_.c_str())) slot_ = i;
  }
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_ < unfinished_paths.size()) unfinished_paths[slot_] = nullptr;
}

void remove_unfinished_files() {
  for (const auto& path : unfinished_paths) {
    if (const char* name = path.load()) ::unlink(name);
  }
}

}  // namespace headlight
