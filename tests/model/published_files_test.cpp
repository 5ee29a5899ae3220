// Files of published models: tensors that are missing, that have other names, or that nobody asks
// for.
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "model/families/family.h"
#include "model/model.h"
#include "model/random_tensors.h"

namespace headlight::published_files_test {
namespace {

using Strings = std::vector<std::string>;

const std::string kSizes =
    R"("vocab_size": 5, "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 2,
       "intermediate_size": 3, "max_position_embeddings": 6)";
const std::string kClassifier = R"("architectures": ["BertForSequenceClassification"])";

/// A random model's files, before they are written.
class Files {
 public:
  explicit Files(const std::string& fields, const std::string& model_type = "bert")
      : text_("{\"model_type\": \"" + model_type + "\", " + kSizes + ", " + fields + "}") {
    const Json json = parse_json(text_, "c");
    const Family& family = find_family(json, "c").family;
    FamilyConfig config = family.read_config(json, "c");
    if (config.description.labels.empty()) config.description.labels = {"x", "y"};
    family.read_weights(config, random_);
    tensors_ = random_.tensors();
  }

  void add(const std::string& name, const Shape& shape = {0}) {
    tensors_.push_back({name, shape, {}});
  }
  void drop(const std::string& name) {
    std::erase_if(tensors_, [&](const auto& tensor) { return tensor.name == name; });
  }
  void rename(const std::function<std::string(std::string)>& rename) {
    for (auto& tensor : tensors_) tensor.name = rename(tensor.name);
  }

  Model load(const TemporaryFolder& folder) const {
    folder.write("m/config.json", text_);
    folder.write("m/model.safetensors", make_safetensors(tensors_));
    return load_model(locate_model(folder / "m", ""));
  }

