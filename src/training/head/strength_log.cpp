#include "training/head/strength_log.h"

#include <utility>

#include "base/file.h"
#include "base/json_writer.h"
#include "base/placing.h"
#include "training/course/training_log.h"

namespace headlight {

StrengthLog::StrengthLog(std::string path, const OutputPlace& place)
    : path_(std::move(path)), resumes_(place.resume) {
  if (path_.empty()) return;
  if (resumes_) {
    for (const char* ending : {"", ".partial"}) {
      refuse_other_log(path_ + ending, R"({"strength":)");
    }
  }
  file_ = std::make_unique<OutputFile>(path_, place.force || resumes_);
}

void StrengthLog::add(const StrengthTrial& trial) {
  if (!file_) return;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("strength", trial.strength).field("steps", trial.steps);
  if (trial.loss) json.field("dev_loss", *trial.loss);
  json.end_object();
  text_ += line + '\n';
  file_->output().write(line + '\n');
  file_->output().flush();
}

void StrengthLog::finish() {
  if (!file_) return;
  if (resumes_ && target_at(path_) == Target::file) {
    const MappedFile earlier(path_);
    if (!earlier.text().empty() && earlier.text() != text_) throw not_its_log(path_);
  }
  file_->finish();
}

}  // namespace headlight
