#include "training/watch.h"

#include "base/utf8.h"

namespace headlight {

void say_problems(TrainingData& data, FitWatch& watch) {
  for (const std::string& line : data.errors_seen) watch.warn(line);
  if (data.truncated > 0) {
    data.notes.push_back(counted(data.truncated, "text") +
                         " had too many tokens for the model; the rest was cut");
  }
  for (const std::string& note : data.notes) watch.note(note);
  watch.problems(data.problems);
}

}  // namespace headlight
