// config.json that is broken in one way each: one line names the field, what was found and what was
// expected.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "model/model_files.h"
#include "model/refused_model.h"

namespace headlight::broken_config_test {
namespace {

using namespace std::string_literals;

/// One field set to a value; "" takes the field away. A field of the tokenizer has a slash before.
struct FieldCase {
  std::string field;
  std::string value;
  std::string reason;
};

void break_field(OrderedJson& config, const FieldCase& broken) {
  const bool nested = broken.field[0] == '/';
  OrderedJson& object = nested ? config["tokenizer"] : config;
  const std::string name = nested ? broken.field.substr(1) : broken.field;
  if (broken.value.empty()) {
    object.erase(name);
  } else {
    object[name] = OrderedJson::parse(broken.value);
  }
}

const std::vector<FieldCase> kSizes = {
    {"vocab_size", "", "vocab_size: missing"},
    {"vocab_size", "\"6\"", "vocab_size: found \"6\", expected a whole number"},
    {"vocab_size", "6.5", "vocab_size: found 6.5"},
    {"vocab_size", "null", "vocab_size: found null"},
    {"vocab_size", "-6", "vocab_size: found -6"},
    {"vocab_size", "0", "vocab_size: found 0"},
    {"vocab_size", "2147483648", "vocab_size: found 2147483648"},
    {"vocab_size", "99999999999999999999", "vocab_size: found"},
    {"vocab_size", "2147483647",
     "embeddings.token.weight|found shape [6, 4], expected [2147483647, 4]"},
    {"vocab_size", "5", "embeddings.token.weight|found shape [6, 4], expected [5, 4]"},
    {"hidden_size", "", "hidden_size: missing"},
    {"hidden_size", "\"four\"", "hidden_size: found \"four\""},
    {"hidden_size", "[4]", "hidden_size: found a list of 1"},
    {"hidden_size", "0", "hidden_size: found 0"},
    {"hidden_size", "5", "config.json: hidden_size 5 is not divisible by num_attention_heads 2"},
    {"hidden_size", "6", "found shape [6, 4], expected [6, 6]"},
    {"hidden_size", "2147483646", "found shape [6, 4], expected [6, 2147483646]"},
    {"num_hidden_layers", "", "num_hidden_layers: missing"},
    {"num_hidden_layers", "-1", "num_hidden_layers: found -1"},
    {"num_hidden_layers", "true", "num_hidden_layers: found true"},
    {"num_hidden_layers", "2147483647", "num_hidden_layers: found 2147483647"},
    {"num_hidden_layers", "2", "layers.1.attention.query.weight: missing"},
    {"num_hidden_layers", "0", "tensor layers.0.attention.|does not use it"},
    {"num_attention_heads", "", "num_attention_heads: missing"},
    {"num_attention_heads", "0", "num_attention_heads: found 0"},
    {"num_attention_heads", "3", "hidden_size 4 is not divisible by num_attention_heads 3"},
    {"num_attention_heads", "2147483647", "num_attention_heads"},
    {"head_sizes", "[4]", "head_sizes: found a list of 1, expected 2 numbers"},
    {"head_sizes", "[2, 1, 1]", "head_sizes: found a list of 3"},
    {"head_sizes", "[4, 0]", "head_sizes[1]: found 0"},
    {"head_sizes", "[2.5, 1.5]", "head_sizes[0]: found 2.5"},
    {"head_sizes", "[-1, 5]", "head_sizes[0]: found -1"},
    {"head_sizes", "\"2,2\"", "head_sizes: found \"2,2\""},
    {"head_sizes", "[3, 3]", "layers.0.attention.query.weight|found shape [4, 4], expected [6, 4]"},
    {"head_sizes", "[2147483647, 2147483647]", "layers.0.attention.query.weight|[4294967294, 4]"},
    {"intermediate_size", "-1", "intermediate_size: found -1"},
    {"intermediate_size", "\"big\"", "intermediate_size: found \"big\""},
    {"intermediate_size", "16", "layers.0.feed_forward.up.weight: missing|[16, 4]"},
    {"intermediate_size", "", "layers.0.feed_forward.up.weight: missing|[16, 4]"},
    {"max_position_embeddings", "0", "max_position_embeddings: found 0"},
    {"max_position_embeddings", "\"8\"", "max_position_embeddings: found \"8\""},
    {"type_vocab_size", "-1", "type_vocab_size: found -1"},
    {"type_vocab_size", "2147483647", "embeddings.token_type.weight: missing|[2147483647, 4]"},
    {"pad_token_id", "6", "pad_token_id: found 6"},
    {"pad_token_id", "-1", "pad_token_id: found -1"},
    {"pad_to_length", "0", "pad_to_length: found 0"},
    {"pad_to_length", "\"8\"", "pad_to_length: found \"8\""},
    {"pad_to_length", "9", "pad_to_length 9 is more than max_position_embeddings 8"},
    {"pad_to_length", "2147483647", "pad_to_length"},
};

const std::vector<FieldCase> kChoices = {
    {"model_type", "", "model_type: missing"},
    {"model_type", "7", "model_type: found 7"},
    {"model_type", "\"bloom\"", "model_type: \"bloom\" is not supported|headlight"},
    {"head_input", "\"sliced\"", "head_input: found \"sliced\", expected one of full, slice"},
    {"head_input", "null", "head_input: found null"},
    {"hidden_act", "\"swish9\"", "hidden_act: found \"swish9\", expected one of|gelu"},
    {"position_embedding_type", "\"relative\"",
     "position_embedding_type: found \"relative\"|sinusoidal"},
    {"position_embedding_type", "\"absolute\"", "embeddings.position.weight: missing|[8, 4]"},
    {"embedding_scale", "\"2\"", "embedding_scale: found \"2\", expected a number"},
    {"embedding_scale", "1e39", "embedding_scale: found 1e+39"},
    {"embedding_layer_norm", "1", "embedding_layer_norm: found 1, expected true or false"},
    {"embedding_layer_norm", "true", "embeddings.norm.weight: missing|[4]"},
    {"attention_bias", "\"yes\"", "attention_bias: found \"yes\""},
    {"attention_bias", "false", "attention.|bias|does not use it"},
    {"attention_output_projection", "0", "attention_output_projection: found 0"},
    {"attention_output_projection", "false", "layers.0.attention.output.|does not use it"},
    {"attention_scale", "\"x\"", "attention_scale: found \"x\""},
    {"attention_scale", "-1e300", "attention_scale: found -1e+300"},
    {"attention_mask", "\"sparse\"", "attention_mask: found \"sparse\"|causal"},
    {"residual", "null", "residual: found null"},
    {"norm_order", "\"Post\"", "norm_order: found \"Post\"|post"},
    {"norm_order", "\"pre\"", "missing|layers.0.attention.norm.weight"},
    {"layer_norm_eps", "-1", "layer_norm_eps: found -1"},
    {"layer_norm_eps", "\"tiny\"", "layer_norm_eps: found \"tiny\""},
    {"layer_norm_form", "\"std\"", "layer_norm_form: found \"std\"|deviation"},
    {"pooling", "\"first\"", "pooling: found \"first\"|cls"},
    {"pooling", "\"label_attention\"", "label_attention.queries: missing|[2, 4]"},
    {"head_dense_act", "\"softplus\"", "head_dense_act: found \"softplus\"|tanh"},
    {"head_dense_act", "true", "head_dense_act: found true"},
    {"head_dense_act", "\"tanh\"", "head.dense.weight: missing|[4, 4]"},
    {"classifier_bias", "\"\"", "classifier_bias: found \"\""},
    {"classifier_bias", "false", "classifier.bias|does not use it"},
    {"problem_type", "\"classification\"", "problem_type: found \"classification\"|regression"},
    {"hidden_sise", "4", "hidden_sise: unknown field|did you mean hidden_size?"},
    {"num_hidden_layer", "1", "num_hidden_layer: unknown field|did you mean num_hidden_layers?"},
    {"id2labels", "[]", "id2labels: unknown field|did you mean id2label?"},
};

const std::vector<FieldCase> kLabels = {
    {"id2label", "{}", "id2label"},
    {"id2label", "[]", "id2label"},
    {"id2label", "\"negative\"", "id2label: found \"negative\""},
    {"id2label", "null", "id2label: found null"},
    {"id2label", "{\"0\": \"a\", \"2\": \"b\"}", "id2label|none with the number 1"},
    {"id2label", "{\"1\": \"a\", \"2\": \"b\"}", "id2label|none with the number 0"},
    {"id2label", "{\"0\": \"a\", \"one\": \"b\"}", "id2label|none with the number 1"},
    {"id2label", "{\"00\": \"a\", \"01\": \"b\"}", "id2label|none with the number 0"},
    {"id2label", "{\"0\": \"a\", \"1\": [2]}", "id2label.1: found a list of 1, expected a string"},
    {"id2label", "{\"0\": 2, \"1\": \"2\"}", "id2label|two labels named \"2\""},
    {"id2label", "[\"a\", 2]", "id2label"},
    {"id2label", "{\"0\": \"same\", \"1\": \"same\"}", "id2label|two labels named \"same\""},
    {"id2label", "[\"same\", \"same\"]", "id2label|two labels named \"same\""},
    {"id2label", "[\"\\u001b[31m\\u0000x\\n\", \"\\u001b[31m\\u0000x\\n\"]",
     "two labels named \"\\x1b[31m\\x00x\\n\""},
    {"id2label", "[\"a\"]", "id2label has 1 labels|classifier.weight has 2 rows"},
    {"id2label", "[\"a\", \"b\", \"c\"]", "id2label has 3 labels|classifier.weight has 2 rows"},
};

const std::vector<FieldCase> kTokenizers = {
    {"tokenizer", "5", "tokenizer: found 5, expected an object"},
    {"tokenizer", "[]", "tokenizer: found a list of 0"},
    {"tokenizer", "", "toy|no vocabulary"},
    {"/type", "\"bpe\"", "tokenizer.type: found \"bpe\"|wordpiece"},
    {"/type", "null", "tokenizer.type: found null"},
    {"/vocabulary", "", "toy|no vocabulary"},
    {"/vocabulary", "[]", "tokenizer.vocabulary"},
    {"/vocabulary", "\"good bad\"",
     "tokenizer.vocabulary: found \"good bad\", expected a list of strings"},
    {"/vocabulary", "[\"good\", 2]", "tokenizer.vocabulary"},
    {"/vocabulary", "[\"good\", \"bad\", \"good\"]", "tokenizer.vocabulary|\"good\" twice"},
    {"/vocabulary", "[\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\"]", "7 words|vocab_size is 6"},
    {"/lowercase", "1", "tokenizer.lowercase: found 1"},
    {"/strip_accents", "\"no\"", "tokenizer.strip_accents: found \"no\""},
    {"/remove_punctuation", "null", "tokenizer.remove_punctuation: found null"},
    {"/unk_token", "5", "tokenizer.unk_token: found 5"},
    {"/add_special_tokens", "\"yes\"", "tokenizer.add_special_tokens: found \"yes\""},
    {"/add_special_tokens", "true", "_token|is not one of"},
    {"/type", "\"wordpiece\"", "_token|is not one of the 6 tokens"},
    {"/lower_case", "true", "tokenizer.lower_case: unknown field|did you mean lowercase?"},
};

/// The whole of config.json.
struct TextCase {
  std::string name;
  std::string text;
  std::string reason;
};

const std::vector<TextCase> kTexts = {
    {"empty file", "", "config.json: |JSON"},
    {"blanks", "  \n ", "config.json: |JSON"},
    {"no JSON", "model_type: headlight", "config.json: |JSON"},
    {"cut", toy_config().dump(2).substr(0, 60), "config.json: line 4|JSON"},
    {"a comma too many", replaced(toy_config().dump(), "}}", "},}"), "config.json: column|JSON"},
    {"more after its end", toy_config().dump() + "}", "config.json: column|JSON"},
    {"a NUL and more after its end", toy_config().dump() + "\0 more"s, "config.json: |JSON"},
    {"a comment", "// ours\n" + toy_config().dump(), "config.json: line 1|JSON"},
    {"a list", "[]", "config.json: found a list of 0, expected an object"},
    {"a string", "\"headlight\"", "config.json: found \"headlight\", expected an object"},
    {"null", "null", "config.json: found null"},
    {"no UTF-8", "{\"model_type\": \"\xC3\x28\"}", "config.json: not valid UTF-8 at byte 16"},
    {"Latin-1", "{\"model_type\": \"caf\xE9\"}", "config.json: not valid UTF-8 at byte 19"},
    {"UTF-16", "\xFF\xFE{\0"s, "config.json: not valid UTF-8 at byte 0"},
    {"a raw control character", "{\"model_type\": \"\x01\"}", "config.json: |JSON"},
    {"a lone surrogate", "{\"model_type\": \"\\ud800\"}", "config.json: |JSON"},
    {"a hundred thousand lists in each other", std::string(100'000, '['), "config.json: nested"},
    {"a hundred thousand objects in each other",
     [] {
       std::string text;
       for (int i = 0; i < 100'000; ++i) text += "{\"a\":";
       return text;
     }(),
     "config.json: nested"},
    {"a name twice", replaced(toy_config().dump(), "{", "{\"hidden_size\": 8, "),
     "config.json: |\"hidden_size\"|twice"},
    {"a name twice in the tokenizer",
     replaced(toy_config().dump(), "\"type\"", "\"type\":\"words\",\"type\""), "\"type\"|twice"},
    {"a label's number twice",
     replaced(toy_config().dump(), "\"1\":\"positive\"", "\"0\":\"positive\""),
     "config.json: |\"0\"|twice"},
    {"a number that is none",
     replaced(toy_config().dump(), "\"hidden_size\":4", "\"hidden_size\":NaN"),
     "config.json: |JSON"},
    {"a number that no double holds",
     replaced(toy_config().dump(), "\"hidden_size\":4", "\"hidden_size\":1e999"),
     "config.json: |number"},
    {"a field's name of control characters",
     R"({"model_type": "headlight", "\u001b[2J": 1, "vocab_size": 1, "hidden_size": 1, "num_hidden_layers": 0, "num_attention_heads": 1})",
     "\\x1b[2J: unknown field"},
    {"a field's name with a NUL",
     R"({"model_type": "headlight", "a\u0000b": 1, "vocab_size": 1, "hidden_size": 1, "num_hidden_layers": 0, "num_attention_heads": 1})",
     "a\\x00b: unknown field"},
    {"a field's name of 100 KB",
     "{\"model_type\": \"headlight\", \"" + std::string(100'000, 'n') +
         "\": 1, \"vocab_size\": 1, \"hidden_size\": 1, \"num_hidden_layers\": 0, "
         "\"num_attention_heads\": 1}",
     "nnn|unknown field"},
    {"a string of 100 KB",
     replaced(toy_config().dump(), "\"none\"", "\"" + std::string(100'000, 'n') + "\""),
     "position_embedding_type: found \"nnn"},
    {"a model_type of 100 KB", "{\"model_type\": \"" + std::string(100'000, 'n') + "\"}",
     "model_type|nnn"},
};

void check_fields(const std::vector<FieldCase>& cases) {
  for (const FieldCase& broken : cases) {
    INFO("case: " << broken.field << " = " << broken.value);
    Folder folder = toy_folder();
    edit_config(folder, [&](OrderedJson& config) { break_field(config, broken); });
    check_refused(folder, broken.reason);
  }
}

TEST_CASE("sizes in a config that are wrong are refused, and huge ones take no memory") {
  check_fields(kSizes);
}

TEST_CASE("choices in a config that are wrong, and fields it does not have, are refused") {
  check_fields(kChoices);
}

TEST_CASE("labels that are wrong are refused") { check_fields(kLabels); }

TEST_CASE("tokenizer settings that are wrong are refused") { check_fields(kTokenizers); }

TEST_CASE("a config that is no JSON of ours is refused with the place in it") {
  for (const TextCase& broken : kTexts) {
    INFO("case: " << broken.name);
    Folder folder = toy_folder();
    folder["config.json"] = broken.text;
    check_refused(folder, broken.reason);
  }
}

TEST_CASE("fields that do not go together are refused") {
  const auto check = [](const std::string& fields, const std::string& reason) {
    INFO("case: " << fields);
    Folder folder = toy_folder();
    edit_config(folder, [&](OrderedJson& config) { config.update(OrderedJson::parse(fields)); });
    check_refused(folder, reason);
  };
  check(R"({"head_input": "slice", "head_sizes": [1, 3]})", "config.json: head_input slice|4");
  check(R"({"head_input": "slice", "head_sizes": [3, 3]})", "config.json: head_input slice|4");
  check(R"({"head_input": "slice"})", "query.weight|found shape [4, 4], expected [4, 2]");
  const std::string alone = R"("attention_output_projection": false, "head_sizes": [3, 3],
      "num_hidden_layers": 1, "residual": false, "norm_order": "none", "intermediate_size": 0)";
  check("{" + alone + R"(, "final_norm": true})", "attention_output_projection|4|6");
  check("{" + alone + R"(, "conv_kernel_size": 3})", "attention_output_projection|4|6");
  check(R"({"attention_output_projection": false, "head_sizes": [3, 3]})",
        "attention_output_projection|4|6");
  check(R"({"tokenizer": {"vocabulary": ["[UNK]", "[SEP]", "a"]}})",
        "tokenizer.cls_token \"[CLS]\" is not one of the 3 tokens");
  check(R"({"tokenizer": {"vocabulary": ["[UNK]", "[CLS]", "a"]}})",
        "tokenizer.sep_token \"[SEP]\" is not one of the 3 tokens");
  check(R"({"pooling": "label_attention", "head_dense_act": "tanh"})",
        "head_dense_act|label_attention");
}

TEST_CASE("vocabulary files that are broken are refused") {
  const auto check = [](const char* file, const std::string& bytes, const std::string& reason) {
    INFO("case: " << std::string(file) << " " << bytes.substr(0, 40));
    Folder folder = toy_folder();
    edit_config(folder, [](OrderedJson& config) { config["tokenizer"].erase("vocabulary"); });
    folder[file] = bytes;
    check_refused(folder, std::string(file) + "|" + reason);
  };
  check("vocab.txt", "", "no tokens");
  check("vocab.txt", "\n\n", "no tokens");
  check("vocab.txt", "good\n\xFF\n", "not valid UTF-8 at byte 5");
  check("vocab.txt", "1\n2\n3\n4\n5\n6\n7\n", "7 words|vocab_size is 6");
  check("tokenizer.json", "", "JSON");
  check("tokenizer.json", "[]", "expected an object");
  check("tokenizer.json", "{}", "model");
  check("tokenizer.json", R"({"model": {"type": "Magic"}})", "Magic");
  check("tokenizer.json", R"({"model": {"type": "WordLevel", "vocab": []}})", "vocab");
  check("tokenizer.json", R"({"model": {"type": "WordLevel", "vocab": {"a": -1}}})", "vocab");
  check("tokenizer.json", R"({"model": {"type": "WordLevel", "vocab": {"a": 1.5}}})", "vocab");
  check("tokenizer.json", R"({"model": {"type": "WordLevel", "vocab": {"a": 4294967296}}})",
        "vocab");
  check("tokenizer.json", std::string(100'000, '{'), "JSON");
}

}  // namespace
}  // namespace headlight::broken_config_test