 private:
  std::string text_;
  RandomTensors random_{1};
  std::vector<NamedTensor> tensors_;
};

std::string without_prefix(std::string name) {
  return name.starts_with("bert.") ? name.substr(5) : name;
}

std::string old_name(std::string name) {
  for (const auto& [part, old] :
       {std::pair<std::string, std::string>{"LayerNorm.weight", "LayerNorm.gamma"},
        {"LayerNorm.bias", "LayerNorm.beta"}}) {
    if (name.ends_with(part)) return name.substr(0, name.size() - part.size()) + old;
  }
  return name;
}

TEST_CASE("a file may leave the prefix out, and call a norm's numbers gamma and beta") {
  const TemporaryFolder folder;
  Files files(kClassifier);
  const Model plain = files.load(folder);
  const std::size_t parameters = plain.tensors->parameters();
  CHECK(plain.description.labels == Strings{"LABEL_0", "LABEL_1"});
  CHECK(plain.weights.layers.size() == 1);
  files.rename(without_prefix);
  CHECK(files.load(folder).tensors->parameters() == parameters);
  files.rename(old_name);
  const Model old = files.load(folder);
  CHECK(old.tensors->parameters() == parameters);
  CHECK(old.remarks.empty());
  CHECK(old.warnings.empty());
}

TEST_CASE("without a class in the config the tensors decide") {
  const TemporaryFolder folder;
  Files files(R"("architectures": null)");
  CHECK(files.load(folder).weights.classifier);
  files.drop("bert.pooler.dense.bias");
  files.drop("bert.pooler.dense.weight");
  const Model headless = files.load(folder);
  CHECK_FALSE(headless.weights.classifier);
  CHECK_FALSE(headless.weights.head_dense);
  CHECK(headless.description.labels.empty());
  CHECK(headless.warnings ==
        Strings{folder / "m/model.safetensors" + ": ignored unknown tensors: "
                                                 "classifier.bias, classifier.weight"});
}

TEST_CASE("a head that is not there is not made up") {
  const TemporaryFolder folder;
  const std::string file = folder / "m/model.safetensors: ";
  for (const char* name :
       {"bert.pooler.dense.weight", "bert.pooler.dense.bias", "classifier.bias"}) {
    Files files(kClassifier);
    files.drop(name);
    const std::string start = file + "tensor " + name + ": missing, expected shape [";
    CHECK(error_of([&] { files.load(folder); }).substr(0, start.size()) == start);
  }
  Files files(kClassifier);
  files.drop("classifier.weight");
  CHECK(error_of([&] { files.load(folder); }) ==
        file + "tensor classifier.weight: missing, expected one row per label");
}

TEST_CASE("labels that the head has no rows for are refused with the field that counts them") {
  const TemporaryFolder folder;
  struct Row {
    std::string field;
    std::string error;
  };
  for (const Row& row :
       std::vector<Row>{{R"("id2label": {"0": "a", "1": "b", "2": "c"})", "id2label has 3 labels"},
                        {R"("num_labels": 3)", "num_labels has 3 labels"}}) {
    Files files(kClassifier);
    files.load(folder);
    folder.write("m/config.json", R"({"model_type": "bert", )" + kSizes + ", " + kClassifier +
                                      ", " + row.field + "}");
    CHECK(error_of([&] { load_model(locate_model(folder / "m", "")); }) ==
          folder / "m/config.json: " + row.error + ", but tensor classifier.weight has 2 rows");
  }
}

TEST_CASE("a head of more rows than any model has labels takes no memory") {
  const TemporaryFolder folder;
  Files files(kClassifier);
  files.drop("classifier.weight");
  files.add("classifier.weight", {1'000'000'000'000, 0});
  CHECK(error_of([&] { files.load(folder); }) ==
        folder /
            "m/model.safetensors: tensor classifier.weight: found 1000000000000 rows, "
            "expected at most 1000000 labels");
}

TEST_CASE("tensors of other heads are skipped, unknown ones named, and adapters refused") {
  const TemporaryFolder folder;
  const std::string file = folder / "m/model.safetensors: ";
  const Strings harmless = {"bert.embeddings.position_ids", "embeddings.token_type_ids",
                            "cls.predictions.bias",         "lm_head.bias",
                            "predictions.decoder.bias",     "discriminator_predictions.dense.bias",
                            "vocab_transform.bias",         "vocab_layer_norm.bias",
                            "vocab_projector.bias"};
  for (const auto& name : harmless) {
    Files files(kClassifier);
    files.add(name);
    const Model model = files.load(folder);
    CHECK(model.warnings.empty());
    CHECK(model.remarks == Strings{file + "ignored tensors of other heads: " + name});
  }
  for (const char* name : {"qa_outputs.bias", "bert.encoder.layer.1.output.dense.bias",
                           "bert.extra", "position_ids"}) {
    Files files(kClassifier);
    files.add(name);
    const Model model = files.load(folder);
    CHECK(model.remarks.empty());
    CHECK(model.warnings == Strings{file + "ignored unknown tensors: " + name});
  }
  for (const char* name : {"bert.encoder.layer.0.attention.self.distance_embedding.weight",
                           "bert.encoder.layer.0.attention.self.query.lora_A.weight",
                           "bert.encoder.layer.0.output.adapters.a.bias",
                           "bert.encoder.layer.0.output.LayerNorm.gamma"}) {
    Files files(kClassifier);
    files.add(name);
    const std::string start = file + "tensor " + name + ": unknown tensor inside a layer; ";
    CHECK(error_of([&] { files.load(folder); }).substr(0, start.size()) == start);
  }
}

TEST_CASE("a long list of unknown tensors is cut short") {
  const TemporaryFolder folder;
  Files files(kClassifier);
  for (int i = 10; i < 20; ++i) files.add("x" + std::to_string(i));
  CHECK(files.load(folder).warnings ==
        Strings{folder / "m/model.safetensors: " +
                "ignored unknown tensors: x10, x11, x12, x13, x14, x15, x16, "
                "x17 and 2 more"});
}

TEST_CASE("an encoder alone keeps its pooler out of the way") {
  const TemporaryFolder folder;
  Files files(R"("architectures": ["BertModel"])");
  files.rename(without_prefix);
  files.add("pooler.dense.bias");
  const Model model = files.load(folder);
  CHECK_FALSE(model.weights.classifier);
  CHECK(model.architecture == "BertModel");
  CHECK(model.warnings.empty());
}

TEST_CASE("config fields that the tensors contradict are refused with both shapes") {
  const TemporaryFolder folder;
  struct Row {
    std::string field;
    std::string error;
  };
  const std::vector<Row> rows = {
      {R"("vocab_size": 6)",
       "bert.embeddings.word_embeddings.weight: found shape [5, 4], expected [6, 4]"},
      {R"("max_position_embeddings": 7)",
       "bert.embeddings.position_embeddings.weight: found shape [6, 4], expected [7, 4]"},
      {R"("type_vocab_size": 1)",
       "bert.embeddings.token_type_embeddings.weight: found shape [2, 4], expected [1, 4]"},
      {R"("intermediate_size": 5)",
       "bert.encoder.layer.0.intermediate.dense.weight: found shape [3, 4], expected [5, 4]"},
      {R"("num_hidden_layers": 2)",
       "bert.encoder.layer.1.attention.self.query.weight: missing, expected shape [4, 4]"},
  };
  const Files files(kClassifier);
  files.load(folder);
  Json config = read_json_file(folder / "m/config.json");
  for (const Row& row : rows) {
    Json changed = config;
    changed.update(Json::parse("{" + row.field + "}"));
    folder.write("m/config.json", changed.dump());
    const std::string error = error_of([&] { load_model(locate_model(folder / "m", "")); });
    CHECK(error.substr(0, error.find("; also missing: ")) ==
          folder / "m/model.safetensors: tensor " + row.error);
  }
}

}  // namespace
}  // namespace headlight::published_files_test
