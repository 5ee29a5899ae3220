// The state of a training run on disk, so that it can be resumed: a JSON header, then float32
// numbers. A file is replaced only by a complete one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rows/origin.h"
#include "training/development.h"

namespace headlight {

/// What a checkpoint begins with.
inline constexpr std::string_view kCheckpointMagic = "headlight training 1\n";

/// All of the state but the numbers.
struct TrainingState {
  std::uint64_t step = 0;   // steps done
  std::uint64_t epoch = 0;  // the current one, from 0
  std::uint64_t batch = 0;  // batches done in it
  std::optional<DevelopmentScore> latest;
  std::optional<DevelopmentScore> best;
  double best_epoch = 0.0;         // when it was reached
  double lowest_loss = 0.0;        // of all development scores
  std::uint64_t without_best = 0;  // development scores since the last progress
  double loss = 0.0;               // sum over the rows since the last line of the log
  std::uint64_t rows = 0;          // their number
  std::uint64_t log_bytes = 0;     // length of the log
};

/// Blocks of numbers of the same length, in a fixed order.
using CheckpointBlocks = std::vector<std::span<float>>;

/// Throws Error if it cannot be written.
void write_checkpoint(const std::string& path, const Origin& origin, const TrainingState& state,
                      const CheckpointBlocks& blocks);

/// Fills the blocks and returns the state. Throws Error{path, …} if the file is not a complete
/// checkpoint of the same origin and size.
TrainingState read_checkpoint(const std::string& path, const Origin& origin,
                              const CheckpointBlocks& blocks);

}  // namespace headlight
