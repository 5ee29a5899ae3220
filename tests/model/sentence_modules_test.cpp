// What a sentence-transformers folder says, and which of it is refused.
#include "model/sentence_modules.h"

#include <filesystem>
#include <optional>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "model/model.h"

namespace headlight::sentence_modules_test {
namespace {

namespace fs = std::filesystem;

const std::string kGolden = std::string(HEADLIGHT_TEST_DATA) + "/golden/sentences/";

/// A copy of a golden folder, to be changed.
class Copy {
 public:
  explicit Copy(const std::string& name) {
    fs::copy(kGolden + name, folder_ / "m", fs::copy_options::recursive);
  }

  /// Sets a field of a JSON file; a null pointer of JSON removes it.
  void set(const std::string& file, const nlohmann::json::json_pointer& field,
           const nlohmann::json& value) const {
    auto json = nlohmann::json::parse(folder_.read("m/" + file));
    json[field] = value;
    folder_.write("m/" + file, json.dump());
  }
  const TemporaryFolder& files() const { return folder_; }
  std::string path() const { return folder_ / "m"; }

  SentenceModules read(std::optional<TokenPooling> pooling = std::nullopt) const {
    return read_sentence_modules(load_model(locate_model(path(), "")), pooling);
  }
  /// The message without the path of the folder.
  std::string refusal(std::optional<TokenPooling> pooling = std::nullopt) const {
    const std::string line = error_of([&] { read(pooling); });
    return line.starts_with(path()) ? line.substr(path().size() + 1) : line;
  }

 private:
  TemporaryFolder folder_;
};

using Pointer = nlohmann::json::json_pointer;

TEST_CASE("what is not supported is named with its file and its field") {
  struct Row {
    std::string folder;
    std::string file;
    std::string field;
    nlohmann::json value;
    std::string message;
  };
  const Row rows[] = {
      {"mean-normalize", "modules.json", "/2/type", "sentence_transformers.models.WordWeights",
       "modules.json: module 2 (sentence_transformers.models.WordWeights) is not supported"},
      {"mean-normalize", "modules.json", "/2/type", "custom.Normalize",
       "modules.json: module 2 (custom.Normalize) is not supported"},
      {"mean-normalize", "modules.json", "/2/type", "sentence_transformers.models.Pooling",
       "module 2 (sentence_transformers.models.Pooling) is in the wrong place"},
      {"mean-normalize", "modules.json", "/1/type", "sentence_transformers.models.Normalize",
       "module 1 (sentence_transformers.models.Normalize) is not supported there, expected "
       "Pooling"},
      {"mean-normalize", "modules.json", "/0/type", "sentence_transformers.models.CLIPModel",
       "module 0 (sentence_transformers.models.CLIPModel) is not supported as the first"},
      {"mean-normalize", "modules.json", "/1/path", "../1_Pooling", "module 1.path"},
      {"mean-normalize", "modules.json", "/1/path", "/1_Pooling", "module 1.path"},
      {"mean-normalize", "1_Pooling/config.json", "/pooling_mode_first", true,
       "1_Pooling/config.json: pooling_mode_first"},
      {"listed-poolings", "1_Pooling/config.json", "/pooling_mode", "first",
       "1_Pooling/config.json: pooling_mode: found \"first\""},
      {"listed-poolings", "1_Pooling/config.json", "/pooling_mode", nlohmann::json::array(),
       "pooling_mode: found a list of 0, expected at least one mode"},
      {"listed-poolings", "2_Dense/config.json", "/activation_function", "torch.nn.Softmax",
       "2_Dense/config.json: activation_function: found \"torch.nn.Softmax\""},
      {"listed-poolings", "2_Dense/config.json", "/activation_function", "mine.GELU",
       "activation_function: found \"mine.GELU\""},
      {"listed-poolings", "2_Dense/config.json", "/in_features", 6,
       "2_Dense/config.json: in_features: found 6, expected 18"},
      {"listed-poolings", "2_Dense/config.json", "/bias", true, "tensor linear.bias: missing"},
      {"listed-poolings", "2_Dense/config.json", "/module_input_name", "token_embeddings",
       "2_Dense/config.json: module_input_name: found \"token_embeddings\""},
      {"listed-poolings", "4_LayerNorm/config.json", "/dimension", 6,
       "4_LayerNorm/config.json: dimension: found 6, expected 5"},
      {"dense-residuals", "2_Dense/config.json", "/use_residual", false,
       "tensor residual.weight: the config does not use it"},
      {"dense-residuals", "5_Normalize/config.json", "/module_input_name", "token_embeddings",
       "5_Normalize/config.json: module_input_name"},
      {"listed-poolings", "sentence_bert_config.json", "/transformer_task", "fill-mask",
       "sentence_bert_config.json: transformer_task: found \"fill-mask\""},
      {"listed-poolings", "sentence_bert_config.json", "/modality_config/text/method_output_name",
       "pooler_output", "sentence_bert_config.json: modality_config"},
      {"listed-poolings",
       "sentence_bert_config.json",
       "/model_args",
       {{"num_hidden_layers", 1}},
       "sentence_bert_config.json: model_args"},
      {"listed-poolings", "sentence_bert_config.json", "/max_length", 5, "max_length"},
      {"prompt-not-pooled", "config_sentence_transformers.json", "/default_prompt_name", "q",
       "config_sentence_transformers.json: default_prompt_name: found \"q\""},
  };
  for (const Row& row : rows) {
    const Copy copy(row.folder);
    CHECK(copy.refusal() == "");
    copy.set(row.file, Pointer(row.field), row.value);
    INFO("expected: " << row.message << "\nfound: " << copy.refusal());
    CHECK(copy.refusal().find(row.message) != std::string::npos);
  }
}

TEST_CASE("a dense layer with pickled weights alone says what to run") {
  const Copy copy("listed-poolings");
  const std::string dense = copy.path() + "/2_Dense";
  fs::rename(dense + "/model.safetensors", dense + "/pytorch_model.bin");
  CHECK(copy.refusal() ==
        "2_Dense/pytorch_model.bin: is a PyTorch pickle file, expected model.safetensors; "
        "`scripts/import " +
            dense + "` writes model.safetensors");
}

TEST_CASE("a pooling from outside needs no module after the first") {
  const Copy copy("mean-normalize");
  copy.set("modules.json", Pointer("/2/type"), "custom.Normalize");
  const SentenceModules modules = copy.read(TokenPooling::cls);
  CHECK(modules.poolings == std::vector{TokenPooling::cls});
  CHECK(modules.after.empty());
  CHECK(modules.max_tokens == 6);
  copy.files().write("m/modules.json", R"([{"type": "sentence_transformers.models.Transformer",
                                            "path": ""}])");
  CHECK(copy.refusal() ==
        "modules.json: has no module Pooling, so a text has no single vector; "
        "--pooling chooses one");
  CHECK(copy.refusal(TokenPooling::max) == "");
}

