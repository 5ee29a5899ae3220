#include "training/whole/fresh_model.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "classifier/text_reader.h"
#include "training/whole/trainer.h"

namespace headlight::fresh_model_test {
namespace {

const std::string kFields = R"("model_type": "headlight", "hidden_size": 4,
    "num_hidden_layers": 1, "num_attention_heads": 1)";

std::vector<const TextInput*> pointers(const std::vector<TextInput>& inputs) {
  std::vector<const TextInput*> all;
  for (const TextInput& input : inputs) all.push_back(&input);
  return all;
}

TEST_CASE("a config without words gets those of the rows, and their labels") {
  const TemporaryFolder folder;
  const std::string config =
      folder.write("bare.json", "{" + kFields + R"(, "vocab_size": 4, "id2label": ["x", "y"],
          "tokenizer": {"type": "words", "lowercase": true}})");
  FreshModel fresh(locate_model(config, ""), {});
  REQUIRE(fresh.needs_words());
  const std::vector<TextInput> inputs = {{"A b a!", {}, {}}, {"b! once", "a c c", {}}};
  fresh.learn_words(pointers(inputs));
  CHECK(!fresh.needs_words());
  fresh.set_labels({{"no", "maybe", "yes"}, ProblemType::multi_label});
  const Parameters parameters = random_start(fresh.model().description, 3);
  CHECK(fresh.vocabulary_file() == "[UNK]\na\n!\nb\n");

  folder.write("made/config.json", fresh.config());
  folder.write("made/vocab.txt", fresh.vocabulary_file());
  std::vector<NamedTensor> tensors;
  for (const ParameterTensor& tensor : parameters.tensors()) {
    tensors.push_back(
        {tensor.name, tensor.shape, parameters.values().subspan(tensor.offset, tensor.size)});
  }
  folder.write("made/model.safetensors", make_safetensors(tensors));
  const Model made = load_model(locate_model(folder / "made", ""));
  CHECK(made.description.labels == std::vector<std::string>{"no", "maybe", "yes"});
  CHECK(made.description.problem_type == ProblemType::multi_label);
  CHECK(made.description.vocab_size == 4);
  CHECK(TextReader(made, {}).read(inputs[0]).windows[0].ids ==
        TextReader(fresh.model(), {}).read(inputs[0]).windows[0].ids);
}

TEST_CASE("a config with words keeps them") {
  const TemporaryFolder folder;
  const std::string config = folder.write("bare.json", "{" + kFields + R"(, "vocab_size": 2,
      "tokenizer": {"type": "words", "vocabulary": ["[UNK]", "a"]}})");
  CHECK(!FreshModel(locate_model(config, ""), {}).needs_words());
  CHECK(error_of([&] { FreshModel(locate_model(config, ""), 10); }) ==
        config +
            ": has the words of the model, so none are learned; leave out --vocabulary-size, or "
            "remove the words");
}

TEST_CASE("word pieces are learned up to the given number") {
  const TemporaryFolder folder;
  const std::string config = folder.write("bare.json", "{" + kFields + R"(, "vocab_size": 30000})");
  FreshModel fresh(locate_model(config, ""), 14);
  const std::vector<TextInput> inputs = {{"abc abc abd", {}, {}}};
  fresh.learn_words(pointers(inputs));
  CHECK(fresh.model().description.vocab_size == 14);
  CHECK(fresh.vocabulary_file() ==
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\nc\nd\n##b\n##c\n##d\nab\nabc\n");
}

TEST_CASE("what would be read differently from the written files is refused before the training") {
  const TemporaryFolder folder;
  struct Row {
    std::string fields, expected;
  };
  const Row rows[] = {
      {R"("tokenizer": {"class": "BertTokenizer"})",
       R"(tokenizer.class is "BertTokenizer", whose words cannot be learned; expected )"
       "tokenizer.type"},
      {R"("tokenizer": {"class": "none", "lowercase": true})", R"(tokenizer.class is "none")"},
      {R"("tokenizer": {"cls_token": "[C\nLS]"})", R"(the token "[C\nLS]")"},
      {R"("tokenizer": {"type": "words", "unk_token": "? "})", R"(the token "? ")"},
      {R"("pad_token_id": 40)", ""},
      {R"("pooling": "none")", "pooling is none, but rows have labels of whole texts"},
      {R"("tokenizer": {"strip_accents": null, "remove_punctuation": true})", ""},
  };
  const std::vector<TextInput> inputs = {{"abc abc abd", {}, {}}};
  for (const Row& row : rows) {
    const std::string config =
        folder.write("bare.json", "{" + kFields + R"(, "vocab_size": 50, )" + row.fields + "}");
    const std::string error =
        error_of([&] { FreshModel(locate_model(config, ""), {}).learn_words(pointers(inputs)); });
    CAPTURE(error);
    CHECK(error.empty() == row.expected.empty());
    CHECK(error.starts_with(row.expected.empty() ? "" : config + ": " + row.expected));
  }
}

TEST_CASE("padding is the [PAD] of the learned words, whatever number the config names") {
  const TemporaryFolder folder;
  const std::vector<TextInput> inputs = {{"a b a b a b", {}, {}}};
  for (const std::string number : {"0", "2", "5", "49"}) {
    const std::string config =
        folder.write("bare.json", "{" + kFields + R"(, "vocab_size": 50, "pad_to_length": 4,
            "tokenizer": {"type": "words"}, "pad_token_id": )" +
                                      number + "}");
    FreshModel fresh(locate_model(config, ""), {});
    fresh.learn_words(pointers(inputs));
    const TokenId pad = *fresh.model().tokenizer->id("[PAD]");
    CHECK(fresh.model().description.pad_token_id == pad);
    CHECK(Json::parse(fresh.config())["pad_token_id"] == pad);
  }
}

TEST_CASE("a published config without weights is refused") {
  const TemporaryFolder folder;
  const std::string config = folder.write("config.json", R"({"model_type": "bert"})");
  CHECK(error_of([&] { FreshModel(locate_model(config, ""), {}); }).find("native model") !=
        std::string::npos);
}

}  // namespace
}  // namespace headlight::fresh_model_test
