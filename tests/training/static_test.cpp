// Trainings of models without layers: a step against gradients of the whole model, threads, and
// what `--train static` makes of rows.
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error_of.h"
#include "base/file.h"
#include "base/parallel.h"
#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "close_to.h"
#include "encoder/ngrams.h"
#include "gradient/backward.h"
#include "model/locate.h"
#include "training/fit.h"
#include "training/static/static_trainer.h"
#include "training/static/token_vectors.h"

namespace headlight::static_test {
namespace {

Description small_model(ProblemType problem) {
  Description model;
  model.vocab_size = 11;
  model.hidden_size = 5;
  model.max_positions = 20;
  model.embedding.size = 5;
  model.embedding.positions = PositionKind::none;
  model.pooling = Pooling::mean;
  model.ngrams = {{2, 3}, 13, 4, {0, 1}};
  model.label_heads.sizes = {5};
  model.labels = {"a", "b", "c"};
  if (problem == ProblemType::regression) model.labels = {"a"};
  model.problem_type = problem;
  return model;
}

LabelledRows random_rows(const Description& model, std::size_t count) {
  std::mt19937_64 random(5);
  LabelledRows rows;
  rows.labels = {model.labels, model.problem_type};
  for (std::size_t i = 0; i < count; ++i) {
    LabelledRow row;
    row.number = i;
    row.key = i;
    for (std::size_t n = 1 + random() % 7; n > 0; --n) {
      row.tokens.ids.push_back(static_cast<TokenId>(random() % model.vocab_size));
    }
    if (i % 9 == 0) row.tokens.ids = {0, 1};  // has no token that counts
    row.tokens.type_ids.assign(row.tokens.ids.size(), 0);
    row.target.labels = {row.tokens.ids.back() % model.labels.size()};
    row.target.value = static_cast<float>(row.tokens.ids.back()) / 10.0F;
    if (model.problem_type == ProblemType::multi_label && i % 4 == 0) row.target.labels = {0, 2};
    (i % 5 == 4 ? rows.dev : rows.train).push_back(std::move(row));
  }
  return rows;
}

/// One step of all rows at once, in float64, from gradients of the whole model.
std::vector<double> plain_step(const Parameters& parameters, const LabelledRows& rows,
                               const StaticOptions& options) {
  Batch batch;
  RowPointers pointers;
  TextParts parts;
  std::vector<bool> is_changed(parameters.values().size());
  const std::size_t d = parameters.description().hidden_size;
  const auto change = [&](const std::string& name, std::size_t row) {
    for (const ParameterTensor& tensor : parameters.tensors()) {
      if (tensor.name != name) continue;
      for (std::size_t j = 0; j < d; ++j) is_changed[tensor.offset + row * d + j] = true;
    }
  };
  for (const LabelledRow& row : rows.train) {
    batch.add(row.tokens.ids, row.tokens.type_ids);
    pointers.push_back(&row);
    find_parts(*parameters.description().ngrams, row.tokens.ids, row.tokens.type_ids, parts);
    for (const std::size_t i : parts.tokens) change("embeddings.token.weight", row.tokens.ids[i]);
    for (const Ngram& ngram : parts.ngrams) change("embeddings.ngrams.weight", ngram.bucket);
  }
  std::vector<float> gradients(parameters.values().size());
  Backpropagation().add_gradients(parameters, batch, {},
                                  loss_of_rows(parameters.description(), pointers, options.loss),
                                  gradients);
  std::vector<double> moved(parameters.values().begin(), parameters.values().end());
  const double rate = options.learning_rate;
  for (const ParameterTensor& tensor : parameters.tensors()) {
    const bool is_vector = tensor.name.starts_with("embeddings.");
    for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size; ++i) {
      const double g = gradients[i];
      if (!is_vector) moved[i] -= rate * g / (std::abs(g) + 1e-6);  // the first step of AdamW
      if (!is_vector || !is_changed[i]) continue;
      const bool is_token = tensor.name == "embeddings.token.weight";
      const double pace = is_token ? 1.0 : double{options.ngram_rate};
      moved[i] -= rate * (pace * g / (std::abs(g) + double{options.epsilon}) +
                          double{options.weight_decay} * moved[i]);
    }
  }
  return moved;
}

TEST_CASE("a step moves weights as the gradients of the whole model say") {
  for (const ProblemType problem :
       {ProblemType::single_label, ProblemType::multi_label, ProblemType::regression}) {
    const Description model = small_model(problem);
    LabelledRows rows = random_rows(model, 30);
    rows.dev.clear();
    StaticOptions options;
    options.epochs = 1;
    options.batch_rows = 100;
    options.dropout = 0.0F;
    options.weight_decay = 0.5F;
    options.epsilon = 0.01F;  // small gradients then keep their digits
    if (problem == ProblemType::single_label) options.loss.class_weights = {1.0F, 3.0F, 0.5F};
    Parameters parameters = Parameters::random(model, 3);
    const std::vector<double> expected = plain_step(parameters, rows, options);
    const TrainingOutcome outcome = train_static(parameters, rows, options, {});
    CHECK(outcome.step == 1);
    CHECK(close_to(parameters.values(), expected, {.absolute = 1e-4}));
  }
}

TEST_CASE("the trained weights have the same bits on one, two and three threads") {
  const Description model = small_model(ProblemType::single_label);
  const LabelledRows rows = random_rows(model, 60);
  StaticOptions options;
  options.epochs = 4;
  options.batch_rows = 16;
  std::vector<float> expected;
  for (const std::size_t threads : {1, 2, 3}) {
    const ThreadPermit permit(threads);
    Parameters parameters = Parameters::random(model, 3);
    const TrainingOutcome outcome = train_static(parameters, rows, options, {});
    CHECK(outcome.best);
    CHECK(outcome.epochs == 4.0);
    const std::vector<float> found(parameters.values().begin(), parameters.values().end());
    if (expected.empty()) expected = found;
    CHECK(found == expected);
  }
  Parameters stopped = Parameters::random(model, 3);
  CHECK(train_static(stopped, rows, options, {{}, [] { return true; }}).stopped);
}

TEST_CASE("a static training that is stopped anywhere and resumed ends as one that never stopped") {
  const Description model = small_model(ProblemType::single_label);
  for (const bool has_dev : {true, false}) {
    CAPTURE(has_dev);
    LabelledRows rows = random_rows(model, 60);
    if (!has_dev) rows.dev.clear();
    const TemporaryFolder folder;
    std::size_t taken = 0;
    const auto trained = [&](const StaticOptions& options, std::size_t steps) {
      Parameters parameters = Parameters::random(model, 3);
      std::size_t asked = 0;
      const TrainingOutcome outcome =
          train_static(parameters, rows, options, {{}, [&] { return ++asked == steps; }});
      CHECK(outcome.stopped == (steps > 0));
      taken = outcome.step;
      return std::vector<float>(parameters.values().begin(), parameters.values().end());
    };
    StaticOptions options;
    options.epochs = 5;
    options.batch_rows = 16;
    options.log = folder / "whole";
    const std::vector<float> expected = trained(options, 0);
    CHECK(taken == 15);
    options.log = folder / "log";
    options.checkpoint = folder / "checkpoint";
    // In the first epoch, at its end, in the middle of later ones.
    for (const std::size_t steps : {1U, 2U, 4U, 1U, 3U}) {
      trained(options, steps);
      options.resume = true;
    }
    CHECK(taken == 11);
    CHECK(trained(options, 0) == expected);
    CHECK(trained(options, 0) == expected);  // the course left its end
    CHECK(folder.read("log") == folder.read("whole"));
  }
}

TEST_CASE("few rows get more epochs and smaller batches than many") {
  CHECK(static_options(0).epochs == 30);
  CHECK(static_options(100).batch_rows == 16);
  CHECK(static_options(1'000'000).epochs == 5);
  CHECK(static_options(1'000'000).batch_rows == 128);
}

TEST_CASE("configs/static.json is what a static model is made of") {
  const MappedFile file(std::string(HEADLIGHT_SOURCE) + "/configs/static.json");
  CHECK(file.text() == kStaticConfig);
}

/// Whether "not" comes before "good": words alone do not say.
std::string order_rows(std::size_t count) {
  std::mt19937_64 random(1);
  const std::vector<std::string> words = {"film", "plot", "it", "was", "really", "the"};
  std::string rows = "text,label\n";
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_bad = i % 2 == 0;
    std::string text = is_bad ? "not good" : "good not";
    for (std::size_t n = random() % 4; n > 0; --n) text += ' ' + words[random() % words.size()];
    for (std::size_t n = random() % 4; n > 0; --n) text.insert(0, words[random() % 6] + ' ');
    rows += text + (is_bad ? ",bad\n" : ",good\n");
  }
  return rows;
}

