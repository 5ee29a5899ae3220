// Models in the layouts of others, as far as this program reads them too. scripts/check exits
// compares them with transformers and sentence-transformers.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::export_test {
namespace {

const Arguments kTexts = {"a good plot", "bad", "a \u00e9 good movie"};

Arguments exported(const std::string& model, const std::string& layout, const std::string& to) {
  return {"export", "-m", model, "--layout", layout, "-o", to};
}

/// The vectors of kTexts, one after another.
std::vector<double> vectors(const ToyPlace& place, const std::string& model) {
  place.files().write("texts.txt", kTexts[0] + '\n' + kTexts[1] + '\n' + kTexts[2] + '\n');
  std::vector<double> all;
  const std::string out = place.output({"embed", "texts.txt", "-m", model, "--format", "jsonl"});
  for (const std::string& line : lines_of(out)) {
    const OrderedJson row = OrderedJson::parse(line);
    for (const OrderedJson& x : row["vector"]) all.push_back(x);
  }
  return all;
}

void check_close(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  REQUIRE_FALSE(found.empty());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - expected[i]) < 1e-4);
}

/// Makes a model with word pieces, and what BERT has, but for a change.
void make(const ToyPlace& place, const std::string& name, void (*change)(OrderedJson& config)) {
  OrderedJson config = OrderedJson::parse(place.files().read("toy/config.json"));
  use_word_pieces(config);
  config["position_embedding_type"] = "absolute";
  config["embedding_layer_norm"] = true;
  config["norm_order"] = "post";
  config["hidden_act"] = "gelu";
  config["layer_norm_form"] = "variance";
  config["pooling"] = "mean";
  change(config);
  place.files().write(name + ".json", config.dump());
  CHECK(place.run({"init", "./" + name + ".json", "-o", name, "--force"}).status == 0);
}

TEST_CASE("an exported encoder has the vectors of the model, a folded projection included") {
  const ToyPlace place;
  for (const char* layout : {"bert", "sentence-transformers"}) {
    INFO("layout: " << layout);
    const std::string folder = std::string("new-") + layout;
    CHECK(place.run(exported("encoder", layout, folder)).status == 0);
    check_close(vectors(place, "./" + folder), vectors(place, "encoder"));
    const auto settings = OrderedJson::parse(place.files().read(folder + "/tokenizer_config.json"));
    CHECK(settings["model_max_length"] == 256);
  }
}

TEST_CASE("an encoder of others becomes a native one, with the module that normalizes") {
  const ToyPlace place;
  CHECK(place.run(exported("encoder", "sentence-transformers", "others")).status == 0);
  auto modules = OrderedJson::parse(place.files().read("others/modules.json"));
  const auto add = [&](const std::string& type) {
    modules.push_back({{"idx", 2},
                       {"name", "2"},
                       {"path", "2_" + type},
                       {"type", "sentence_transformers.models." + type}});
    place.files().write("others/modules.json", modules.dump());
  };
  add("Normalize");
  CHECK(place.run(exported("./others", "headlight", "native")).status == 0);
  const auto config = OrderedJson::parse(place.files().read("native/config.json"));
  CHECK(config["model_type"] == "headlight");
  CHECK(config["normalize"] == true);
  check_close(vectors(place, "./native"), vectors(place, "./others"));
  CHECK(place.run(exported("sentiment", "headlight", "native-2")).err.find("is a classifier") !=
        std::string::npos);
}

TEST_CASE("the vectors of an exported classifier are its logits, divided by the temperature") {
  const ToyPlace place;
  for (const std::string model : {"sentiment", "intent"}) {
    const std::string folder = "new-" + model;
    CHECK(place.run(exported(model, "sentence-transformers", folder)).status == 0);
    const double temperature =
        place.json({"inspect", "-m", model, "--format", "json"})["calibration"]["temperature"];
    std::vector<double> expected;
    const auto rows = place.json(with({"classify", "--format", "json", "-m", model}, kTexts));
    for (const OrderedJson& row : rows) {
      for (const OrderedJson& logit : row["logits"]) {
        expected.push_back(logit.get<double>() / temperature);
      }
    }
    check_close(vectors(place, "./" + folder), expected);
    const auto config = OrderedJson::parse(place.files().read(folder + "/config.json"));
    CHECK(!config.contains("id2label"));  // of a head that this class lacks
  }
}

TEST_CASE("what a layout lacks is refused with the field, and an existing folder") {
  const ToyPlace place;
  make(place, "good", [](OrderedJson&) {});
  const struct {
    const char* layout;
    void (*change)(OrderedJson& config);
    const char* said;
  } rows[] = {
      {"bert", [](OrderedJson&) {}, "pooling \"mean\" has no counterpart in the layout bert"},
      {"sentence-transformers", [](OrderedJson& c) { c["norm_order"] = "pre"; }, "norm_order"},
      {"sentence-transformers", [](OrderedJson& c) { c["pooling"] = "last"; }, "pooling \"last\""},
      {"sentence-transformers", [](OrderedJson& c) { c["embedding_layer_norm"] = false; },
       "embedding_layer_norm other than true"},
      {"sentence-transformers", [](OrderedJson& c) { c["position_embedding_type"] = "sinusoidal"; },
       "position_embedding_type \"sinusoidal\""},
      {"sentence-transformers", [](OrderedJson& c) { c["head_dense_act"] = "tanh"; },
       "head_dense_act \"tanh\""},
  };
  for (const auto& [layout, change, said] : rows) {
    INFO("found: " << said);
    make(place, "other", change);
    check_refusal(place.run(exported("./other", layout, "new")), 1,
                  std::string("other/config.json: |") + said);
    CHECK_FALSE(place.files().has("new"));
  }
  place.files().write("new.partial/1_Pooling/config.json", "{");  // of a killed run
  const Arguments again = exported("./good", "sentence-transformers", "new");
  CHECK(place.run(again).status == 0);
  check_refusal(place.run(again), 1, "new: exists already");
  CHECK(place.run(with(again, {"--force"})).status == 0);
}

}  // namespace
}  // namespace headlight::export_test
