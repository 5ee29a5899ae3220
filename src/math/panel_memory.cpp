#include "math/panel_memory.h"

#include <new>
#include <utility>

#include <sys/mman.h>

namespace headlight {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} * 1024 * 1024;

}  // namespace

PanelMemory::PanelMemory(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  bytes_ = (bytes + kHugePage - 1) / kHugePage * kHugePage;  // only whole pages can be huge pages
  void* memory =
      ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  ::madvise(memory, bytes_, MADV_HUGEPAGE);  // only a hint
  data_ = static_cast<std::byte*>(memory);
}

PanelMemory::PanelMemory(PanelMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

PanelMemory& PanelMemory::operator=(PanelMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

PanelMemory::~PanelMemory() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

}  // namespace headlight
