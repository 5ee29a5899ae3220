// Memory for packed weights: one piece for all of a model, in huge pages where the system gives
// them, so that going through it costs few page faults and few misses of address translation.
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
