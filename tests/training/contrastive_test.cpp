#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/parallel.h"
#include "base/temporary_folder.h"
#include "encoder/forward.h"
#include "training/contrastive/contrastive_training.h"
#include "training/toy_rows.h"

namespace headlight::contrastive_test {
namespace {

/// Which of two words a text has.
std::vector<std::size_t> one_word(const Ids& ids) {
  const bool good = std::find(ids.begin(), ids.end(), kGood) != ids.end();
  const bool bad = std::find(ids.begin(), ids.end(), kBad) != ids.end();
  if (good == bad) return {};
  return {good ? std::size_t{1} : std::size_t{0}};
}

LabelledRows toy_rows(const Parameters& parameters) {
  return ToyRows(16, one_word).train_and_dev(parameters.description(), 40);
}

CourseSettings fast() {
  CourseSettings course;
  course.learning_rate = 3e-3F;
  course.batch_tokens = 60;
  course.epochs = 30;
  return course;
}

struct LossWatch : FitWatch {
  std::vector<double> losses = {};
  void step(const TrainingReport& report) override { losses.push_back(report.loss); }
};

std::string train(Parameters& parameters, const LabelledRows& rows, const CourseSettings& course,
                  FitWatch& watch, std::uint64_t seed = 0) {
  const Engine engine({});
  const DataOptions data{.seed = seed};
  const TrainingRun run{{}, data, engine, watch, {}, "rows"};
  return train_contrastive(parameters, rows, course, {run});
}

/// The mean cosine of texts with one label, less that of texts with two.
double gap(const Parameters& parameters, const std::vector<LabelledRow>& rows) {
  Batch batch;
  for (const LabelledRow& row : rows) batch.add(row.tokens.ids, row.tokens.type_ids);
  Scratch scratch;
  const ConstMatrix x =
      classifier_inputs(parameters.description(), parameters.weights(), {batch, scratch});
  double sums[2] = {};
  double counts[2] = {};
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t a = 0; a < i; ++a) {
      double products[3] = {};
      for (std::size_t j = 0; j < x.cols; ++j) {
        products[0] += double{x.row(i)[j]} * double{x.row(a)[j]};
        products[1] += double{x.row(i)[j]} * double{x.row(i)[j]};
        products[2] += double{x.row(a)[j]} * double{x.row(a)[j]};
      }
      const bool same = rows[i].target.labels == rows[a].target.labels;
      sums[same ? 1 : 0] += products[0] / std::sqrt(products[1] * products[2]);
      counts[same ? 1 : 0] += 1.0;
    }
  }
  return sums[1] / counts[1] - sums[0] / counts[0];
}

TEST_CASE("contrast brings the vectors of a label together") {
  Parameters parameters = toy_parameters("self-attention");
  const LabelledRows rows = toy_rows(parameters);
  const double before = gap(parameters, rows.train);
  LossWatch watch;
  const std::string trained = train(parameters, rows, fast(), watch);
  CHECK(trained.find(", 30 epochs") != std::string::npos);
  CHECK(watch.losses.back() < watch.losses.front());
  CHECK(gap(parameters, rows.train) > before + 0.1);
}

TEST_CASE("contrast gives the same bits with every number of threads, and others for a seed") {
  const auto trained = [](std::size_t threads, std::uint64_t seed) {
    const ThreadPermit permit(threads);
    Parameters parameters = toy_parameters("self-attention");
    CourseSettings course = fast();
    course.epochs.reset();  // at least 20 batches
    LossWatch watch;
    train(parameters, toy_rows(parameters), course, watch, seed);
    CHECK(watch.losses.size() >= 19);
    return std::vector<float>(parameters.values().begin(), parameters.values().end());
  };
  const std::vector<float> expected = trained(1, 0);
  CHECK(trained(2, 0) == expected);
  CHECK(trained(3, 0) == expected);
  CHECK(trained(1, 1) != expected);
}

TEST_CASE("contrast that is stopped anywhere and resumed ends as one that never stopped") {
  const TemporaryFolder folder;
  const auto trained = [](const TrainOptions& options, std::size_t stop) {
    Parameters parameters = toy_parameters("self-attention");
    std::size_t steps = 0;
    const TrainWatch watch = {[&](const TrainingReport&) { ++steps; },
                              [&] { return steps == stop; }};
    const LabelledRows rows = toy_rows(parameters);
    const TrainingOutcome outcome = contrast(parameters, rows.train, options, watch);
    CHECK(outcome.stopped == (stop > 0));
    return std::vector<float>(parameters.values().begin(), parameters.values().end());
  };
  TrainOptions options;
  options.epochs = 0;
  options.batch_tokens = 60;
  options.log = folder / "whole";
  const std::vector<float> expected = trained(options, 0);
  options.log = folder / "log";
  options.checkpoint = folder / "checkpoint";
  for (const std::size_t stop : {1U, 2U, 5U, 9U}) {
    trained(options, stop);
    options.resume = true;
  }
  CHECK(trained(options, 0) == expected);
  CHECK(trained(options, 0) == expected);  // the course left its end
  CHECK(folder.read("log") == folder.read("whole"));
}

TEST_CASE("contrast says what is wrong with a learning rate") {
  Parameters parameters = toy_parameters("self-attention");
  CourseSettings wild = fast();
  wild.learning_rate = 1e38F;
  LossWatch watch;
  const std::string said = error_of([&] { train(parameters, toy_rows(parameters), wild, watch); });
  CHECK(said.find("--learning-rate") != std::string::npos);
}

}  // namespace
}  // namespace headlight::contrastive_test
