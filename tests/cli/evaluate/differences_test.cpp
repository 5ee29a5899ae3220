// What differs from the reference on purpose, a test a difference. The reference is transformers
// 5.23 with tokenizers 0.23.3 and safetensors 0.8.0. To print the list:
//   build/release/tests/cli_test --test-suite='differences*' --list-test-cases
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::differences_test {
namespace {

using Strings = std::vector<std::string>;

std::string published(const std::string& name) {
  return std::string(HEADLIGHT_TEST_DATA) + "/golden/published/" + name;
}

/// A published BERT of three labels and 24 positions, as it was saved.
Folder checkpoint() {
  Folder folder;
  for (const char* name : {"config.json", "model.safetensors", "vocab.txt"}) {
    folder[name] = content_of(published("bert-three-labels") + "/" + name);
  }
  return folder;
}

void edit_header(Folder& folder, const std::function<void(OrderedJson&)>& edit) {
  std::string& file = folder["model.safetensors"];
  OrderedJson header = OrderedJson::parse(header_of(file));
  edit(header);
  file = safetensors(header.dump(), data_of(file));
}

/// The checkpoint with a tokenizer.json that is used exactly as given.
Folder with_bpe(const std::string& fields) {
  Folder folder = checkpoint();
  folder["tokenizer.json"] = R"({"model": {"type": "BPE", "merges": [], )" + fields + "}}";
  folder["tokenizer_config.json"] = R"({"tokenizer_class": "PreTrainedTokenizerFast"})";
  return folder;
}

OrderedJson answer_of(const Folder& folder, Strings arguments) {
  const ToyPlace place;
  place.files().write_folder("m", folder);
  arguments.insert(arguments.end(), {"-m", "m", "--format", "json"});
  const OrderedJson answer = place.json(arguments);
  return answer.is_array() ? answer.at(0) : answer;
}

void check_refused(const Folder& folder, const std::string& reason) {
  const ToyPlace place;
  place.files().write_folder("m", folder);
  check_refusal(place.run({"classify", "-m", "m", "a b"}), 1, reason);
}

}  // namespace

TEST_SUITE_BEGIN("differences from the reference");

TEST_CASE("transformers draws a missing head at random; headlight refuses the checkpoint") {
  Folder folder = checkpoint();
  edit_header(folder, [](OrderedJson& header) {
    header["other.weight"] = header["classifier.weight"];
    header.erase("classifier.weight");
  });
  check_refused(folder, "model.safetensors|classifier.weight");
}

TEST_CASE("transformers leaves an adapter's tensors out; headlight refuses the checkpoint") {
  const std::string adapter = "bert.encoder.layer.0.attention.self.query.lora_A.weight";
  Folder folder = checkpoint();
  edit_header(folder, [&](OrderedJson& header) {
    const std::size_t end = data_of(folder["model.safetensors"]).size();
    header[adapter] = {{"dtype", "F32"}, {"shape", {0}}, {"data_offsets", {end, end}}};
  });
  check_refused(folder, "model.safetensors|" + adapter);
}

TEST_CASE("safetensors takes one of two tensors with one name; headlight refuses the file") {
  Folder folder = checkpoint();
  std::string& file = folder["model.safetensors"];
  std::string header = header_of(file);
  const OrderedJson bias = OrderedJson::parse(header)["classifier.bias"];
  header.insert(header.rfind('}'), ",\"classifier.bias\":" + bias.dump());
  file = safetensors(header, data_of(file));
  check_refused(folder, "model.safetensors|classifier.bias");
}

TEST_CASE("transformers computes with weights that are NaN; headlight refuses the checkpoint") {
  Folder folder = checkpoint();
  std::string& file = folder["model.safetensors"];
  const OrderedJson header = OrderedJson::parse(header_of(file));
  const auto begin = header["classifier.bias"]["data_offsets"][0].get<std::size_t>();
  const Tensor nan = float_tensor("", {1}, {std::numeric_limits<float>::quiet_NaN()});
  file = safetensors(header.dump(), data_of(file).replace(begin, nan.bytes.size(), nan.bytes));
  check_refused(folder, "model.safetensors|classifier.bias");
}

TEST_CASE("transformers takes num_labels over id2label; headlight takes id2label and reports it") {
  Folder folder = checkpoint();
  edit_config(folder, [](OrderedJson& config) { config["num_labels"] = 2; });
  const OrderedJson logits = answer_of(folder, {"classify", "a b"})["logits"];
  CHECK(logits.size() == 3);
  CHECK(logits.contains("maybe"));
  CHECK(answer_of(folder, {"inspect"})["contradictions"].size() == 1);
  CHECK(answer_of(checkpoint(), {"inspect"})["contradictions"].empty());
}

TEST_CASE("the pipeline of transformers scores all cross-encoders alike; headlight as they say") {
  Folder folder = checkpoint();
  CHECK(answer_of(folder, {"classify", "a b"}).contains("probabilities"));
  edit_config(folder, [](OrderedJson& config) {
    config["sentence_transformers"] = {{"activation_fn", "torch.nn.modules.linear.Identity"}};
  });
  CHECK_FALSE(answer_of(folder, {"classify", "a b"}).contains("probabilities"));
}

TEST_CASE("transformers takes any last label for entailment; headlight only one without a name") {
  const ToyPlace place;
  place.files().write_folder("m", checkpoint());
  check_refusal(place.run({"classify", "-m", "m", "--zero-shot", "a,b", "ab"}), 1,
                "m: has no label that begins with \"entail\"; its labels are no, maybe, yes");
}

TEST_CASE("gliclass gives a single label the probability 1 by softmax; headlight its sigmoid") {
  const ToyPlace place;
  const std::string model =
      std::string(HEADLIGHT_TEST_DATA) + "/golden/gliclass/deberta-text-first";
  const OrderedJson row =
      place.json({"classify", "-m", model, "--zero-shot", "a", "b", "--format", "jsonl"});
  CHECK(row["probability"] < 0.9);
}

TEST_CASE("gliclass takes <<LABEL>> in a text before the labels for a label; headlight for text") {
  const ToyPlace place;
  const std::string model =
      std::string(HEADLIGHT_TEST_DATA) + "/golden/gliclass/deberta-text-first";
  const auto logits = [&](const std::string& text) {
    return place.json({"classify", "-m", model, "--zero-shot", "a,b", text, "--format", "jsonl"});
  };
  // The reference scores the label token of the text in place of "a", and "a" in place of "b".
  CHECK(logits("b <<LABEL>> a")["logits"].size() == 2);
  CHECK(logits("b <<LABEL>> a")["logits"]["a"] != logits("b a")["logits"]["a"]);
}

TEST_CASE("transformers cuts no text unless asked; headlight cuts at the model's positions") {
  std::string text = "a";
  for (int i = 0; i < 29; ++i) text += " b";
  const OrderedJson answer = answer_of(checkpoint(), {"classify", text});
  CHECK(answer["tokens"] == 24);
  CHECK(answer["truncated"] == 8);
}

TEST_CASE("transformers rebuilds an unusual tokenizer.json; headlight uses it as it is") {
  Folder folder = checkpoint();
  folder["tokenizer.json"] = R"({
    "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                   "strip_accents": null, "lowercase": true},
    "pre_tokenizer": {"type": "WhitespaceSplit"},
    "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
    "model": {"type": "WordPiece", "unk_token": "[UNK]",
              "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4, "a": 5,
                        ",": 6, "a,": 7}}})";
  CHECK(answer_of(folder, {"tokenize", "a,"})["tokens"] == OrderedJson({"[CLS]", "a,", "[SEP]"}));
}

