#include "training/course/training_log.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/file_guard.h"
#include "base/temporary_folder.h"

namespace headlight::training_log_test {
namespace {

using Earlier = TrainingLog::Earlier;

const std::string kFirst = R"({"step":10,"epoch":0.5,"loss":0.25,"learning_rate":0.001})"
                           "\n";
const std::string kSecond = R"({"step":20,"epoch":1,"loss":0.125,"learning_rate":0.5,)"
                            R"("development":{"accuracy":0.75,"loss":0.5}})"
                            "\n";
const std::string kWhole = kFirst + kSecond;

void write_first(TrainingLog& log) {
  log.write({.step = 10, .epoch = 0.5, .loss = 0.25, .learning_rate = 0.001});
}

void write_second(TrainingLog& log) {
  const DevelopmentScore score{"accuracy", 0.75, 0.5};
  log.write({.step = 20, .epoch = 1.0, .loss = 0.125, .learning_rate = 0.5, .latest = &score});
}

/// What a run that was stopped after the first line has written.
LogPart first_part() {
  const TemporaryFolder folder;
  TrainingLog log(folder / "log", Earlier::refuse);
  write_first(log);
  return log.written();
}

TEST_CASE("a log that exists is kept, and replaced only on request") {
  const TemporaryFolder folder;
  const std::string path = folder.write("log", std::string(500, 'x'));
  CHECK(error_of([&] { TrainingLog(path, Earlier::refuse); }) ==
        path + ": exists already; --force replaces it");
  TrainingLog log(path, Earlier::replace);
  write_first(log);
  write_second(log);
  CHECK(log.written().bytes == kWhole.size());
  CHECK(content_of(path) == kWhole);
}

TEST_CASE("a resumed log ends as one that never stopped, wherever the stopped run was killed") {
  const FileGuard guard;
  const LogPart first = first_part();
  CHECK(first.bytes == kFirst.size());
  for (std::size_t bytes = 0; bytes <= kWhole.size(); ++bytes) {
    CAPTURE(bytes);
    const TemporaryFolder folder;
    folder.write("log", kWhole.substr(0, bytes));
    TrainingLog log(folder / "log", Earlier::repeat);
    write_first(log);
    write_second(log);
    CHECK(folder.read("log") == kWhole);
    if (bytes < first.bytes) continue;
    folder.write("after", kWhole.substr(0, bytes));
    TrainingLog after(folder / "after", Earlier::repeat, first);
    write_second(after);
    CHECK(folder.read("after") == kWhole);
    CHECK(after.written().hash == log.written().hash);
  }
}

TEST_CASE("a file that is not the log of the resumed run is refused and stays as it was") {
  const std::string not_this =
      ": exists already and is not the log of this run; rename it; --force starts again and "
      "replaces it";
  const std::string not_stopped =
      ": exists already and is not the log of the stopped run; name its log, or leave out --log";
  std::string other = kWhole;
  other[8] = '2';  // another step
  struct Row {
    std::string content;
    bool has_checkpoint;
    std::string reason;
  };
  const std::vector<Row> rows = {
      {"a note", false, not_this},
      {std::string(1000, 'x'), false, not_this},
      {other, false, not_this},
      {kFirst + "a note\n", false, not_this},
      {kFirst + "a note\n", true, not_this},
      {other, true, not_stopped},
      {std::string(1000, 'x'), true, not_stopped},
      {kFirst.substr(0, 20), true, not_stopped},
      {"", true, not_stopped},
  };
  const TemporaryFolder folder;
  const std::string path = folder / "log";
  const LogPart first = first_part();
  for (const Row& row : rows) {
    CAPTURE(row.content);
    folder.write("log", row.content);
    const auto resume = [&] {
      TrainingLog log(path, Earlier::repeat, row.has_checkpoint ? first : LogPart{});
      if (!row.has_checkpoint) write_first(log);
      write_second(log);
    };
    CHECK(error_of(resume) == path + row.reason);
    CHECK(content_of(path) == row.content);
  }
  CHECK(error_of([&] { TrainingLog(folder / "absent", Earlier::repeat, first); }) ==
        folder / "absent" +
            ": does not exist, but the stopped run wrote a log; name its log, or leave out --log");
  CHECK(!folder.has("absent"));
}

TEST_CASE("a run without a log remembers what an earlier one has written") {
  TrainingLog log("", Earlier::repeat, {12, "hash"});
  write_second(log);
  CHECK(log.written().bytes == 12);
  CHECK(log.written().hash == "hash");
}

}  // namespace
}  // namespace headlight::training_log_test
