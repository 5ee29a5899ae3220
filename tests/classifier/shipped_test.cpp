// The models that ship, as a person would first try them.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "classifier/classifier.h"
#include "classifier/embedder.h"
#include "model/locate.h"
#include "model/sentence_modules.h"

namespace headlight::shipped_test {
namespace {

namespace fs = std::filesystem;

const fs::path kShipped = fs::path(HEADLIGHT_SOURCE) / "data/models";

std::string verdict(const Classifier& classifier, const std::string& text) {
  const TextInput input = {text, {}, {}};
  ScoringScratch scratch;
  const Prediction prediction = classifier.classify({&input, 1}, scratch).at(0);
  return prediction.error.empty() ? classifier.labels().names[prediction.best] : prediction.error;
}

TEST_CASE("the models that ship answer plain texts rightly") {
  struct Row {
    std::string text;
    std::string label;
  };
  struct Shipped {
    std::string name;
    std::vector<Row> rows;
  };
  const Shipped shipped[] = {
      {"sentiment",
       {{"a gorgeous, witty, seductive movie", "positive"},
        {"a dull, lifeless mess", "negative"},
        {"not bad at all", "positive"},
        {"beautifully shot but empty", "negative"}}},
      {"sentiment-stream",
       {{"a gorgeous, witty, seductive movie", "positive"},
        {"a dull, lifeless mess", "negative"},
        {"I loved every minute of it", "positive"},
        {"beautifully shot but empty", "negative"}}},
      {"intent",
       {{"what is my balance", "balance"},
        {"wake me up at seven", "alarm"},
        {"how do you say thank you in spanish", "translate"},
        {"my card was stolen", "report_lost_card"}}},
      {"language",
       {{"Wie spät ist es?", "de"},
        {"je ne comprends rien du tout", "fr"},
        {"NO ENTIENDO NADA", "es"},
        {"今日はいい天気ですね", "ja"}}},
  };
  for (const auto& [name, rows] : shipped) {
    CAPTURE(name);
    const Model model = load_model(locate_model((kShipped / name).string(), ""));
    const Classifier classifier(model, {});
    for (const auto& [text, label] : rows) {
      CAPTURE(text);
      CHECK(verdict(classifier, text) == label);
    }
  }
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  const double product = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  return product / std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0) *
                             std::inner_product(b.begin(), b.end(), b.begin(), 0.0));
}

TEST_CASE("the encoder that ships puts texts of the same meaning near each other") {
  struct Row {
    std::string text;
    std::string near;
    std::string far;
  };
  const Row rows[] = {
      {"where is my parcel?", "my package has not arrived yet", "how do I change my password?"},
      {"the plot is dull", "a boring story", "a gorgeous, witty film"},
      {"book a table for two", "reserve a seat at a restaurant", "what is the capital of France?"},
      {"Who wrote Hamlet ?", "What is the author of that play ?", "How far is the moon ?"}};
  const Model model = load_model(locate_model((kShipped / "encoder").string(), ""));
  CHECK(model.description.labels.empty());
  CHECK(model.tensors->bytes_on_disk() <= 12U * 1000 * 1000);
  const SentenceModules modules = read_sentence_modules(model, std::nullopt);
  const Embedder embedder(model, modules, {});
  ScoringScratch scratch;
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const TextInput inputs[] = {{row.text, {}, {}}, {row.near, {}, {}}, {row.far, {}, {}}};
    const auto texts = embedder.embed(inputs, scratch, [] { return false; });
    REQUIRE(texts.size() == 3);
    CHECK(cosine(texts[0].vector, texts[1].vector) > cosine(texts[0].vector, texts[2].vector));
  }
}

TEST_CASE("every model that ships has its card, and is at most 16 MiB") {
  std::size_t models = 0;
  for (const auto& folder : fs::directory_iterator(kShipped)) {
    CAPTURE(folder.path().string());
    std::uintmax_t bytes = 0;
    for (const auto& file : fs::directory_iterator(folder)) bytes += file.file_size();
    CHECK(bytes <= 16U * 1024 * 1024);
    CHECK(fs::is_regular_file(folder.path() / "README.md"));
    ++models;
  }
  CHECK(models >= 1);
}

}  // namespace
}  // namespace headlight::shipped_test
