// The models that ship, as a person would first try them.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "classifier/classifier.h"
#include "model/locate.h"

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
