// What parts are worth, against what taking them out does to a model that is linear in them.
#include "metrics/attribution.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "inside/ablated_classifier.h"
#include "model/init.h"
#include "rows/scoring.h"

namespace headlight::attribution_test {
namespace {

TEST_CASE("the loss of a row is exact along the number in which its first-order change is linear") {
  // ln(1 + e^-x) of a margin x, and (x - 1)² of a value.
  const auto log_loss = [](double x) { return std::log1p(std::exp(-x)); };
  for (const double x : {-40.0, -3.0, 0.0, 0.7, 9.0}) {
    for (const double by : {-20.0, -1.0, 1e-3, 5.0, 60.0}) {
      const double slope = -1.0 / (1.0 + std::exp(x));
      CHECK(change_of_loss(ProblemType::single_label, log_loss(x), slope * by) ==
            doctest::Approx(log_loss(x + by) - log_loss(x)).epsilon(1e-9));
      const double before = (x - 1.0) * (x - 1.0);
      CHECK(change_of_loss(ProblemType::regression, before, 2.0 * (x - 1.0) * by) ==
            doctest::Approx((x + by - 1.0) * (x + by - 1.0) - before).epsilon(1e-9));
      CHECK(change_of_loss(ProblemType::multi_label, 1.0, by) == by);
    }
  }
  CHECK(change_of_loss(ProblemType::single_label, 0.0, 0.0) == 0.0);
  CHECK(change_of_loss(ProblemType::regression, 0.0, 0.0) == 0.0);
}

/// One layer of three heads without norms, so that the logits are linear in the outputs of heads.
Model linear_model(const TemporaryFolder& folder, const std::string& type, std::size_t labels) {
  std::string names;
  for (std::size_t i = 0; i < labels; ++i) {
    names += (i == 0 ? "\"" : ", \"") + std::string(1, static_cast<char>('a' + i)) + '"';
  }
  const std::string config =
      folder.write("linear.json", R"({"model_type": "headlight",
      "vocab_size": 6, "hidden_size": 12, "num_hidden_layers": 1, "num_attention_heads": 3,
      "norm_order": "none", "intermediate_size": 0, "tokenizer": {"type": "whitespace",
      "unk_token": "u", "vocabulary": ["u", "v", "w", "x", "y", "z"]}, "problem_type": ")" +
                                      type + R"(", "id2label": [)" + names + "]}");
  init_model(config, folder / "linear", 1, true);
  Model model = load_model(locate_model(folder / "linear", ""));
  if (type != "regression") model.calibration.temperature = 0.2;
  return model;
}

std::vector<Row> some_rows(std::size_t count, const std::string& label) {
  std::vector<Row> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t word = 0; word <= i % 5; ++word) {
      rows[i].input.text += std::string(1, "uvwxyz"[(i + word * word) % 6]) + ' ';
    }
    rows[i].number = i;
    rows[i].label = label;
  }
  return rows;
}

/// From the definition: the derivatives of the loss [c] times the change of the logits.
double first_order(const Classifier& classifier, const Gold& gold, const Prediction& whole,
                   const Prediction& without) {
  const LabelSet& labels = classifier.labels();
  const std::vector<bool> flags = flags_of(gold.labels, labels.names.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const double target = flags[i] ? 1.0 : 0.0;
    double slope = (double{whole.scores[i]} - target) / classifier.temperature();
    if (labels.problem_type == ProblemType::multi_label) slope /= static_cast<double>(flags.size());
    if (labels.problem_type == ProblemType::regression) {
      slope = 2.0 * (double{whole.scores[i]} - gold.value);
    }
    sum += slope * (double{without.logits[i]} - double{whole.logits[i]});
  }
  return sum;
}

struct Case {
  const char* type;
  std::size_t labels;
  const char* label;
};

