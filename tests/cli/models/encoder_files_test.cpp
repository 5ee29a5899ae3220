// Checkpoints of rotary encoders whose tensors have other names than the fixtures, or values that
// change the result.
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::encoder_files_test {
namespace {

std::string published(const std::string& name) {
  return std::string(HEADLIGHT_TEST_DATA) + "/golden/published/" + name;
}

/// Writes the fixture `name` to "m", its tensors renamed, and returns what `classify` does.
Outcome classify_renamed(const ToyPlace& place, const std::string& name,
                         const std::function<std::string(std::string)>& rename,
                         const std::string& extra = "") {
  const std::string from = published(name);
  place.files().write_folder("m", {{"config.json", content_of(from + "/config.json")}});
  const std::string whole = content_of(from + "/model.safetensors");
  const auto header = OrderedJson::parse(header_of(whole));
  std::string data = data_of(whole);
  OrderedJson renamed;
  for (const auto& item : header.items()) renamed[rename(item.key())] = item.value();
  if (!extra.empty()) {
    renamed[extra] = {
        {"dtype", "U8"}, {"shape", {1}}, {"data_offsets", {data.size(), data.size() + 1}}};
    data += "x";
  }
  place.files().write("m/model.safetensors", safetensors(renamed.dump(), data));
  return place.run({"classify", "-m", "m", "--ids", "7 8 9", "--format", "json"});
}

std::string same(std::string name) { return name; }

std::string replaced(std::string name, const std::string& part, const std::string& by) {
  const std::size_t at = name.find(part);
  if (at != std::string::npos) name.replace(at, part.size(), by);
  return name;
}

TEST_CASE("NomicBERT's older files begin with bert, and files of only the encoder with nothing") {
  const ToyPlace place;
  const Outcome plain = classify_renamed(place, "nomic-bert-three-labels", same);
  CHECK(plain.status == 0);
  for (const std::string prefix : {"bert.", ""}) {
    const Outcome found = classify_renamed(place, "nomic-bert-three-labels", [&](std::string name) {
      return replaced(std::move(name), "nomic_bert.", prefix);
    });
    CHECK(found.err == "");
    CHECK(found.out == plain.out);
  }
}

TEST_CASE("adapters inside the layers of either layout are refused") {
  const ToyPlace place;
  struct Row {
    const char* model;
    const char* tensor;
  };
  for (const Row& row : std::vector<Row>{
           {"nomic-bert-three-labels", "nomic_bert.encoder.layers.1.attn.Wqkv.lora_A.weight"},
           {"gte-classes-bf16", "gte.layers.0.self_attn.q_proj.lora_A.weight"},
           {"eurobert-late", "model.layers.0.mlp.up_proj.lora_A.weight"},
           {"roformer-narrow", "roformer.encoder.layer.0.attention.self.query.lora_A.weight"},
           {"ernie-three-labels", "ernie.encoder.layer.0.attention.self.query.lora_A.weight"}}) {
    check_refusal(classify_renamed(place, row.model, same, row.tensor), 1,
                  std::string(row.tensor) + ": unknown tensor inside a layer|adapters");
  }
}

TEST_CASE("Jina's file with the adapters of its tasks is refused, with what to use instead") {
  const ToyPlace place;
  const auto rename = [](std::string name) {
    return replaced(std::move(name), "Wqkv.weight", "Wqkv.parametrizations.weight.original");
  };
  check_refusal(classify_renamed(place, "jina-embeddings-v3-three-labels", rename), 1,
                "roberta.encoder.layers.0.mixer.Wqkv.parametrizations.weight.original: has "
                "adapters of tasks|converted for transformers");
}

TEST_CASE("a missing tensor has its name in the layout of the file") {
  const ToyPlace place;
  const auto without = [](const std::string& part) {
    return [part](std::string name) { return replaced(std::move(name), part, "gone"); };
  };
  check_refusal(classify_renamed(place, "gte-three-labels", without("1.attention.qkv_proj.weight")),
                1,
                "gte.encoder.layer.1.attention.qkv_proj.weight: missing, expected shape [24, 8]");
  check_refusal(classify_renamed(place, "gte-classes-bf16", without("1.self_attn.k_proj.weight")),
                1, "gte.layers.1.self_attn.k_proj.weight: missing, expected shape [12, 12]");
  check_refusal(classify_renamed(place, "nomic-bert-three-labels", without("pooler.dense.bias")), 1,
                "nomic_bert.pooler.dense.bias: missing");
}

TEST_CASE("RoFormer's table of positions must be the sines and cosines that are computed") {
  const ToyPlace place;
  const Outcome plain = classify_renamed(place, "roformer-narrow", same);
  CHECK(plain.status == 0);
  CHECK(plain.err == "");
  const std::string table = "roformer.encoder.embed_positions.weight";
  std::string whole = place.files().read("m/model.safetensors");
  const auto header = OrderedJson::parse(header_of(whole));
  const auto begin = header[table]["data_offsets"][0].get<std::size_t>();
  const std::size_t first = whole.size() - data_of(whole).size() + begin;
  whole.replace(first + 4 * 6, 4, "\x00\x00\x80\x40", 4);  // the first number of row 1
  place.files().write("m/model.safetensors", whole);
  check_refusal(place.run({"classify", "-m", "m", "--ids", "7 8 9"}), 1,
                table + ": row 1 is not the sines and cosines");
}

TEST_CASE("RoFormer's own tokenizer is refused, since it splits words with jieba") {
  const ToyPlace place;
  const std::string from = published("gte-three-labels");
  place.files().write_folder(
      "m", {{"config.json", content_of(published("roformer-narrow") + "/config.json")},
            {"tokenizer.json", content_of(from + "/tokenizer.json")}});
  place.files().write("m/model.safetensors",
                      content_of(published("roformer-narrow") + "/model.safetensors"));
  check_refusal(place.run({"classify", "-m", "m", "a"}), 1,
                "tokenizer_class RoFormerTokenizer is not supported|jieba");
}

}  // namespace
}  // namespace headlight::encoder_files_test
