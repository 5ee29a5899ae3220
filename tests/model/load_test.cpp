// What a directory's files say about each other.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "model/model.h"

namespace headlight::load_test {
namespace {

const std::string kBegin = R"({"model_type": "headlight", "vocab_size": 3, "hidden_size": 1,
    "num_hidden_layers": 0, "num_attention_heads": 1, "classifier_bias": false)";
const std::string kWeights = R"({"tensors": {"embeddings.token.weight": [[1], [2], [3]],
    "classifier.weight": [[1], [2]]}})";

Model load(const TemporaryFolder& folder, const std::string& fields) {
  folder.write("m/config.json", kBegin + fields + "}");
  if (content_of(folder / "m/weights.json").empty()) folder.write("m/weights.json", kWeights);
  return load_model(locate_model(folder / "m", ""));
}

using Strings = std::vector<std::string>;

TEST_CASE("labels are the config's, or are counted by the classifier's rows") {
  const TemporaryFolder folder;
  CHECK(load(folder, "").description.labels == Strings{"LABEL_0", "LABEL_1"});
  CHECK(load(folder, R"(, "id2label": ["no", "yes"])").description.labels == Strings{"no", "yes"});
  CHECK(error_of([&] { load(folder, R"(, "id2label": ["no"])"); }) ==
        folder / "m/config.json" +
            ": id2label has 1 labels, but tensor classifier.weight has 2 rows");
}

TEST_CASE("tokenizer.json wins over vocab.txt, which wins over the config's words") {
  const TemporaryFolder folder;
  const std::string field =
      R"(, "tokenizer": {"type": "whitespace", "vocabulary": ["a", "b", "c"], "unk_token": null})";
  CHECK_FALSE(load(folder, "").tokenizer);

  const Model words = load(folder, field);
  CHECK(words.tokenizer_file == folder / "m/config.json");
  CHECK(words.tokenizer->id("c") == 2);
  CHECK(words.contradictions.empty());

  folder.write("m/vocab.txt", "x\ny\nz\n");
  const Model lines = load(folder, field);
  CHECK(lines.tokenizer_file == folder / "m/vocab.txt");
  CHECK(lines.tokenizer->id("z") == 2);
  CHECK(lines.contradictions == Strings{"vocab.txt is used; the different "
                                        "tokenizer.vocabulary of config.json is ignored"});

  folder.write("m/tokenizer.json", R"({"version": "1.0", "added_tokens": [], "normalizer": null,
      "pre_tokenizer": null, "post_processor": null,
      "model": {"type": "WordLevel", "vocab": {"q": 0, "r": 1}, "unk_token": "q"}})");
  const Model json = load(folder, field);
  CHECK(json.tokenizer_file == folder / "m/tokenizer.json");
  CHECK(json.tokenizer->id("r") == 1);
  CHECK(json.contradictions == Strings{"tokenizer.json is used; the tokenizer field of "
                                       "config.json is ignored",
                                       "the vocabulary has 2 words, but vocab_size is 3"});
}

TEST_CASE("more words than rows of the embedding are refused") {
  const TemporaryFolder folder;
  const std::string field =
      R"(, "tokenizer": {"type": "whitespace", "vocabulary": ["a", "b", "c", "d"]})";
  CHECK(error_of([&] { load(folder, field); }) ==
        folder / "m/config.json" + ": has 4 words, but vocab_size is 3");
}

TEST_CASE("what is missing is named") {
  const TemporaryFolder folder;
  folder.write("m/weights.json", R"({"tensors": {"embeddings.token.weight": [[1], [2], [3]]}})");
  CHECK(load(folder, "").description.labels.empty());  // an encoder alone
  CHECK(error_of([&] { load(folder, R"(, "id2label": ["no", "yes"])"); }) ==
        folder / "m/weights.json" + ": tensor classifier.weight: missing, expected shape [2, 1]");
  folder.write("m/weights.json", R"({"tensors": {"classifier.weight": [[1], [2]]}})");
  CHECK(error_of([&] { load(folder, ""); }) ==
        folder / "m/weights.json" +
            ": tensor embeddings.token.weight: missing, expected shape [3, 1]");
  std::filesystem::remove(folder / "m/weights.json");
  CHECK(error_of([&] { load_model(locate_model(folder / "m", "")); }) ==
        folder / "m" +
            ": has no weights: no model.safetensors, model.safetensors.index.json or "
            "weights.json");
  const std::string bare = folder.write("toy.json", kBegin + "}");
  CHECK(error_of([&] { load_model(locate_model(bare, "")); }) ==
        bare + ": has no weights beside it: no " + folder / "toy.safetensors" + " or " +
            folder / "toy.weights.json" + "; --weights names a file, `headlight init " + bare +
            " -o DIR` creates random ones");
}

TEST_CASE("all tensors that are missing are named at once") {
  const TemporaryFolder folder;
  folder.write("m/weights.json", R"({"tensors": {"extra": [1]}})");
  CHECK(error_of([&] { load(folder, R"(, "id2label": ["no", "yes"])"); }) ==
        folder / "m/weights.json" +
            ": tensor embeddings.token.weight: missing, expected shape [3, 1]; also missing: "
            "classifier.weight [2, 1]");
}

TEST_CASE("linear layers of weights.json may be transposed") {
  const TemporaryFolder folder;
  const std::string labels = R"(, "id2label": ["no", "yes"])";
  const std::string tensors =
      R"({"tensors": {"embeddings.token.weight": [[1], [2], [3]], "classifier.weight": [[4, 5]]})";
  folder.write("m/weights.json", tensors + R"(, "transposed": true})");
  const Model model = load(folder, labels);
  std::vector<float> row(1);
  model.weights.classifier->weight.read(1, row);
  CHECK(row[0] == 5.0F);
  model.weights.embeddings.token.read(2, row);  // a table stays as it is
  CHECK(row[0] == 3.0F);
}

TEST_CASE("a model_type that is not ours is refused by its name") {
  const TemporaryFolder folder;
  const std::string config = folder.write("c.json", R"({"model_type": "bloom"})");
  CHECK(error_of([&] {
          load_model(locate_model(config, ""));
        }).starts_with(config + ": model_type: \"bloom\" is not supported, expected "));
}

}  // namespace
}  // namespace headlight::load_test