struct StaticPlace {
  TemporaryFolder folder;
  std::string file = folder.write("rows.csv", order_rows(300));
  RowFormat format = RowFormat::csv;
  FitRequest request;
  StaticSettings settings;
  Way other = nullptr;  // in place of a static one

  StaticPlace() { request.place.output = folder / "made"; }

  Fit fit(FitStart start = {}) {
    RowReading reading;
    reading.format = format;
    reading.keep = !settings.teacher.logits.empty();
    reading.needs_label = true;
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    RowReader reader(descriptor, "rows.csv", reading);
    FitWatch watch;
    request.way = other ? other : static_way(settings);
    Fit made = headlight::fit(std::move(start), {reader}, request, Engine({}), watch);
    ::close(descriptor);
    return made;
  }

  Model made() const { return load_model(locate_model(request.place.output, "")); }
};

TEST_CASE("a static model is made from rows alone, and learns what pairs of words say") {
  StaticPlace place;
  const Fit made = place.fit();
  CHECK(made.end == FitEnd::finished);
  CHECK(made.is_refitted);
  CHECK(made.dev_rows >= 20);
  REQUIRE(made.figures);
  CHECK(made.figures->evaluation.measures.front().value > 0.95);
  CHECK(made.trained.find("Adagrad") != std::string::npos);
  const Model model = place.made();
  CHECK(model.description.ngrams->buckets == 1024);
  CHECK(model.description.layers.empty());
  CHECK(model.weights.embeddings.ngrams.format == NumberFormat::i8);
  place.request.place.resume = true;
  CHECK(place.fit().end == FitEnd::already_complete);
}

