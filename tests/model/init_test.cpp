#include "model/init.h"

#include <string>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "model/model.h"

namespace headlight::init_test {
namespace {

// Blanks and the order of fields are the writer's own.
const std::string kConfig = R"({ "num_attention_heads": 2, "model_type": "headlight",
  "vocab_size": 4, "hidden_size": 6, "num_hidden_layers": 2,
  "tokenizer": {"type": "whitespace"} })";

TEST_CASE("a model made from a config is read back, and a seed makes the same bytes again") {
  const TemporaryFolder folder;
  folder.write("given/config.json", kConfig);
  folder.write("given/vocab.txt", "[UNK]\na\nb\nc\n");
  const std::string config = folder / "given/config.json";
  init_model(config, folder / "one", 7, false);
  init_model(config, folder / "deep/two", 7, false);
  init_model(config, folder / "three", 8, false);
  for (const char* file : {"/config.json", "/vocab.txt", "/model.safetensors"}) {
    CHECK(content_of(folder / "one" + file) == content_of(folder / "deep/two" + file));
  }
  CHECK(content_of(folder / "one/config.json") == kConfig);
  CHECK(content_of(folder / "one/model.safetensors") !=
        content_of(folder / "three/model.safetensors"));

  const Model model = load_model(locate_model(folder / "one", ""));
  CHECK(model.description.labels == std::vector<std::string>{"LABEL_0", "LABEL_1"});
  CHECK(model.weights.layers.size() == 2);
  CHECK(model.contradictions.empty());
  CHECK(model.tokenizer_file == folder / "one/vocab.txt");
}

TEST_CASE("a published config makes a published model, its norms as they begin") {
  const TemporaryFolder folder;
  const std::string sizes = R"("vocab_size": 4, "hidden_size": 6, "num_hidden_layers": 2,
      "num_attention_heads": 2, "embedding_size": 3, "intermediate_size": 5, "dim": 6,
      "n_layers": 2, "n_heads": 2, "max_position_embeddings": 9)";
  for (const std::string name :
       {"bert", "distilbert", "roberta", "electra", "albert", "mpnet", "deberta", "deberta-v2",
        "ernie", "data2vec-text", "roberta-prelayernorm", "rembert"}) {
    CAPTURE(name);
    const std::string config =
        folder.write(name + ".json", "{\"model_type\": \"" + name + "\", " + sizes + "}");
    init_model(config, folder / name, 7, false);
    const Model model = load_model(locate_model(folder / name, ""));
    CHECK(model.weights.classifier);
    CHECK(model.warnings.empty());
    CHECK(model.weights.layers.back().feed_forward->norm->gain[0] == 1.0F);
    CHECK(model.weights.layers.back().attention.norm->gain[0] == 1.0F);
    CHECK(model.weights.embeddings.norm->gain[0] == 1.0F);
  }
}

TEST_CASE("a model that stands there is kept unless force is given") {
  const TemporaryFolder folder;
  const std::string config = folder.write("toy.json", kConfig);
  folder.write("out/model.safetensors", "precious");
  const auto init = [&](bool force) {
    return error_of([&] { init_model(config, folder / "out", 7, force); });
  };
  CHECK(init(false) ==
        folder / "out/model.safetensors" + ": exists already; --force replaces the model");
  CHECK(content_of(folder / "out/model.safetensors") == "precious");
  CHECK(init(true).empty());
  CHECK(content_of(folder / "out/model.safetensors").size() > 100);
}

TEST_CASE("a folder with any file of a model is kept, and other files are no model") {
  const TemporaryFolder folder;
  const std::string config = folder.write("toy.json", kConfig);
  for (const std::string name : {"weights.json", "pytorch_model.bin", "tokenizer.json", "vocab.txt",
                                 "model-00001-of-00002.safetensors", "calibration.json"}) {
    INFO(name);
    const std::string directory = folder / ("with-" + name);
    const std::string path = folder.write("with-" + name + "/" + name, "precious");
    CHECK(error_of([&] {
            init_model(config, directory, 7, false);
          }).starts_with(path + ": exists already"));
    CHECK(content_of(path) == "precious");
    CHECK(content_of(directory + "/config.json").empty());
  }
  folder.write("notes/README.md", "notes");
  init_model(config, folder / "notes", 7, false);
  CHECK(content_of(folder / "notes/README.md") == "notes");
}

TEST_CASE("a bare config takes no vocabulary with it that belongs to others") {
  const TemporaryFolder folder;
  const std::string config = folder.write("toy.json", kConfig);
  folder.write("vocab.txt", "a\nb\nc\nd\n");
  init_model(config, folder / "out", 7, false);
  CHECK(content_of(folder / "out/vocab.txt").empty());
}

}  // namespace
}  // namespace headlight::init_test
