// The log of a training run: a JSON object a line. It has no times, so equal runs write equal logs.
// A run that is resumed writes the lines of the stopped one again, so a log that differs anywhere
// is not its log, and is not changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"
#include "base/output.h"
#include "training/course/development.h"

namespace headlight {

/// Where a training is, after each step.
struct TrainingReport {
  std::uint64_t step = 0;       // steps done
  double epoch = 0.0;           // epochs done, such as 1.25
  std::size_t epochs = 0;       // the maximum
  std::size_t rows = 0;         // rows done in all epochs
  std::size_t rows_before = 0;  // those of an earlier run
  double loss = 0.0;            // mean of the rows of the step
  double learning_rate = 0.0;
  const DevelopmentScore* latest = nullptr;  // nullptr: there are no development rows
  const DevelopmentScore* best = nullptr;
};

/// The part of a log that a run has written.
struct LogPart {
  std::uint64_t bytes = 0;
  std::string hash;  // hash_of() them; empty if there are none
};

class TrainingLog {
 public:
  /// What to do with a file that exists: refuse it, replace it, or go on as far as it has the lines
  /// that this run writes.
  enum class Earlier : std::uint8_t { refuse, replace, repeat };

  /// Writes nothing if `path` is empty. With `repeat`, the run goes on after the lines `written`.
  /// Throws Error if the file cannot be written, if it is an input, or if it must not be replaced.
  TrainingLog(std::string path, Earlier earlier, LogPart written = {});
  ~TrainingLog();
  TrainingLog(const TrainingLog&) = delete;
  TrainingLog& operator=(const TrainingLog&) = delete;

  /// The step, epoch, loss and learning rate, and `latest`, if it is not nullptr. Throws Error if
  /// the file cannot be written, or has another line here.
  void write(const TrainingReport& line);

  const LogPart& written() const { return written_; }

 private:
  /// Throws Error if the file is not the log of the run that wrote `written_`.
  void read_earlier();

  std::string path_;
  LogPart written_;
  GrowingHash hash_;
  std::string earlier_;      // lines after `written_` that a killed run wrote
  std::size_t checked_ = 0;  // bytes of them that this run has written again
  int descriptor_ = -1;
  std::unique_ptr<Output> output_;
};

/// The error about a file that exists, but is not the log that a resumed run writes.
Error not_its_log(const std::string& path);

/// Throws not_its_log() if `path` is a file that neither is empty nor begins with `begin`.
void refuse_other_log(const std::string& path, std::string_view begin);

}  // namespace headlight