TEST_CASE("transformers gives no segments for PreTrainedTokenizerFast; headlight the template's") {
  const ToyPlace place;
  const OrderedJson answer = place.json(
      {"tokenize", "-m", published("albert-one-group"), "--pair", "b", "a", "--format", "json"});
  CHECK(answer[0]["tokens"] == OrderedJson({"[CLS]", "▁a", "[SEP]", "▁", "b", "[SEP]"}));
  CHECK(answer[0]["type_ids"] == OrderedJson({0, 0, 0, 1, 1, 1}));
}

TEST_CASE("tokenizers counts a prefix's bytes in the offsets; headlight stays inside the word") {
  const Folder folder = with_bpe(R"("continuing_subword_prefix": "_", "byte_fallback": true,
                                    "vocab": {"a": 0, "<0x62>": 1, "<0x5F>": 2})");
  const OrderedJson answer = answer_of(folder, {"tokenize", "ab"});
  CHECK(answer["tokens"] == OrderedJson({"a", "<0x5F>", "<0x62>"}));
  // The reference ends with [2, 3], past the end of the text.
  CHECK(answer["offsets"] == OrderedJson::parse("[[0, 1], [1, 2], [1, 2]]"));
}

TEST_CASE("tokenizers leaves merges out at random for dropout; headlight refuses dropout") {
  check_refused(with_bpe(R"("dropout": 0.5, "vocab": {"a": 0, "b": 1})"), "tokenizer.json|dropout");
}

TEST_SUITE_END();

}  // namespace headlight::differences_test
