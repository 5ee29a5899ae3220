// The numbers that views of attention show: NumPy's for small models, tests/golden/attention.json,
// which scripts/make attention_golden makes; and which rows and words are chosen.
#include "inside/attention_view.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "attention_golden.h"
#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "close_to.h"
#include "model/model.h"

namespace headlight::attention_view_test {
namespace {

using Numbers = std::vector<std::size_t>;

constexpr Tolerance kClose{.absolute = 1e-6, .relative = 1e-6};

const Json& models() { return attention_golden()["models"]; }

/// A golden model and its text, traced.
class Golden {
 public:
  explicit Golden(const Json& golden) : model_(load(golden)) {
    const Classifier classifier(model_, {});
    Trace wanted;
    wanted.wants_attention = wanted.wants_values = wanted.wants_label_attention = true;
    traced_ = trace_text(classifier, {golden["text"].get<std::string>(), {}, {}}, wanted);
  }

  const Description& model() const { return model_.description; }
  const TracedText& traced() const { return traced_; }
  AttentionChoice everything() const { return whole_attention(model(), traced_.encoding); }
  AttentionChoice words() const {
    AttentionChoice choice = everything();
    choose_words(choice, traced_.encoding, traced_.input);
    return choice;
  }
  AttentionView view(AttentionChoice choice) const { return {model(), traced_, std::move(choice)}; }

 private:
  static Model load(const Json& golden) {
    const TemporaryFolder folder;
    folder.write("config.json", golden["config"].dump());
    folder.write("weights.json", Json({{"tensors", golden["tensors"]}}).dump());
    return load_model(locate_model(folder.path(), ""));
  }

  Model model_;
  TracedText traced_;
};

/// What `matrix` gives of every layer and head, one after the other.
std::vector<float> of_all_heads(const AttentionView& view,
                                std::vector<float> (AttentionView::*matrix)(std::size_t,
                                                                            std::size_t) const) {
  std::vector<float> all;
  for (const std::size_t layer : view.choice().layers) {
    for (const std::size_t head : view.choice().heads) {
      const auto one = (view.*matrix)(layer, head);
      all.insert(all.end(), one.begin(), one.end());
    }
  }
  return all;
}

TEST_CASE("weights, norm-weighted ones and value norms are NumPy's, whatever the heads") {
  REQUIRE(models().size() == 3);
  for (const Json& golden : models()) {
    INFO(golden["name"].get<std::string>());
    const Golden model(golden);
    CHECK(close_to(model.traced().prediction.logits, numbers_of(golden["logits"]),
                   {.absolute = 3e-6, .relative = 1e-6}));
    std::vector<float> norms;
    for (const auto& layer : model.traced().value_norms) {
      norms.insert(norms.end(), layer.begin(), layer.end());
    }
    CHECK(close_to(norms, numbers_of(golden["value_norms"]), {.absolute = 3e-6, .relative = 1e-6}));
    const AttentionView view = model.view(model.everything());
    CHECK(close_to(of_all_heads(view, &AttentionView::weights), numbers_of(golden["attention"]),
                   kClose));
    CHECK(close_to(of_all_heads(view, &AttentionView::norm_weights),
                   numbers_of(golden["norm_attention"]), {.absolute = 3e-6, .relative = 1e-6}));
    const AttentionView words = model.view(model.words());
    REQUIRE(words.width() == 5);
    CHECK(close_to(of_all_heads(words, &AttentionView::norm_weights),
                   numbers_of(golden["norm_attention_between_words"]),
                   {.absolute = 3e-6, .relative = 1e-6}));
    const auto pooled = view.pooled();
    CHECK(close_to(std::vector<float>(pooled.begin(), pooled.end()), numbers_of(golden["pooled"]),
                   kClose));
  }
}

TEST_CASE("label attention is [class][head][token], NumPy's") {
  const Json& golden = models()[2];
  const Golden model(golden);
  const AttentionView view = model.view(model.everything());
  REQUIRE(view.has_label_attention());
  std::vector<float> found;
  for (std::size_t label = 0; label < 3; ++label) {
    for (std::size_t head = 0; head < 2; ++head) {
      const auto weights = view.label_weights(label, head);
      found.insert(found.end(), weights.begin(), weights.end());
    }
  }
  CHECK(close_to(found, numbers_of(golden["label_attention"]), kClose));
  const auto mean = view.label_weights(1);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const double expected = (golden["label_attention"][1][0][i].get<double>() +
                             golden["label_attention"][1][1][i].get<double>()) /
                            2;
    CHECK(mean[i] == doctest::Approx(expected).epsilon(1e-6));
  }
}

TEST_CASE("chosen queries are rows of the whole matrix, and statistics stay those of all rows") {
  const Golden model(models()[0]);
  const AttentionView whole = model.view(model.everything());
  AttentionChoice choice = model.everything();
  choice.queries = {1, 4};
  choice.layers = {1};
  choice.heads = {0, 2};
  const AttentionView view = model.view(choice);
  const auto all = whole.weights(1, 2);
  std::vector<float> rows(all.begin() + 6, all.begin() + 12);
  rows.insert(rows.end(), all.begin() + 24, all.begin() + 30);
  CHECK(view.weights(1, 2) == rows);
  const auto statistics = view.statistics();
  REQUIRE(statistics.size() == 2);
  CHECK(statistics[1].layer == 1);
  CHECK(statistics[1].head == 2);
  CHECK(statistics[1].entropy == whole.statistics()[5].entropy);
  CHECK(statistics[1].mean == doctest::Approx(1.0 / 6));
}

TEST_CASE("rows between words sum to 1") {
  const Golden model(models()[1]);
  const AttentionView view = model.view(model.words());
  const auto weights = view.weights(0, 1);
  REQUIRE(weights.size() == 25);
  for (std::size_t row = 0; row < 25; row += 5) {
    double sum = 0.0;
    for (std::size_t key = 0; key < 5; ++key) sum += weights[row + key];
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-6));
  }
}