TEST_CASE("without a pooling in the flags it is the mean, and pooling_mode wins over flags") {
  const Copy copy("mean-normalize");
  copy.set("1_Pooling/config.json", Pointer("/pooling_mode_mean_tokens"), false);
  CHECK(copy.read().poolings == std::vector{TokenPooling::mean});
  copy.set("1_Pooling/config.json", Pointer("/pooling_mode_cls_token"), true);
  CHECK(copy.read().poolings == std::vector{TokenPooling::cls});
  copy.set("1_Pooling/config.json", Pointer("/pooling_mode"), "lasttoken");
  CHECK(copy.read().poolings == std::vector{TokenPooling::last});
}

TEST_CASE("max_seq_length replaces the limit of the tokenizer, within that of the encoder") {
  const Copy copy("lower-case-cut-vectors");  // model_max_length 5, 24 positions
  const auto limit = [&] {
    Model model = load_model(locate_model(copy.path(), ""));
    apply_reading(read_sentence_modules(model, std::nullopt), model);
    return model.description.max_positions;
  };
  CHECK(limit() == 12);
  copy.set("sentence_bert_config.json", Pointer("/max_seq_length"), 100);
  CHECK(limit() == 24);
  copy.set("sentence_bert_config.json", Pointer("/max_seq_length"), nullptr);
  CHECK(limit() == 5);
}

TEST_CASE("a prompt is chosen by name, else by the folder") {
  const SentenceModules modules = Copy("prompt-not-pooled").read();
  const ModelPlace place{"m", "path/m", "", "", ""};
  CHECK(prompt_of(modules, std::nullopt, place) == "b a: ");
  CHECK(prompt_of(modules, "passage", place) == "");
  CHECK(prompt_of(modules, "document", place) == "ab");
  CHECK(error_of([&] { prompt_of(modules, "other", place); }) ==
        "path/m: has no prompt \"other\", only \"document\", \"passage\", \"query\"");
  CHECK(prompt_of(SentenceModules(), std::nullopt, place) == "");
  CHECK(error_of([&] { prompt_of(SentenceModules(), "query", place); }) ==
        "path/m: has no prompts; leave out --prompt");
}

TEST_CASE("a model without modules has its own pooling, a headless one the mean") {
  const auto read = [](const std::string& name) {
    const std::string path = std::string(HEADLIGHT_TEST_DATA) + "/golden/published/" + name;
    return read_sentence_modules(load_model(locate_model(path, "")), std::nullopt);
  };
  CHECK(read("bert-three-labels").poolings == std::vector{TokenPooling::cls});
  CHECK(read("bert-three-labels").note == "");
  CHECK(read("bert-model").poolings == std::vector{TokenPooling::mean});
  CHECK(read("bert-model").note.find("--pooling") != std::string::npos);
}

}  // namespace
}  // namespace headlight::sentence_modules_test
