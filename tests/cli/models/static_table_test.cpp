// Tables of vectors without layers, as model2vec and sentence-transformers write them. Their
// vectors are compared with the references' in embed_test.cpp and by scripts/check folders.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::static_table_test {
namespace {

namespace fs = std::filesystem;

const std::string kSentences = std::string(HEADLIGHT_TEST_DATA) + "/golden/sentences/";

Tensor int64_tensor(const std::string& name, const std::vector<std::int64_t>& values) {
  std::string bytes(values.size() * sizeof(std::int64_t), '\0');
  std::copy_n(reinterpret_cast<const char*>(values.data()), bytes.size(), bytes.data());
  return {name, "I64", {values.size()}, bytes};
}

/// Three words in two rows, "good" with the weight 2.
std::vector<Tensor> tensors() {
  return {float_tensor("embeddings", {2, 2}, {1, 2, -3, 4}), int64_tensor("mapping", {1, 0, 0}),
          float_tensor("weights", {3}, {1, 2, 1})};
}

void write_table(const ToyPlace& place, const std::vector<Tensor>& of,
                 const std::string& config = R"({"normalize": false})") {
  place.files().write_folder(
      "m", {{"config.json", config},
            {"model.safetensors", safetensors(of)},
            {"tokenizer.json",
             R"({"pre_tokenizer": {"type": "Whitespace"}, "model": {"type": "WordLevel",
                 "unk_token": "?", "vocab": {"?": 0, "good": 1, "bad": 2}}})"}});
}

std::string vectors(const ToyPlace& place, const std::string& rows) {
  place.files().write("rows.jsonl", rows);
  std::string all;
  for (const std::string& line :
       lines_of(place.output({"embed", "rows.jsonl", "-m", "m", "--format", "jsonl", "--quiet"}))) {
    all += OrderedJson::parse(line)["vector"].dump();
  }
  return all;
}

TEST_CASE("tokens share rows, unknown ones are left out, and nothing to read is 0") {
  const ToyPlace place;
  write_table(place, tensors());
  const std::string rows = R"({"text": "good bad ever"})"
                           "\n"
                           R"({"text": "ever"})"
                           "\n";
  CHECK(vectors(place, rows) == "[1.5,3][0,0]");
  write_table(place, tensors(), R"({"max_length": 2})");  // cut before "ever" is left out
  CHECK(place.run({"embed", "rows.jsonl", "-m", "m"}).status != 0);  // not known by its config
  write_table(place, tensors(), R"({"normalize": true, "max_length": 2})");
  CHECK(vectors(place, "{\"text\": \"bad ever good\"}\n") ==
        vectors(place, "{\"text\": \"bad\"}\n"));
}

TEST_CASE("a broken table is refused with the tensor, what was found and what was expected") {
  const ToyPlace place;
  const auto with = [](std::size_t place_of, Tensor tensor) {
    std::vector<Tensor> changed = tensors();
    changed[place_of] = std::move(tensor);
    return changed;
  };
  const struct {
    std::vector<Tensor> tensors;
    const char* said;
  } rows[] = {
      {with(1, int64_tensor("mapping", {1, 2, 0})),
       "tensor mapping: found 2 at element 1, expected a row of embeddings, below 2"},
      {with(1, int64_tensor("mapping", {1, -1, 0})), "tensor mapping: found -1 at element 1"},
      {with(1, float_tensor("mapping", {3}, {0, 0, 0})),
       "tensor mapping: found F32 [3], expected a vector of I64"},
      {{{"embeddings", "I8", {1, 2}, "ab"}, int64_tensor("mapping", {})},
       "tensor mapping: found I64 [0], expected a vector of I64"},
      {with(2, float_tensor("weights", {2}, {1, 2})),
       "tensor weights: found F32 [2], expected [3], one for each token"},
      {with(0, float_tensor("embeddings", {4}, {1, 2, 3, 4})),
       "tensor embeddings: found F32 [4], expected a matrix with a row for each token"},
      {with(0, float_tensor("other", {2, 2}, {1, 2, 3, 4})), "tensor embedding.weight: missing"},
  };
  for (const auto& [changed, said] : rows) {
    INFO("found: " << said);
    write_table(place, changed);
    check_refusal(place.run({"embed", "rows.txt", "-m", "m", "--format", "jsonl"}), 1,
                  std::string("m/model.safetensors: |") + said);
  }
}

TEST_CASE("fit starts from a table, and export writes it as one again") {
  const ToyPlace place;
  for (const char* name : {"static-shared-int8", "static-embedding"}) {
    INFO("folder: " << name);
    fs::remove_all(place.files() / "m");
    fs::remove_all(place.files() / "made");
    place.files().write("train.csv",
                        "text,label\na b,x\nb b,x\na a,x\nab,y\n\"ab ,\",y\nab ab,y\n");
    CHECK(place
              .run({"fit", "train.csv", "-m", kSentences + name, "--train", "head", "--dev-share",
                    "0", "-o", "made"})
              .status == 0);
    CHECK(place.run({"export", "-m", "./made", "--layout", "static", "-o", "m"}).status == 0);
    place.files().write("texts.txt", "a b ab\nzzz\nab ab , a\n");
    const Arguments predict = {"batch", "texts.txt", "--logits", "--format", "jsonl", "-m", "made"};
    const auto rows = lines_of(place.run(predict).out);
    REQUIRE(rows.size() == 3);
    const std::string logits = vectors(place, "{\"text\": \"a b ab\"}\n");  // of the dense layer
    const double divisor = place.json({"inspect", "-m", "made", "--format", "json"})
                               .value("/calibration/temperature"_json_pointer, 1.0);
    const auto first = OrderedJson::parse(rows[0])["logits"];
    const auto exported = OrderedJson::parse(logits);
    CHECK(exported[0].get<double>() ==
          doctest::Approx(first["x"].get<double>() / divisor).epsilon(1e-4));
  }
}

}  // namespace
}  // namespace headlight::static_table_test
