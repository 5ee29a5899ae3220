// Fewer layers and fewer pieces: what is left computes the same, and is written and read again.
#include "training/cuts/start_cut.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "classifier/text_reader.h"
#include "model/locate.h"

namespace headlight::start_cut_test {
namespace {

namespace fs = std::filesystem;

const fs::path kPublished = fs::path(HEADLIGHT_TEST_DATA) / "golden" / "published";

Model model_in(const std::string& folder) { return load_model(locate_model(folder, "")); }

/// BERT with [PAD] [UNK] [CLS] [SEP] [MASK], 10 Latin characters such as ##b, a Chinese one, and
/// words.
Model bert() { return model_in((kPublished / "bert-three-labels").string()); }

constexpr std::size_t kRequired = 15;
constexpr std::size_t kTokens = 50;
/// Room for the four words of rows() and the token of pad_token_id.
constexpr std::size_t kSmall = kRequired + 5;

std::vector<TextInput> texts_of(const std::vector<std::string>& texts) {
  std::vector<TextInput> inputs;
  for (const std::string& text : texts) inputs.push_back({text, {}, {}});
  return inputs;
}

std::vector<const TextInput*> pointers(const std::vector<TextInput>& inputs) {
  std::vector<const TextInput*> all;
  for (const TextInput& input : inputs) all.push_back(&input);
  return all;
}

/// filler7 occurs three times, filler3 twice, sep and filler20 once.
std::vector<TextInput> rows() {
  return texts_of({"filler7 filler7 filler3 a", "filler3 filler7 sep", "filler20"});
}

std::vector<float> logits_of(const Model& model, const std::string& text) {
  ScoringScratch scratch;
  return Classifier(model, {}).classify(texts_of({text}), scratch).front().logits;
}

std::vector<std::string> tokens_of(const Model& model, const std::string& text) {
  return model.tokenizer->encode(text, {}, {}).tokens;
}

/// The same model with a tokenizer.json, in which the ids are in the opposite order.
void write_backwards(const TemporaryFolder& files) {
  const fs::path source = kPublished / "bert-three-labels";
  fs::create_directory(files / "backwards");
  for (const char* name : {"config.json", "model.safetensors"}) {
    fs::copy_file(source / name, files / ("backwards/" + std::string(name)));
  }
  nlohmann::json vocabulary;
  nlohmann::json added = nlohmann::json::array();
  nlohmann::json decoder;
  std::ifstream lines(source / "vocab.txt");
  std::size_t id = kTokens;
  for (std::string word; std::getline(lines, word);) {
    vocabulary[word] = --id;
    if (!word.starts_with('[') || word.size() < 2) continue;
    added.push_back({{"id", id},
                     {"content", word},
                     {"single_word", false},
                     {"lstrip", false},
                     {"rstrip", false},
                     {"normalized", false},
                     {"special", true}});
    decoder[std::to_string(id)] = {{"content", word}, {"special", true}};
  }
  const auto special = [&](const std::string& word) {
    return nlohmann::json{
        {"id", word}, {"ids", {vocabulary[word]}}, {"tokens", nlohmann::json::array({word})}};
  };
  const auto token = [](const std::string& word) {
    return nlohmann::json{{"SpecialToken", {{"id", word}, {"type_id", 0}}}};
  };
  const auto sequence = [](const std::string& name) {
    return nlohmann::json{{"Sequence", {{"id", name}, {"type_id", 0}}}};
  };
  const nlohmann::json tokenizer = {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", {{"pad_id", vocabulary["[PAD]"]}, {"pad_token", "[PAD]"}}},
      {"added_tokens", added},
      {"normalizer",
       {{"type", "BertNormalizer"},
        {"clean_text", true},
        {"handle_chinese_chars", true},
        {"strip_accents", nullptr},
        {"lowercase", true}}},
      {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
      {"post_processor",
       {{"type", "TemplateProcessing"},
        {"single", {token("[CLS]"), sequence("A"), token("[SEP]")}},
        {"pair", {token("[CLS]"), sequence("A"), token("[SEP]"), sequence("B"), token("[SEP]")}},
        {"special_tokens", {{"[CLS]", special("[CLS]")}, {"[SEP]", special("[SEP]")}}}}},
      {"decoder", nullptr},
      {"model",
       {{"type", "WordPiece"},
        {"unk_token", "[UNK]"},
        {"continuing_subword_prefix", "##"},
        {"max_input_chars_per_word", 100},
        {"vocab", vocabulary}}}};
  files.write("backwards/tokenizer.json", tokenizer.dump());
  files.write("backwards/tokenizer_config.json",
              nlohmann::json{{"tokenizer_class", "BertTokenizer"},
                             {"model_max_length", 5000},
                             {"added_tokens_decoder", decoder}}
                  .dump());
}

TEST_CASE("the commonest pieces are chosen, besides special tokens and single characters") {
  const Model model = bert();
  const std::vector<TextInput> inputs = rows();
  const PieceChoice choice = choose_pieces(*model.tokenizer, pointers(inputs), kRequired + 3, {});
  CHECK(choice.required == kRequired);
  CHECK(std::ranges::is_sorted(choice.kept));
  std::vector<std::string> words;
  for (const TokenId id : choice.kept) {
    if (std::string word = *model.tokenizer->token(id); word.size() > 3) words.push_back(word);
  }
  CHECK(words == std::vector<std::string>{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "filler3",
                                          "filler7"});
  // Before filler20: its id is lower.
  CHECK(model.tokenizer->token(choice.kept[kRequired]) == "sep");
  CHECK(choice.share == doctest::Approx(7.0 / 8.0));

  const PieceChoice small = choose_pieces(*model.tokenizer, pointers(inputs), 3, {30});
  CHECK(small.required == kRequired + 1);
  CHECK(std::ranges::count(small.kept, 30) == 1);
}

TEST_CASE("single characters are kept if they are Latin or in the texts") {
  const TemporaryFolder files;
  const fs::path source = kPublished / "bert-three-labels";
  fs::create_directory(files / "letters");
  for (const char* name : {"config.json", "model.safetensors"}) {
    fs::copy_file(source / name, files / ("letters/" + std::string(name)));
  }
  std::ifstream lines(source / "vocab.txt");
  std::string vocabulary;
  for (std::string word; std::getline(lines, word);) {
    if (word == "filler20") word = "漢";
    if (word == "filler22") word = "##ø";
    if (word == "filler23") word = "дом";
    if (word == "filler24") word = "д";
    if (word == "filler25") word = "##я";
    vocabulary += word + '\n';
  }
  files.write("letters/vocab.txt", vocabulary);
  const Model model = model_in(files / "letters");
  const std::vector<TextInput> inputs = texts_of({"漢 дом", "дом"});
  const PieceChoice choice = choose_pieces(*model.tokenizer, pointers(inputs), kRequired + 4, {});
  CHECK(choice.required == kRequired + 3);
  std::vector<std::string> words;
  for (const TokenId id : choice.kept) {
    const std::string word = *model.tokenizer->token(id);
    if (std::ranges::any_of(word, [](char c) { return (c & 0x80) != 0; })) {
      words.push_back(word);
    }
  }
  CHECK(words == std::vector<std::string>{"é", "漢", "##ø", "дом", "д"});
}

TEST_CASE("a model with fewer pieces computes the same logits for texts of these pieces") {
  const TemporaryFolder files;
  write_backwards(files);
  const std::vector<TextInput> inputs = rows();
  for (const std::string& folder :
       {(kPublished / "bert-three-labels").string(), files / "backwards"}) {
    CAPTURE(folder);
    const Model whole = model_in(folder);
    Model model = model_in(folder);
    VocabularyCut cut(files / "made.start");
    const CutResult kept = cut.cut(kSmall, pointers(inputs), model);
    CHECK(kept.count == kSmall);
    CHECK(kept.before == kTokens);
    CHECK(kept.share == 1.0);
    CHECK(model.description.vocab_size == kSmall);
    CHECK(model.weights.embeddings.token.rows == kSmall);
    for (const std::string text : {"filler7 sep", "filler3 a ab [MASK] filler20", "a, filler9"}) {
      CAPTURE(text);
      if (text != "a, filler9") {
        CHECK(tokens_of(model, text) == tokens_of(whole, text));
        CHECK(logits_of(model, text) == logits_of(whole, text));
      } else {
        CHECK(tokens_of(model, text) ==
              std::vector<std::string>{"[CLS]", "a", ",", "[UNK]", "[SEP]"});
      }
    }

    ModelDirectory directory(files / "made", /*force=*/true);
    write_native(model, directory);
    directory.place();
    const Model made = model_in(files / "made");
    CHECK(made.contradictions.empty());
    CHECK(made.description.vocab_size == kSmall);
    CHECK(logits_of(made, "filler7 sep") == logits_of(whole, "filler7 sep"));
  }
  CHECK(!fs::exists(files / "made.start.partial"));
}

TEST_CASE("a vocabulary that is small enough stays as it is") {
  const TemporaryFolder files;
  Model model = bert();
  const std::vector<TextInput> inputs = rows();
  VocabularyCut cut(files / "made.start");
  CHECK(cut.cut(1000, pointers(inputs), model).count == kTokens);
  CHECK(logits_of(model, "filler9 mask") == logits_of(bert(), "filler9 mask"));
}

TEST_CASE("a number of tokens without room for the single characters is refused") {
  const TemporaryFolder files;
  Model model = bert();
  const std::vector<TextInput> inputs = rows();
  VocabularyCut cut(files / "made.start");
  CHECK(error_of([&] {
          cut.cut(14, pointers(inputs), model);
        }).find("vocab.txt: has 15 special tokens and needed single characters") !=
        std::string::npos);
}

TEST_CASE("layers are left out with their weights, also where layers share them") {
  const Model whole = bert();
  Model model = bert();
  keep_layers({1}, model);
  REQUIRE(model.description.layers.size() == 1);
  REQUIRE(model.weights.layers.size() == 1);
  CHECK(model.description.layers[0].weights == 0);
  std::vector<float> kept(model.description.hidden_size);
  std::vector<float> second(kept.size());
  model.weights.layers[0].attention.query.weight.read(3, kept);
  whole.weights.layers[1].attention.query.weight.read(3, second);
  CHECK(kept == second);
  CHECK(logits_of(model, "a sep") != logits_of(whole, "a sep"));

  Model shared = model_in((kPublished / "albert-one-group").string());
  const std::size_t layers = shared.description.layers.size();
  REQUIRE(layers > 2);
  keep_layers({0, layers - 1}, shared);
  CHECK(shared.description.layers.size() == 2);
  CHECK(shared.description.layers[1].weights == 0);
  CHECK(shared.weights.layers.size() == 1);
}

TEST_CASE("relative embeddings are projected for the layers that are kept") {
  Model model = model_in((kPublished / "deberta-v2-three-labels").string());
  REQUIRE(model.weights.relative_attention);
  keep_layers({model.description.layers.size() - 1}, model);
  CHECK(model.weights.relative_attention->tables->size() == 1);
}

}  // namespace
}  // namespace headlight::start_cut_test
