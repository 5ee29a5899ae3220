#include "training/training_log.h"

#include <cerrno>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/json_writer.h"
#include "base/placing.h"

namespace headlight {

TrainingLog::TrainingLog(std::string path, bool force) : path_(std::move(path)) {
  if (path_.empty()) return;
  const Target target = target_at(path_);
  if (target == Target::directory) throw Error(path_, "is a directory, expected a file to write");
  if (target == Target::file && !force) throw Error(path_, "exists already", "--force replaces it");
  open(0);
}

TrainingLog::TrainingLog(std::string path, std::uint64_t bytes)
    : path_(std::move(path)), bytes_(bytes) {
  if (path_.empty()) return;
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (!exists || static_cast<std::uint64_t>(status.st_size) < bytes) {
    throw Error(path_, "is not the log of the run to resume: it is shorter than " +
                           std::to_string(bytes) + " bytes");
  }
  open(bytes);
}

TrainingLog::~TrainingLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void TrainingLog::open(std::uint64_t kept) {
  claim_output(path_, {""});
  descriptor_ = open_alone(path_, Leftover::keep);
  refuse_input(descriptor_, path_);
  const auto end = static_cast<off_t>(kept);
  const bool is_file = target_at(path_) == Target::file;
  if (is_file && (::ftruncate(descriptor_, end) != 0 || ::lseek(descriptor_, end, SEEK_SET) < 0)) {
    throw Error(path_, "cannot write: " + system_message(errno));
  }
  output_ = std::make_unique<Output>(descriptor_, path_);
}

void TrainingLog::write(const Line& line) {
  if (!output_) return;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("step", std::size_t{line.step});
  json.field("epoch", line.epoch);
  json.field("loss", line.loss);
  json.field("learning_rate", line.learning_rate);
  if (line.development != nullptr) {
    json.key("development").begin_object();
    json.field(line.development->name, line.development->score);
    json.field("loss", line.development->loss);
    json.end_object();
  }
  json.end_object();
  text += '\n';
  output_->write(text);
  output_->flush();
  bytes_ += text.size();
}

}  // namespace headlight
