// A copied model is the same model: its logits are those of the original bit by bit, or those of
// the original with rounded weights.
#include "model/copied_files.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "model/model_files.h"
#include "text/typed_ids.h"

namespace headlight::copied_files_test {
namespace {

namespace fs = std::filesystem;

const std::string kPublished = std::string(HEADLIGHT_TEST_DATA) + "/golden/published/";

Model load(const std::string& path, const std::string& weights = "") {
  return load_model(locate_model(path, weights));
}

/// Into a new folder of `folder`, which is returned.
std::string copy_of(const Model& model, NumberFormat matrices, const TemporaryFolder& folder,
                    const std::string& name) {
  folder.write_folder(name, copied_files(model, matrices));
  return folder / name;
}

/// The logits and all vectors for ids that every vocabulary has.
std::vector<float> numbers_of(const Model& model) {
  ClassifierOptions options;
  options.ids = true;
  const Classifier classifier(model, options);
  const Encoding encoding = classifier.reader().encode({"1 0 2", {}, parse_typed_ids("1 0 2", {})});
  ScoringScratch scratch;
  Trace trace;
  trace.wants_hidden = true;
  const Prediction prediction = classifier.classify_traced(encoding, scratch.encoder, trace);
  CHECK(prediction.error == "");
  std::vector<float> numbers = prediction.logits;
  const auto add = [&](const auto& more) {
    numbers.insert(numbers.end(), more.begin(), more.end());
  };
  add(prediction.token_labels.logits);
  for (const auto& layer : trace.texts.at(0).hidden) add(layer);
  return numbers;
}

/// The nearest binary16, ties to even, by float64 arithmetic.
float rounded(float value) {
  if (value == 0.0F) return value;
  int exponent = 0;
  std::frexp(static_cast<double>(value), &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - 11, -24));
  return static_cast<float>(std::nearbyint(static_cast<double>(value) / step) * step);
}

/// The same model with each matrix of float32 rounded, still as float32.
std::string rounded_model(const std::string& copy, const TemporaryFolder& folder) {
  fs::copy(copy, folder / "rounded");
  std::string file = folder.read("rounded/model.safetensors");
  const std::size_t data = file.size() - data_of(file).size();
  const auto header = OrderedJson::parse(header_of(file));
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__" || entry["dtype"] != "F32" || entry["shape"].size() < 2) continue;
    for (std::size_t at = entry["data_offsets"][0]; at < entry["data_offsets"][1]; at += 4) {
      float value = 0.0F;
      std::memcpy(&value, &file[data + at], sizeof(value));
      value = rounded(value);
      std::memcpy(&file[data + at], &value, sizeof(value));
    }
  }
  folder.write("rounded/model.safetensors", file);
  return folder / "rounded";
}

TEST_CASE("a copy of each published checkpoint is the same model, exactly or rounded") {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(kPublished)) {
    CAPTURE(entry.path().string());
    const TemporaryFolder folder;
    const Model model = load(entry.path().string());
    const std::string copy = copy_of(model, NumberFormat::f32, folder, "copy");
    const std::vector<float> expected = numbers_of(model);
    CHECK(numbers_of(load(copy)) == expected);
    CHECK(load(copy).tensors->leftovers().empty());
    const Model half = load(copy_of(model, NumberFormat::f16, folder, "half"));
    CHECK(numbers_of(half) == numbers_of(load(rounded_model(copy, folder))));
    CHECK(half.tensors->bytes_on_disk() <= load(copy).tensors->bytes_on_disk());
    ++count;
  }
  CHECK(count > 50);
}

TEST_CASE("weights of JSON, of shards, of another folder and of a bare config become one file") {
  const TemporaryFolder folder;
  folder.write("json/config.json", toy_config().dump());
  folder.write("json/weights.json", toy_json_weights().dump());
  folder.write("bare.json", toy_config().dump());
  folder.write("bare.weights.json", toy_json_weights().dump());
  folder.write("bare.calibration.json", R"({"temperature": 2})");
  struct Row {
    std::string given;
    std::string weights;
    std::vector<std::string> names;
  };
  for (const Row& row :
       {Row{folder / "json", "", {"config.json", "model.safetensors"}},
        Row{folder / "json", folder / "bare.weights.json", {"config.json", "model.safetensors"}},
        Row{folder / "bare.json", "", {"calibration.json", "config.json", "model.safetensors"}}}) {
    const TemporaryFolder made;
    const Model model = load(row.given, row.weights);
    const Model copy = load(copy_of(model, NumberFormat::f32, made, "copy"));
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(made / "copy")) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    CHECK(names == row.names);
    CHECK(numbers_of(copy) == numbers_of(model));
    CHECK(copy.calibration.temperature == model.calibration.temperature);
  }
}

TEST_CASE("a copy has the tokenizer's files as they are, and no others") {
  const TemporaryFolder folder;
  const std::string models = std::string(HEADLIGHT_SOURCE) + "/data/models/";
  for (const std::string name : {"sentiment", "intent"}) {
    const Model model = load(models + name);
    const std::string copy = copy_of(model, NumberFormat::f16, folder, name);
    for (const auto& entry : fs::directory_iterator(copy)) {
      const std::string file = entry.path().filename().string();
      if (file == "model.safetensors") continue;
      CHECK(folder.read(name + "/" + file) == content_of(models + name + "/" + file));
    }
    CHECK_FALSE(folder.has(name + "/README.md"));
    const Model again = load(copy);
    CHECK(numbers_of(again) == numbers_of(model));
    TokenIds before;
    TokenIds after;
    model.tokenizer->encode_ids("not bad, at all!", std::nullopt, {}, before);
    again.tokenizer->encode_ids("not bad, at all!", std::nullopt, {}, after);
    CHECK(after.ids == before.ids);
  }
}

TEST_CASE(
    "a number of a matrix that 16 bits cannot hold is refused with its tensor, and kept in 32 "
    "bits") {
  const TemporaryFolder folder;
  for (const float value : {65519.0F, 65520.0F, -1e30F}) {
    CAPTURE(value);
    std::vector<Tensor> tensors = toy_tensors();
    const std::vector<float> weights = {0, 0, 0, 0, 0, 0, value, 0};
    const std::string name = "classifier.weight";
    tensor_of(tensors, name) = float_tensor(name, {2, 4}, weights);
    tensor_of(tensors, "classifier.bias") = float_tensor("classifier.bias", {2}, {1e30F, 0});
    folder.write_folder(
        "m", {{"config.json", toy_config().dump()}, {"model.safetensors", safetensors(tensors)}});
    const Model model = load(folder / "m");
    CHECK(copied_files(model, NumberFormat::f32).size() == 2);
    const std::string error = error_of([&] { copied_files(model, NumberFormat::f16); });
    if (value == 65519.0F) {
      CHECK(error == "");
    } else {
      CHECK(error == folder / "m" + "/model.safetensors: tensor classifier.weight: found " +
                         (value > 0 ? "65520" : "-1e+30") +
                         ", which is too large for 16 bits; --store f32 keeps 32 bits");
    }
  }
}

}  // namespace
}  // namespace headlight::copied_files_test
