#include "training/whole/trainer.h"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/json.h"
#include "base/parallel.h"
#include "base/temporary_folder.h"
#include "training/toy_rows.h"

namespace headlight::trainer_test {
namespace {

std::vector<std::size_t> later_word(const Ids& ids) {
  const auto good = last_of(ids, kGood);
  const auto bad = last_of(ids, kBad);
  if (good == bad) return {};
  return {good > bad ? std::size_t{1} : std::size_t{0}};
}

LabelledRows some_rows(const Description& model) {
  return ToyRows(16, later_word).train_and_dev(model, 300);
}

TrainOptions few_epochs() {
  TrainOptions options;
  options.epochs = 2;
  options.batch_tokens = 100;
  options.learning_rate = 0.003F;
  options.seed = 5;
  return options;
}

std::vector<float> numbers_of(const Parameters& parameters) {
  return {parameters.values().begin(), parameters.values().end()};
}

std::vector<float> trained(const TrainOptions& options) {
  Parameters parameters = toy_parameters("causal");
  train(parameters, some_rows(parameters.description()), options, {});
  return numbers_of(parameters);
}

TEST_CASE("a training gives the same bits with every number of threads") {
  std::vector<std::vector<float>> results;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    const ThreadPermit permit(threads);
    results.push_back(trained(few_epochs()));
  }
  CHECK(results[0] == results[1]);
  CHECK(results[0] == results[2]);
}

TEST_CASE("seeds differ, and so do the results") {
  TrainOptions other = few_epochs();
  other.seed = 6;
  CHECK(trained(few_epochs()) != trained(other));
}

TEST_CASE("a run that is stopped anywhere and resumed ends as one that never stopped") {
  const TemporaryFolder folder;
  TrainOptions whole = few_epochs();
  whole.log = folder / "whole.jsonl";
  whole.evaluations = 2;
  const std::vector<float> expected = trained(whole);

  TrainOptions options = whole;
  options.log = folder / "log.jsonl";
  options.checkpoint = folder / "checkpoint";
  for (const std::size_t stop : {1U, 4U, 9U, 11U, 100U}) {
    Parameters parameters = toy_parameters("causal");
    std::size_t steps = 0;
    TrainWatch watch;
    watch.report = [&](const TrainingReport&) { ++steps; };
    watch.stopped = [&] { return steps == stop; };
    const TrainingOutcome outcome =
        train(parameters, some_rows(parameters.description()), options, watch);
    CHECK(outcome.stopped == (stop != 100));
    if (!outcome.stopped) CHECK(numbers_of(parameters) == expected);
    options.resume = true;
  }
  CHECK(folder.read("log.jsonl") == folder.read("whole.jsonl"));
}

TEST_CASE("checkpoints of a killed run are as good as those of a stopped one") {
  const TemporaryFolder folder;
  const std::vector<float> expected = trained(few_epochs());
  TrainOptions options = few_epochs();
  options.checkpoint = folder / "checkpoint";
  options.checkpoint_seconds = 0.0;
  struct Killed {};
  std::size_t steps = 0;
  TrainWatch watch;
  watch.report = [&](const TrainingReport&) {
    if (++steps == 8) throw Killed();
  };
  Parameters parameters = toy_parameters("causal");
  const LabelledRows rows = some_rows(parameters.description());
  CHECK_THROWS_AS(train(parameters, rows, options, watch), Killed);
  options.resume = true;
  CHECK(trained(options) == expected);
}

TEST_CASE("a stopped run leaves the best state so far") {
  Parameters parameters = toy_parameters("causal");
  const LabelledRows rows = some_rows(parameters.description());
  TrainOptions options = few_epochs();
  options.evaluations = 4;
  std::vector<float> best = numbers_of(parameters);
  double highest = -1.0;
  std::size_t steps = 0;
  TrainWatch watch;
  watch.report = [&](const TrainingReport& report) {
    ++steps;
    if (report.best->score > highest) {
      highest = report.best->score;
      if (steps > 1) best = numbers_of(parameters);
    }
  };
  watch.stopped = [&] { return steps == 9; };
  const TrainingOutcome outcome = train(parameters, rows, options, watch);
  CHECK(outcome.stopped);
  CHECK(outcome.step == 9);
  REQUIRE(outcome.best);
  CHECK(outcome.best->name == "accuracy");
  CHECK(outcome.best->score == Development(parameters, rows.dev, {}).score().score);
}

TEST_CASE("training ends when the development score stalls") {
  Parameters parameters = toy_parameters("causal");
  const LabelledRows rows = some_rows(parameters.description());
  TrainOptions options = few_epochs();
  options.epochs = 50;
  options.patience = 2;
  options.learning_rate = 0.0F;  // nothing changes
  const TrainingOutcome outcome = train(parameters, rows, options, {});
  CHECK(!outcome.stopped);
  CHECK(outcome.epochs == 2.0);
  CHECK(outcome.kept_epoch == 0.0);
}

TEST_CASE("the last state is kept instead of the best") {
  const LabelledRows rows = some_rows(toy_parameters("causal").description());
  TrainOptions options = few_epochs();
  options.learning_rate = 10.0F;  // nothing is learned
  for (const bool keep_last : {false, true}) {
    CAPTURE(keep_last);
    options.keep_last = keep_last;
    Parameters parameters = toy_parameters("causal");
    const TrainingOutcome outcome = train(parameters, rows, options, {});
    REQUIRE(outcome.best);
    CHECK(outcome.epochs > 0.0);
    CHECK((outcome.kept_epoch == outcome.epochs) == keep_last);
    CHECK((Development(parameters, rows.dev, {}).score().loss == outcome.best->loss) != keep_last);
  }
}

TEST_CASE("the log has a line for each report, with development scores") {
  const TemporaryFolder folder;
  TrainOptions options = few_epochs();
  options.log = folder / "log.jsonl";
  trained(options);
  std::istringstream log(folder.read("log.jsonl"));
  std::vector<Json> lines;
  for (std::string line; std::getline(log, line);) lines.push_back(Json::parse(line));
  REQUIRE(lines.size() >= 3);
  CHECK(lines.front()["step"] == 10);
  CHECK(!lines.front().contains("development"));
  const Json& last = lines.back();
  CHECK(last["epoch"] == 2.0);
  CHECK(last["loss"].get<double>() > 0.0);
  CHECK(last["learning_rate"].get<double>() < 0.001);
  CHECK(last["development"]["accuracy"].get<double>() > 0.4);
  CHECK(last["development"]["loss"].get<double>() > 0.0);
}

TEST_CASE("a model learns a teacher's logits where labels say nothing") {
  Parameters parameters = toy_parameters("causal");
  LabelledRows rows = some_rows(parameters.description());
  for (LabelledRow& row : rows.train) {
    row.teacher_logits = row.target.labels.front() == 1 ? std::vector<float>{-3.0F, 3.0F}
                                                        : std::vector<float>{3.0F, -3.0F};
    row.target.labels = {0};
  }
  TrainOptions options = few_epochs();
  options.epochs = 30;
  options.loss.teacher_share = 1.0F;
  const TrainingOutcome outcome = train(parameters, rows, options, {});
  REQUIRE(outcome.best);
  CHECK(outcome.best->score > 0.9);
}

TEST_CASE("rows that a training cannot use are errors") {
  Parameters parameters = toy_parameters("causal");
  const LabelledRows rows = some_rows(parameters.description());
  const auto error = [&](const LabelledRows& wrong) {
    return error_of([&] { train(parameters, wrong, few_epochs(), {}); });
  };
  CHECK(error({}) == "there are no rows to train on");
  LabelledRows some = rows;
  some.train[3].teacher_logits = {1.0F, 2.0F};
  CHECK(error(some) == "row 3: has teacher logits, but other rows have none");
  LabelledRows wide = rows;
  for (LabelledRow& row : wide.train) row.teacher_logits = {1.0F};
  CHECK(error(wide) == "row 0: has 1 teacher logits, expected 2");
  TrainOptions wild = few_epochs();
  wild.learning_rate = 1e30F;
  wild.clip = 0.0;
  CHECK(error_of([&] { train(parameters, rows, wild, {}); }).find("use a lower --learning-rate") !=
        std::string::npos);
}

TEST_CASE("balanced weights give each label the same weight in all rows together") {
  LabelledRows rows;
  rows.labels.names = {"a", "b", "c"};
  for (const std::size_t label : {0U, 0U, 0U, 1U}) {
    LabelledRow row;
    row.target.labels = {label};
    rows.train.push_back(row);
  }
  CHECK(balanced_class_weights(rows) == std::vector<float>{2.0F / 3.0F, 2.0F, 1.0F});
}

}  // namespace
}  // namespace headlight::trainer_test
