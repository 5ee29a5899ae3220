// Pipelines of scikit-learn give its numbers; files that no import has written are refused.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "model/model_files.h"
#include "model/refused_model.h"
#include "model/safetensors.h"
#include "model/safetensors_bytes.h"

namespace headlight::sparse_files_test {
namespace {

std::string golden(const std::string& name) {
  return HEADLIGHT_TEST_DATA "/golden/pipelines/" + name;
}

/// With −x and x of two labels for one decision value.
std::vector<double> of_labels(const Json& row) {
  if (row.is_number()) return {-row.get<double>(), row.get<double>()};
  return row.get<std::vector<double>>();
}

template <typename Numbers>
void check_close(const Numbers& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(static_cast<double>(found[i]) - expected[i]);
    CHECK(difference <= 1e-6 * std::max(1.0, std::abs(expected[i])));
  }
}

TEST_CASE("decision values and probabilities are those of scikit-learn") {
  const Json answers = read_json_file(golden("answers.json"));
  for (const auto& [name, expected] : answers["models"].items()) {
    CAPTURE(name);
    const Model model = load_model(locate_model(golden(name), ""));
    const auto classifier = make_classifier(model, {});
    std::vector<TextInput> texts;
    for (const auto& text : answers["texts"]) texts.push_back({text, {}, {}});
    ScoringScratch scratch;
    const auto found = classifier->classify(texts, scratch);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CAPTURE(texts[i].text);
      REQUIRE(found[i].error == "");
      if (!expected["logits"].is_null()) {
        check_close(found[i].logits, of_labels(expected["logits"][i]));
      }
      if (expected["probabilities"].is_null()) {
        CHECK(found[i].scores.empty());
      } else {
        check_close(found[i].scores, of_labels(expected["probabilities"][i]));
      }
      CHECK(classifier->effects_of(texts[i]).size() <= texts[i].text.size());
    }
  }
}

TEST_CASE("the effects of words are a part of the logits, the bias the rest") {
  for (const std::string name : {"words", "union", "characters", "pattern", "hashed", "slopes"}) {
    CAPTURE(name);
    const Model model = load_model(locate_model(golden(name), ""));
    const auto classifier = make_classifier(model, {});
    ScoringScratch scratch;
    const std::vector<TextInput> texts = {{"Good Été film, bad film x2", {}, {}}, {"", {}, {}}};
    const auto found = classifier->classify(texts, scratch);
    std::vector<float> sum = found[1].logits;  // the bias
    for (const WordEffect& word : classifier->effects_of(texts[0])) {
      for (std::size_t label = 0; label < sum.size(); ++label) sum[label] += word.effect[label];
    }
    if (name == "characters") continue;  // n-grams of blanks alone are no word's
    check_close(sum, {found[0].logits.begin(), found[0].logits.end()});
  }
}

/// The files of the model "union".
Folder files() {
  return {{"config.json", content_of(golden("union/config.json"))},
          {"model.safetensors", content_of(golden("union/model.safetensors"))}};
}

/// A safetensors file whose header is filled up, so that its numbers are aligned.
std::string aligned(const std::vector<Tensor>& tensors) {
  std::string file = safetensors(tensors);
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof(length));
  const std::size_t more = (8 - length % 8) % 8;
  file.insert(sizeof(length) + length, more, ' ');
  length += more;
  std::memcpy(file.data(), &length, sizeof(length));
  return file;
}