TEST_CASE("--store f32 keeps what was trained") {
  StaticPlace place;
  place.settings.stored_as = NumberFormat::f32;
  CHECK(place.fit().end == FitEnd::finished);
  CHECK(place.made().weights.embeddings.token.format == NumberFormat::f32);
}

TEST_CASE("tables of 8 bits have a scale a row, also where all rows are learned") {
  StaticPlace place;
  place.request.data.dev_share = 0.0;
  CHECK(place.fit().end == FitEnd::finished);
  const Model model = place.made();
  CHECK(model.weights.embeddings.token.format == NumberFormat::i8);
  CHECK(model.weights.embeddings.ngrams.format == NumberFormat::i8);
  CHECK(model.weights.embeddings.ngrams.scales != nullptr);
  CHECK(model.weights.classifier->weight.format == NumberFormat::f32);
}

TEST_CASE("a config of one's own is trained as it is, and must have n-grams") {
  StaticPlace place;
  std::string config = kStaticConfig;
  config.replace(config.find("131072"), 6, "77");
  place.fit({{}, locate_model(place.folder.write("own.json", config), "")});
  CHECK(place.made().description.ngrams->buckets == 77);
  const std::string layers = std::string(HEADLIGHT_SOURCE) + "/configs/self-attention.json";
  place.request.place.output = place.folder / "other";
  CHECK(error_of([&] {
          place.fit({{}, locate_model(layers, "")});
        }).find("has no ngram_sizes") != std::string::npos);
}

TEST_CASE("the components of vectors are the directions in which they vary most") {
  std::mt19937_64 random(3);
  std::normal_distribution<float> normal;
  constexpr std::size_t kRows = 600;
  const std::array<std::array<float, 3>, 3> axes = {{{2, 1, 2}, {-2, 2, 1}, {1, 2, -2}}};
  std::vector<float> x;
  std::vector<std::array<float, 3>> along;
  for (std::size_t i = 0; i < kRows; ++i) {
    along.push_back({9.0F * normal(random), 3.0F * normal(random), normal(random)});
    for (std::size_t j = 0; j < 3; ++j) {
      float value = 5.0F;  // not their mean's concern
      for (std::size_t a = 0; a < 3; ++a) value += along[i][a] * axes[a][j] / 3.0F;
      x.push_back(value);
    }
  }
  const std::vector<float> found = principal_components({x.data(), kRows, 3}, 4);
  REQUIRE(found.size() == kRows * 4);
  for (std::size_t a = 0; a < 3; ++a) {
    double both = 0.0;
    double own = 0.0;
    double other = 0.0;
    double sum = 0.0;
    for (std::size_t i = 0; i < kRows; ++i) {
      const double component = found[i * 4 + a];
      both += component * along[i][a];
      own += component * component;
      other += double{along[i][a]} * along[i][a];
      sum += component;
    }
    CHECK(std::abs(both) / std::sqrt(own * other) > 0.99);
    CHECK(std::abs(sum) < 1e-2 * std::sqrt(own));
  }
  for (std::size_t i = 0; i < kRows; ++i) CHECK(found[i * 4 + 3] == 0.0F);
}

