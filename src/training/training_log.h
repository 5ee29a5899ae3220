// The log of a training run: a JSON object a line. It has no times, so equal runs write equal logs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/output.h"
#include "training/development.h"

namespace headlight {

class TrainingLog {
 public:
  /// Writes nothing if `path` is empty. Throws Error if the file cannot be written, if it exists
  /// and `force` is false, or if it is an input.
  TrainingLog(std::string path, bool force);
  /// Continues a log after its first `bytes` bytes. Throws Error if it is shorter.
  TrainingLog(std::string path, std::uint64_t bytes);
  ~TrainingLog();
  TrainingLog(const TrainingLog&) = delete;
  TrainingLog& operator=(const TrainingLog&) = delete;

  struct Line {
    std::uint64_t step = 0;
    double epoch = 0.0;
    double loss = 0.0;  // mean of the rows since the last line
    double learning_rate = 0.0;
    const DevelopmentScore* development = nullptr;  // if it was measured after this step
  };
  void write(const Line& line);

  /// The length of the file.
  std::uint64_t bytes() const { return bytes_; }

 private:
  void open(std::uint64_t kept);

  std::string path_;
  int descriptor_ = -1;
  std::unique_ptr<Output> output_;
  std::uint64_t bytes_ = 0;
};

}  // namespace headlight
