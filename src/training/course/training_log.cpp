#include "training/course/training_log.h"

#include <cerrno>
#include <utility>

#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/json_writer.h"
#include "base/placing.h"
#include "training/directory/model_directory.h"

namespace headlight {
namespace {

constexpr const char* kItsLog = "name its log, or leave out --log";

}  // namespace

TrainingLog::TrainingLog(std::string path, Earlier earlier, LogPart written)
    : path_(std::move(path)), written_(std::move(written)) {
  if (path_.empty()) return;
  const Target target = target_at(path_);
  if (target == Target::directory) throw Error(path_, "is a directory, expected a file to write");
  if (target == Target::file && earlier == Earlier::refuse) {
    throw Error(path_, "exists already", "--force replaces it");
  }
  if (target == Target::absent && written_.bytes > 0) {
    throw Error(path_, "does not exist, but the stopped run wrote a log", kItsLog);
  }
  claim_output(path_, {""});
  descriptor_ = open_alone(path_, Leftover::keep);
  try {
    refuse_input(descriptor_, path_);
    if (earlier == Earlier::repeat) read_earlier();
    const auto begin = static_cast<off_t>(written_.bytes);
    const bool replaces = earlier != Earlier::repeat;
    if ((replaces && ::ftruncate(descriptor_, 0) != 0) ||
        ::lseek(descriptor_, begin, SEEK_SET) < 0) {
      throw Error(path_, "cannot write: " + system_message(errno));
    }
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  output_ = std::make_unique<Output>(descriptor_, path_);
}

TrainingLog::~TrainingLog() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  release_output(path_);  // another course of the run may go on
}

void TrainingLog::read_earlier() {
  const MappedFile file(path_);
  release_input(path_);  // it is written
  const std::string_view before = file.text().substr(0, written_.bytes);
  if (before.size() < written_.bytes || (!before.empty() && hash_of(before) != written_.hash)) {
    throw Error(path_, "exists already and is not the log of the stopped run", kItsLog);
  }
  hash_.add(before);
  earlier_ = file.text().substr(before.size());
  if (before.empty()) refuse_other_log(path_, "{\"step\":");
}

void TrainingLog::write(const TrainingReport& line) {
  if (!output_) return;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("step", std::size_t{line.step});
  json.field("epoch", line.epoch);
  json.field("loss", line.loss);
  json.field("learning_rate", line.learning_rate);
  if (line.latest != nullptr) {
    json.key("development").begin_object();
    json.field(line.latest->name, line.latest->score);
    json.field("loss", line.latest->loss);
    json.end_object();
  }
  json.end_object();
  text += '\n';
  const std::string_view expected = std::string_view(earlier_).substr(checked_, text.size());
  if (!text.starts_with(expected)) throw not_its_log(path_);
  checked_ += expected.size();
  output_->write(text);
  output_->flush();
  hash_.add(text);
  written_ = {written_.bytes + text.size(), hash_.text()};
}

Error not_its_log(const std::string& path) {
  return {path, "exists already and is not the log of this run",
          "rename it; --force starts again and replaces it"};
}

void refuse_other_log(const std::string& path, std::string_view begin) {
  if (target_at(path) == Target::file && !begins_with(path, begin)) throw not_its_log(path);
}

}  // namespace headlight