TEST_CASE("broken configs of such models are refused") {
  struct Case {
    std::function<void(OrderedJson&)> edit;
    std::string reason;
  };
  const Case cases[] = {
      {[](auto& config) { config["dictionaries"] = Json::array(); }, "dictionaries|a list"},
      {[](auto& config) { config["dictionaries"][0]["analyzer"] = "wb"; }, "analyzer|char_wb"},
      {[](auto& config) {
         config["dictionaries"][0]["ngram_range"] = {1, 2, 3};
       },
       "ngram_range"},
      {[](auto& config) {
         config["dictionaries"][0]["ngram_range"] = {0, 2};
       },
       "ngram_range"},
      {[](auto& config) { config["dictionaries"][0]["pattern"] = "(a"; }, "pattern"},
      {[](auto& config) { config["dictionaries"][0]["pattern"] = "[a-z]*"; },
       "pattern|without characters"},
      {[](auto& config) { config["dictionaries"][0]["steps"] = {"max"}; }, "steps|sublinear_tf"},
      {[](auto& config) {
         config["dictionaries"][0]["steps"] = {"idf", "idf"};
       },
       "idf once"},
      {[](auto& config) { config["dictionaries"][0]["steps"] = {"l2"}; }, "idf|is unknown"},
      {[](auto& config) { config["dictionaries"][0]["buckets"] = 7; },
       "idf|found F64 [40], expected F64 [7]"},
      {[](auto& config) { config["dictionaries"][0]["size"] = 7; }, "size"},
      {[](auto& config) { config["dictionaries"].erase(1); }, "weights|expected F64 [40, 3]"},
      {[](auto& config) { config["steps"] = {"idf"}; }, "tensor idf: is missing"},
      {[](auto& config) { config["output"] = "tanh"; }, "output|softmax"},
      {[](auto& config) { config["folds"] = 2; }, "weights|expected F64 [80, 6]"},
      {[](auto& config) { config["calibration"] = "isotonic"; }, "calibration.ends: is missing"},
      {[](auto& config) { config["calibration"] = "beta"; }, "calibration|linear or isotonic"},
      {[](auto& config) {
         config["id2label"] = {"a", "b", "a"};
       },
       "id2label|different"},
      {[](auto& config) {
         config["id2label"] = {"a", "b"};
       },
       "weights|expected F64 [80, 2]"},
      {[](auto& config) { config["problem_type"] = "regression"; }, "problem_type"},
      {[](auto& config) { config["more"] = 1; }, "more"},
  };
  for (const Case& row : cases) {
    CAPTURE(row.reason);
    Folder folder = files();
    edit_config(folder, row.edit);
    check_refused(folder, row.reason);
  }
}

TEST_CASE("broken tensors of such models are refused") {
  struct Case {
    std::string tensor;
    std::function<void(Tensor&)> edit;
    std::string reason;
  };
  const auto number = [](std::size_t at, double value) {
    return [=](Tensor& tensor) { std::memcpy(&tensor.bytes[at * 8], &value, 8); };
  };
  const Case cases[] = {
      {"weights", number(3, NAN), "weights|not finite"},
      {"bias", number(2, INFINITY), "bias|not finite"},
      {"dictionaries.1.idf", number(0, -INFINITY), "dictionaries.1.idf|not finite"},
      {"weights",
       [](Tensor& t) {
         t.shape = {t.shape[1], t.shape[0]};
       },
       "weights|found F64 [3, 80]"},
      {"weights", [](Tensor& t) { t.dtype = "I64"; }, "weights|found I64"},
      {"dictionaries.0.hashes", [](Tensor& t) { t.bytes[5] = 'x'; }, "term|hash"},
      {"dictionaries.0.ends", [](Tensor& t) { t.bytes[3] = '\x7F'; }, "ends outside"},
      {"dictionaries.0.terms", [](Tensor& t) { t.bytes[0] = '\xFF'; }, "has another hash"},
      {"bias", [](Tensor& t) { t.name = "biases"; }, "bias: is missing"},
  };
  for (const Case& row : cases) {
    CAPTURE(row.reason);
    Folder folder = files();
    const std::string file = folder["model.safetensors"];
    std::vector<Tensor> tensors;
    for (const SafetensorsEntry& entry : parse_safetensors(as_bytes(file), "file")) {
      tensors.push_back({entry.name,
                         entry.dtype,
                         {entry.shape.begin(), entry.shape.end()},
                         {reinterpret_cast<const char*>(entry.bytes.data()), entry.bytes.size()}});
    }
    row.edit(tensor_of(tensors, row.tensor));
    folder["model.safetensors"] = aligned(tensors);
    check_refused(folder, row.reason);
  }
  Folder folder = files();
  folder.erase("model.safetensors");
  check_refused(folder, "model.safetensors");
}

}  // namespace
}  // namespace headlight::sparse_files_test