TEST_CASE("where logits are linear in a head, its worth follows from the logits without it") {
  const TemporaryFolder folder;
  for (const auto& [type, count, label] :
       {Case{"single_label_classification", 2, "b"}, Case{"single_label_classification", 4, "c"},
        Case{"multi_label_classification", 3, "a|c"}, Case{"regression", 1, "0.7"}}) {
    CAPTURE(type);
    CAPTURE(count);
    const Model model = linear_model(TemporaryFolder(), type, count);
    const Classifier classifier(model, {});
    const GoldReader reader(classifier.labels());
    const auto heads = each_alone(parts_of(model.description, PartKind::head));
    ScoringScratch scratch;
    const auto never = [] { return false; };
    std::vector<Row> rows = some_rows(9, label);
    const auto exact =
        AblatedClassifier(classifier, heads).classify(readable_inputs(rows), scratch, never);
    const Gold gold = reader.read(rows[0].label);
    double largest = 0.0;
    const Attribution attribution(classifier, reader, PartKind::head);
    ScoringScratch own;  // scratch belongs to one classifier
    const auto found = attribution.score(rows, own, never);
    REQUIRE(found.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CHECK(found[i].logits == exact[i].logits);
      REQUIRE(found[i].worth.size() == 3);
      for (std::size_t part = 0; part < 3; ++part) {
        const Prediction& without = exact[i].without[part];
        double loss = 0.0;
        if (model.description.problem_type == ProblemType::single_label) {
          loss = -std::log(double{exact[i].scores[gold.labels.front()]});
        } else {
          loss = std::pow(double{exact[i].scores[0]} - gold.value, 2.0);
        }
        const double expected = change_of_loss(model.description.problem_type, loss,
                                               first_order(classifier, gold, exact[i], without));
        CHECK(std::abs(found[i].worth[part] - expected) < 1e-5);
        largest = std::max(largest, std::abs(expected));
      }
    }
    CHECK(largest > 1e-3);
  }
}

TEST_CASE("rows that cannot be read have no result, and those of unknown labels no worth") {
  const TemporaryFolder folder;
  const Model model = linear_model(folder, "single_label_classification", 2);
  const Classifier classifier(model, {});
  const GoldReader reader(classifier.labels());
  const Attribution attribution(classifier, reader, PartKind::layer);
  std::vector<Row> rows = some_rows(5, "a");
  rows[1].error = "cannot be read";
  rows[2].label = "unheard of";
  ScoringScratch scratch;
  const auto found = attribution.score(rows, scratch, [] { return false; });
  REQUIRE(found.size() == 4);
  CHECK(found[0].worth.size() == 1);
  CHECK(found[1].worth.empty());
  CHECK(found[1].logits.size() == 2);
  // A row alone has the same bits.
  CHECK(attribution.score({rows[4]}, scratch, [] { return false; })[0].worth == found[3].worth);
  ScoringScratch other;
  CHECK(attribution.score(rows, other, [] { return true; }).empty());
  const std::string error =
      error_of([&] { const Attribution none(classifier, reader, PartKind::neuron); });
  CHECK(error.find("has no neurons") != std::string::npos);
}

/// Effects of the sampled parts: three times their number.
Ablation tripled(const Attribution& attribution) {
  Ablation ablation;
  for (const Part& part : attribution.sample_parts()) {
    PartEffect& effect = ablation.effects.emplace_back();
    effect.changes = {{"log_loss_change", "", 3.0 * static_cast<double>(part.head)}};
  }
  return ablation;
}

TEST_CASE("worth is a mean over the rows; a sample of them says how well it is estimated") {
  const TemporaryFolder folder;
  const Model model = linear_model(folder, "single_label_classification", 2);
  const Classifier classifier(model, {});
  const GoldReader reader(classifier.labels());
  for (const std::size_t rows : {1, 5, 32, 400}) {
    CAPTURE(rows);
    Attribution attribution(classifier, reader, PartKind::head);
    for (std::size_t i = 0; i < rows; ++i) {
      Row row;
      row.number = i;
      const double share = 2.0 * static_cast<double>(i) / static_cast<double>(rows);
      attribution.add(row, {0.0, share, 2.0 * share});
    }
    RowSpool sample = attribution.sample_rows();
    CHECK(sample.size() == std::min<std::size_t>(rows, Attribution::kSampleRows));
    std::size_t late = 0;
    while (const auto row = sample.next()) late += row->number >= rows / 2 ? 1 : 0;
    if (rows == 400) {
      CHECK(late > 8);
      CHECK(late < 24);
    }
    const Ablation found = attribution.measure(tripled(attribution));
    REQUIRE(found.effects.size() == 3);
    CHECK(found.effects[2].changes[0].value ==
          doctest::Approx(2.0 * (1.0 - 1.0 / static_cast<double>(rows))));
    CHECK(found.correlation.has_value() == (rows > 1));  // of one row, all are worth nothing
    if (found.correlation) CHECK(*found.correlation == doctest::Approx(1.0));
  }
}

}  // namespace
}  // namespace headlight::attribution_test
