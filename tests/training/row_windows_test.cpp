// Rows of long texts, which all weights are trained on in windows.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "base/temporary_folder.h"
#include "encoder/forward.h"
#include "gradient/losses.h"
#include "training/toy_rows.h"

namespace headlight::row_windows_test {
namespace {

/// The label of a row is the sign of its words; its windows are texts of 3 to 8 words.
LabelledRows long_rows(const Description& model) {
  const ToyTask has_good = [](const Ids& ids) {
    return std::vector<std::size_t>{has_word(ids, kGood) ? std::size_t{1} : std::size_t{0}};
  };
  LabelledRows rows = ToyRows(16, has_good).train_and_dev(model, 100);
  std::size_t i = 0;
  for (auto* set : {&rows.train, &rows.dev}) {
    for (LabelledRow& row : *set) {
      for (std::size_t more = 0; more < i % 4; ++more) {
        row.more.push_back({{static_cast<TokenId>(i % 13), 2, 3}, {0, 0, 0}, 0});
      }
      ++i;
    }
  }
  return rows;
}

TEST_CASE("a row's loss is that of the mean of its windows, which share its gradient") {
  const std::vector<std::uint32_t> targets = {1, 0};
  const Loss of_texts = [&](const Outputs& outputs, const OutputGradients& gradients) {
    return cross_entropy(outputs.logits, targets, 0.0F, {0.5F, {}}, gradients.logits);
  };
  const Loss loss = loss_of_windows(of_texts, {0, 0, 0, 1});
  std::vector<float> logits = {1, 2, -0.5F, 0.25F, 3, -1, 0.5F, 0.75F};
  const auto loss_at = [&](std::vector<float>& gradient) {
    gradient.assign(logits.size(), 0.0F);
    return loss({{logits.data(), 4, 2}, {}}, {{gradient.data(), 4, 2}, {}});
  };
  std::vector<float> gradient;
  const double whole = loss_at(gradient);
  // The plain sum: logits (3.5/3, 1.25/3) with label 1, and (0.5, 0.75) with label 0.
  const auto surprise = [](double right, double wrong) {
    return std::log1p(std::exp(wrong - right));
  };
  CHECK(whole == doctest::Approx(0.5 * (surprise(1.25 / 3, 3.5 / 3) + surprise(0.5, 0.75))));
  for (std::size_t i = 0; i < logits.size(); ++i) {
    constexpr float kStep = 1e-2F;
    std::vector<float> unused;
    const float before = logits[i];
    logits[i] = before + kStep;
    const double above = loss_at(unused);
    logits[i] = before - kStep;
    const double below = loss_at(unused);
    logits[i] = before;
    CHECK(gradient[i] == doctest::Approx((above - below) / (2 * kStep)).epsilon(1e-3));
  }
}

TEST_CASE("development rows have the mean of the logits of their windows") {
  const Parameters parameters = toy_parameters("causal");
  const Description& model = parameters.description();
  const LabelledRows rows = long_rows(model);
  const std::vector<float> logits = Development(parameters, rows.dev, {}).outputs();
  const std::size_t c = model.classes();
  REQUIRE(logits.size() == rows.dev.size() * c);
  Scratch scratch;
  for (std::size_t i = 0; i < rows.dev.size(); ++i) {
    const LabelledRow& row = rows.dev[i];
    std::vector<double> sums(c);
    for (std::size_t window = 0; window < row.windows(); ++window) {
      Batch batch;
      batch.add(row.window(window).ids, row.window(window).type_ids);
      const ConstMatrix own = forward(model, parameters.weights(), {batch, scratch});
      for (std::size_t k = 0; k < c; ++k) sums[k] += static_cast<double>(own.row(0)[k]);
    }
    for (std::size_t k = 0; k < c; ++k) {
      CHECK(logits[i * c + k] == static_cast<float>(sums[k] / static_cast<double>(row.windows())));
    }
  }
}

std::vector<float> trained(const TrainOptions& options, const TrainWatch& watch = {}) {
  Parameters parameters = toy_parameters("causal");
  train(parameters, long_rows(parameters.description()), options, watch);
  return {parameters.values().begin(), parameters.values().end()};
}

TEST_CASE("a training in windows has the same bits on all threads, and stopped and resumed") {
  TrainOptions options;
  options.epochs = 2;
  options.batch_tokens = 60;
  options.learning_rate = 0.003F;
  const std::vector<float> expected = trained(options);
  for (const std::size_t threads : {2U, 3U}) {
    const ThreadPermit permit(threads);
    CHECK(trained(options) == expected);
  }
  const TemporaryFolder folder;
  options.checkpoint = folder / "checkpoint";
  std::size_t steps = 0;
  trained(options, {[&](const TrainingReport&) { ++steps; }, [&] { return steps == 9; }});
  CHECK(steps == 9);
  options.resume = true;
  CHECK(trained(options) == expected);
}

TEST_CASE("windows of a row are trained on as far as memory for them is sensible") {
  LabelledRow row;
  row.tokens.ids.resize(3000);
  CHECK(trained_windows(row) == 1);
  row.more.resize(5, row.tokens);
  CHECK(trained_windows(row) == 2);
  row.tokens.ids.resize(9000);
  CHECK(trained_windows(row) == 1);
}

}  // namespace
}  // namespace headlight::row_windows_test
