// Memory for packed weights: one block per model, in huge pages if available, for few page faults
// and TLB misses.
#pragma once

#include <cstddef>

namespace headlight {

class PanelMemory {
 public:
  PanelMemory() = default;
  /// Throws std::bad_alloc.
  explicit PanelMemory(std::size_t bytes);
  PanelMemory(PanelMemory&& other) noexcept;
  PanelMemory& operator=(PanelMemory&& other) noexcept;
  ~PanelMemory();

  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace headlight
