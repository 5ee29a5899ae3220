// New heads for every published checkpoint of tests/golden: written, loaded again and run, they
// give the logits of the model in memory, bit for bit.
#include "training/directory/model_directory.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "close_to.h"
#include "encoder/forward.h"
#include "encoder/trace.h"
#include "model/locate.h"
#include "training/directory/published_model.h"
#include "training/head/classifier_start.h"

namespace headlight::model_directory_test {
namespace {

namespace fs = std::filesystem;

const fs::path kGolden = fs::path(HEADLIGHT_TEST_DATA) / "golden";

const LabelSet kLabels = {{"no", "maybe", "yes", "never"}, ProblemType::multi_label};

/// Numbers that all formats store exactly.
LinearHead head_for(const ClassifierStart& start) {
  LinearHead head;
  for (std::size_t i = 0; i < kLabels.names.size() * start.width(); ++i) {
    head.weight.push_back(static_cast<float>(static_cast<int>(i * 7 % 16) - 8) / 8.0F);
  }
  if (start.has_bias()) head.bias = {0.5F, -0.25F, 1.0F, 0.0F};
  return head;
}

std::vector<float> logits_of(const Model& model) {
  Batch batch;
  std::vector<TokenId> ids = {5, 6, 7, 8, 2, 9, 3, 4};
  ids.resize(std::min(ids.size(), model.description.max_positions));
  const std::vector<TokenId> zeros(ids.size());
  batch.add(ids, zeros);
  batch.add(std::span(ids).first(3), std::span(zeros).first(3));
  Scratch scratch;
  std::vector<float> logits;
  keep_rows(forward(model.description, model.weights, {batch, scratch}), logits);
  return logits;
}

/// Whether the model of a folder can get a head; then checks what is written.
bool check_folder(const fs::path& folder, const std::string& output, bool& kept_layout) {
  Model loaded = load_model(locate_model(folder.string(), ""));
  const bool labels_tokens =
      loaded.description.pooling == Pooling::each_token && loaded.weights.classifier;
  if (labels_tokens || loaded.description.decoder) {
    CHECK_THROWS_AS(ClassifierStart(std::move(loaded)), Error);
    return false;
  }
  ClassifierStart start(std::move(loaded));
  const LinearHead head = head_for(start);
  start.set_head(head, kLabels);
  {
    ModelDirectory directory(output, /*force=*/false);
    kept_layout = start.keeps_layout();
    kept_layout ? write_with_new_head(start.model(), directory)
                : write_native(start.model(), directory);
    directory.place();
  }
  const Model written = load_model(locate_model(output, ""));
  CHECK(written.description.labels == kLabels.names);
  CHECK(written.description.problem_type == ProblemType::multi_label);
  CHECK((written.family == "headlight") != kept_layout);
  CHECK(logits_of(written) == logits_of(start.model()));
  return true;
}

TEST_CASE("every published checkpoint can get a new head") {
  const TemporaryFolder folder;
  int kept = 0;
  int native = 0;
  for (const char* kind : {"published", "sentences"}) {
    for (const auto& entry : fs::directory_iterator(kGolden / kind)) {
      CAPTURE(entry.path().filename());
      bool kept_layout = false;
      if (!check_folder(entry.path(), folder / entry.path().filename().string(), kept_layout)) {
        continue;
      }
      ++(kept_layout ? kept : native);
    }
  }
  CHECK(kept > 40);
  CHECK(native > 20);
}

/// The numbers of a tensor, widened.
std::vector<float> numbers_of(const SafetensorsEntry& tensor) {
  const NumberFormat format = *value_of(tensor.dtype, kNumberFormatWords);
  std::vector<float> values(tensor.bytes.size() / bytes_each(format));
  widen(format, tensor.bytes.data(), values);
  return values;
}

/// A file of an encoder alone lacks the prefix, and an old one calls the parts of norms otherwise.
const SafetensorsEntry* in_start(const std::vector<SafetensorsEntry>& start,
                                 const std::string& name) {
  const auto old = [](std::string spelled, const std::string& now, const std::string& before) {
    if (spelled.ends_with(now)) spelled.replace(spelled.size() - now.size(), now.size(), before);
    return spelled;
  };
  for (const std::string& spelled : {name, name.substr(name.find('.') + 1)}) {
    for (const std::string& each : {spelled, old(spelled, "LayerNorm.weight", "LayerNorm.gamma"),
                                    old(spelled, "LayerNorm.bias", "LayerNorm.beta")}) {
      const auto found = std::ranges::find(start, each, &SafetensorsEntry::name);
      if (found != start.end()) return &*found;
    }
  }
  return nullptr;
}

TEST_CASE("the tensors of every published checkpoint are written by the table that read them") {
  std::size_t compared = 0;
  for (const auto& entry : fs::directory_iterator(kGolden / "published")) {
    const std::string folder = entry.path().filename().string();
    CAPTURE(folder);
    const Model model = load_model(locate_model(entry.path().string(), ""));
    REQUIRE(model.layout != nullptr);
    const auto start = model.tensors->entries();
    const WrittenTensors written =
        published_tensors(*model.layout, model.description, model.weights);
    std::size_t numbers = 0;
    for (const SafetensorsEntry& tensor : written.entries) {
      CAPTURE(tensor.name);
      numbers += numbers_of(tensor).size();
      // The first task is added to the types of tokens.
      if (folder.starts_with("ernie") && tensor.name.ends_with("_type_embeddings.weight")) continue;
      const SafetensorsEntry* const found = in_start(start, tensor.name);
      REQUIRE(found != nullptr);
      CHECK(found->shape == tensor.shape);
      const std::vector<float> read = numbers_of(*found);
      const std::vector<double> expected(read.begin(), read.end());
      CHECK(close_to(numbers_of(tensor), expected, {.absolute = 1e-6, .relative = 1e-6}));
      ++compared;
    }
    CHECK(numbers <= model.tensors->parameters());
  }
  CHECK(compared > 2000);
}

/// The model with a new head, written and read again.
void check_published(Model start, const std::string& output) {
  if (!start.weights.classifier) start = *with_new_head(start, 1);
  ClassifierStart made(std::move(start));
  made.set_head(head_for(made), kLabels);
  CHECK(published_config(made.model()).obstacle == "");
  ModelDirectory directory(output, /*force=*/false);
  write_published(made.model(), directory, NumberFormat::f32);
  directory.place();
  const Model written = load_model(locate_model(output, ""));
  CHECK(written.family == made.model().family);
  CHECK(written.architecture.ends_with("ForSequenceClassification"));
  CHECK(written.tensors->leftovers().empty());
  CHECK(written.remarks.empty());
  CHECK(written.description.labels == kLabels.names);
  CHECK(logits_of(written) == logits_of(made.model()));
}

TEST_CASE("checkpoints of the reference's classes, with a head and without, get a whole new file") {
  const TemporaryFolder folder;
  std::map<std::string, int> families;
  for (const auto& entry : fs::directory_iterator(kGolden / "published")) {
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    Model model = load_model(locate_model(entry.path().string(), ""));
    const bool labels_tokens =
        model.description.pooling == Pooling::each_token && model.weights.classifier;
    if (!has_published_class(model) || labels_tokens) continue;
    ++families[model.family + (model.weights.classifier ? "" : " without a head")];
    check_published(std::move(model), folder / name);
  }
  for (const char* family : {"bert", "roberta", "distilbert", "electra", "modernbert", "deberta",
                             "deberta-v2", "llama", "qwen2", "qwen3"}) {
    CAPTURE(family);
    CHECK(families[family] > 0);
  }
  CHECK(families.size() > 14);
}

TEST_CASE("a directory is written whole or not at all, and nothing else is removed") {
  const TemporaryFolder folder;
  const std::string path = folder / "made";
  { ModelDirectory(path, false).write("config.json", "{}"); }
  CHECK(!fs::exists(path));
  CHECK(!fs::exists(path + ".partial"));
  ModelDirectory directory(path + "/", false);
  directory.write("config.json", "{}");
  directory.place();
  CHECK(folder.read("made/config.json") == "{}");
  CHECK_THROWS_AS(ModelDirectory(path, false), Error);
  folder.write("made/notes.txt", "mine");
  CHECK_THROWS_AS(ModelDirectory(path, true), Error);
  CHECK(folder.read("made/notes.txt") == "mine");
}

}  // namespace
}  // namespace headlight::model_directory_test
