// Replays tests/golden/adapters: LoRA adapters, and the logits of their merged models.
// scripts/make adapter_fixtures makes it.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "classifier/small_models.h"
#include "close_to.h"

namespace headlight::adapter_test {
namespace {

namespace fs = std::filesystem;

const fs::path kGolden = fs::path(HEADLIGHT_TEST_DATA) / "golden";

TEST_CASE("an adapter has the logits of its merged model") {
  std::size_t folders = 0;
  for (const auto& entry : fs::directory_iterator(kGolden / "adapters")) {
    CAPTURE(entry.path().filename());
    ++folders;
    const Model model = load_model(locate_model(entry.path().string(), ""));
    CHECK(model.warnings.empty());
    ClassifierOptions options;
    options.ids = true;
    const Classifier classifier(model, options);
    const Json expected = read_json_file((entry.path() / "expected.json").string());
    for (const Json& text : expected["texts"]) {
      std::string ids;
      std::string types;
      for (const Json& id : text["ids"]) {
        ids += std::to_string(id.get<int>()) + " ";
        types += "0 ";
      }
      ScoringScratch scratch;
      const TextInput input = typed_ids(ids, types);
      const auto predictions = classifier.classify({&input, 1}, scratch);
      CHECK(close_to(predictions[0].logits, text["logits"].get<std::vector<double>>(),
                     {.absolute = 2e-5, .relative = 2e-5}));
    }
  }
  CHECK(folders == 4);
}

TEST_CASE("labels are the base's, or numbers if the adapter's head has another number of them") {
  const auto labels_of = [](const char* name) {
    return load_model(locate_model((kGolden / "adapters" / name).string(), "")).description.labels;
  };
  CHECK(labels_of("bert-query-value") == std::vector<std::string>{"no", "maybe", "yes"});
  CHECK(labels_of("bert-encoder-rank-stabilized") ==
        std::vector<std::string>{"LABEL_0", "LABEL_1", "LABEL_2", "LABEL_3"});
}

TEST_CASE("adapters that change more than W + B A are refused by name") {
  const TemporaryFolder folder;
  struct Row {
    const char* field;
    Json value;
    std::string reason;
  };
  const std::vector<Row> rows = {
      {"use_dora", true, "use_dora true is not supported: expected false"},
      {"peft_type", "IA3", "peft_type \"IA3\" is not supported, expected LORA"},
      {"alpha_pattern", {{"query", 4}}, "alpha_pattern is not supported in an adapter"},
      {"base_model_name_or_path", "no/such",
       "base_model_name_or_path: no folder \"no/such\", neither from here nor beside the adapter "
       "nor "
       "in the cache of the Hugging Face Hub; "
       "put the path of the base model's folder there"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.field);
    const fs::path made = folder / row.field;
    fs::copy(kGolden / "adapters/bert-query-value", made);
    Json config = read_json_file((made / "adapter_config.json").string());
    config["base_model_name_or_path"] = (kGolden / "published/bert-three-labels").string();
    config[row.field] = row.value;
    const std::string path =
        folder.write(std::string(row.field) + "/adapter_config.json", config.dump());
    CHECK(error_of([&] { load_model(locate_model(made.string(), "")); }) ==
          path + ": " + row.reason);
  }
}

}  // namespace
}  // namespace headlight::adapter_test