TEST_CASE("a query is found by its token, by its word, or by its position") {
  Encoding encoding;
  encoding.tokens = {"[CLS]", "good", "##ness", "7", "good", "#3", "[SEP]"};
  encoding.offsets = {{0, 0}, {0, 4}, {4, 8}, {9, 10}, {11, 15}, {16, 18}, {0, 0}};
  encoding.sequences.assign(7, Sequence::first);
  encoding.sequences.front() = encoding.sequences.back() = Sequence::none;
  encoding.ids.assign(7, 0);
  const TextInput input{"goodness 7 good #3", {}, {}};
  AttentionChoice tokens = whole_attention(Description(), encoding);
  AttentionChoice words = tokens;
  choose_words(words, encoding, input);
  struct Row {
    const char* name;
    Numbers tokens;
    Numbers words;
  };
  const Row rows[] = {{"good", {1, 4}, {3}},
                      {"goodness", {1, 2}, {1}},
                      {"##ness", {2}, {}},
                      {"[SEP]", {6}, {5}},
                      {"7", {3}, {2}},
                      {"#3", {5}, {4}},
                      {"3", {3}, {3}},
                      {"#0", {0}, {0}},
                      {"6", {6}, {}},
                      {"Good", {}, {}},
                      {"##7", {}, {}},
                      {"-1", {}, {}},
                      {"9999999999999999999999", {}, {}}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(units_named(tokens, encoding, input, row.name) == row.tokens);
    CHECK(units_named(words, encoding, input, row.name) == row.words);
  }
}

TEST_CASE("layers of different numbers of heads are refused") {
  Description model;
  model.label_heads.sizes = {1, 1};
  model.layers.resize(2);
  model.layers[0].heads.sizes = {1, 1};
  model.layers[1].heads.sizes = {2};
  TracedText traced;
  traced.model_name = "m";
  const auto error = [&](std::vector<std::size_t> layers) {
    AttentionChoice choice;
    choice.layers = std::move(layers);
    return error_of([&] { AttentionView(model, traced, choice); });
  };
  CHECK(error({0, 1}) ==
        "m: layers with 2 and 1 heads cannot be shown together; use --layers 0, which have the "
        "same number");
  CHECK(error({0}).empty());
}

}  // namespace
}  // namespace headlight::attention_view_test
