// The state of a training run on disk, so that it can be resumed: a JSON header, float32 numbers,
// then a checksum. A file is replaced only by a complete one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rows/origin.h"
#include "training/course/batches.h"
#include "training/course/development.h"
#include "training/course/training_log.h"

namespace headlight {

/// What a checkpoint begins with.
inline constexpr std::string_view kCheckpointMagic = "headlight training ";

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
  LogPart log;                     // what it has written of the log
};

/// Blocks of numbers in a fixed order, the weights first.
using CheckpointBlocks = std::vector<std::span<float>>;

/// Throws Error if it cannot be written.
void write_checkpoint(const std::string& path, const Origin& origin, const TrainingState& state,
                      const CheckpointBlocks& blocks);

/// Fills the blocks and returns the state. Throws Error{path, …} if the file is not a complete,
/// undamaged checkpoint of the same origin and size.
TrainingState read_checkpoint(const std::string& path, const Origin& origin,
                              const CheckpointBlocks& blocks);

/// Throws Error{path, …} if a training of at most `epochs` epochs never has this state. `batches`:
/// those of its epoch; `is_scored`: there are development rows.
void check_state(const std::string& path, const TrainingState& state, const EpochBatches& batches,
                 std::size_t epochs, bool is_scored);

}  // namespace headlight