/// Leaves an encoder in "encoder" of the folder, and a place for what is made of it.
void make_encoder(StaticPlace& place) {
  place.request.place.output = place.folder / "encoder";
  AllSettings once;
  once.course.epochs = 1;
  place.other = all_way(once);
  place.fit({{},
             locate_model(place.folder.write("encoder.json", R"({"model_type": "headlight",
    "vocab_size": 40, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
    "max_position_embeddings": 32, "pooling": "mean", "tokenizer": {"type": "words"}})"),
                          "")});
  place.other = nullptr;
  place.request.place.output = place.folder / "made";
}

FitStart encoder_of(const StaticPlace& place) {
  return {load_model(locate_model(place.folder / "encoder", "")), {}};
}

TEST_CASE("an encoder gives its tokenizer and the vectors of its tokens to a static model") {
  StaticPlace place;
  make_encoder(place);
  const Model encoder = load_model(locate_model(place.folder / "encoder", ""));
  for (const NumberFormat format : {NumberFormat::i8, NumberFormat::f16, NumberFormat::f32}) {
    place.settings.stored_as = format;
    place.request.place.force = true;
    const Fit made = place.fit(encoder_of(place));
    CHECK(made.figures->evaluation.measures.front().value > 0.9);
    CHECK(made.trained.find("L-BFGS") != std::string::npos);
    const Model model = place.made();
    CHECK(model.description.layers.empty());
    CHECK(model.description.vocab_size == encoder.description.vocab_size);
    CHECK(model.description.max_positions == encoder.description.max_positions);
    CHECK(model.description.hidden_size == 8);
    CHECK(model.description.label_ngrams);
    CHECK(model.weights.embeddings.token.format == format);
    CHECK(model.tokenizer->id("good") == encoder.tokenizer->id("good"));
    CHECK_FALSE(file_exists(place.request.place.output + ".vectors"));
  }
}

TEST_CASE("the vectors of an encoder are trained where labels are many") {
  StaticPlace place;
  make_encoder(place);
  std::string rows = "text,label\n";
  for (std::size_t i = 0; i < 170; ++i) {
    rows += (i % 2 == 0 ? "good " : "bad ") + std::string(i % 17, 'x') + ",label" +
            std::to_string(i % 17) + '\n';
  }
  place.file = place.folder.write("rows.csv", rows);
  CHECK(place.fit(encoder_of(place)).trained.find("Adagrad") != std::string::npos);
  CHECK(place.made().description.hidden_size == 64);
}

TEST_CASE("a static model learns the logits of a teacher") {
  StaticPlace place;
  std::string rows;
  for (std::size_t i = 0; i < 60; ++i) {  // the teacher contradicts every label
    const bool is_good = i % 2 == 0;
    rows += is_good ? R"({"text": "good", "label": "good", "logits": {"good": -4, "bad": 4}})"
                    : R"({"text": "bad", "label": "bad", "logits": {"good": 4, "bad": -4}})";
    rows += '\n';
  }
  place.file = place.folder.write("rows.jsonl", rows);
  place.format = RowFormat::jsonl;
  place.settings.teacher.logits = "logits";
  place.settings.teacher.share = 1.0F;
  place.fit();
  const Model model = place.made();
  const TextInput text{"good", {}, {}};
  ScoringScratch scratch;
  const auto logits = Classifier(model, {}).classify({&text, 1}, scratch).front().logits;
  CHECK((logits[0] > logits[1]) == (model.description.labels[0] == "bad"));
}

}  // namespace
}  // namespace headlight::static_test
