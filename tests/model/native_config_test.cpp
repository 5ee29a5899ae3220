// config.json of a native model: each field's default, another value, and what is refused.
#include "model/families/native_config.h"

#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/json.h"

namespace headlight::native_config_test {
namespace {

const std::string kSizes =
    R"("model_type": "headlight", "vocab_size": 10, "hidden_size": 6, "num_hidden_layers": 2,
       "num_attention_heads": 2)";

/// The smallest config with `fields` after its sizes, or in their place where they begin with {.
FamilyConfig config_with(const std::string& fields) {
  std::string text = "{" + kSizes + (fields.empty() ? "" : ", " + fields) + "}";
  if (fields.starts_with("{")) text = fields;
  return read_native_config(parse_json(text, "c"), "c");
}

template <typename Enum>
requires std::is_enum_v<Enum> std::string shown(Enum value) {
  return std::to_string(static_cast<int>(value));
}
std::string shown(std::size_t value) { return std::to_string(value); }
std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(float value) { return std::to_string(1e6 * static_cast<double>(value)); }
std::string shown(const std::string& value) { return value; }
template <typename T>
std::string shown(const std::optional<T>& value) {
  return value ? shown(*value) : "nothing";
}
template <typename T>
std::string shown(const std::vector<T>& values) {
  std::string all;
  for (const T& value : values) all += (all.empty() ? "" : " ") + shown(value);
  return all;
}

using Type = TokenizerSettings::Type;

TEST_CASE("each field has the default of its specification, and another value counts") {
  struct Row {
    std::string field;
    std::function<std::string(const FamilyConfig&)> show;
    std::string fallback;
    std::string changed;
  };
  const auto model = [](auto part) {
    return [part](const FamilyConfig& config) { return shown(part(config.description)); };
  };
  const auto layer = [](auto part) {
    return [part](const FamilyConfig& config) { return shown(part(config.description.layers[1])); };
  };
  const auto words = [](auto part) {
    return [part](const FamilyConfig& config) { return shown(part(config.tokenizer)); };
  };
  const auto word_field = [](const std::string& field) {
    return R"("tokenizer": {)" + field + "}";
  };
  const float default_eps = 1e-5F;
  const Row rows[] = {
      {R"("head_sizes": [1, 5])", layer([](auto& l) { return l.heads.sizes; }), "3 3", "1 5"},
      {R"("head_input": "slice")", layer([](auto& l) { return l.heads.input; }),
       shown(HeadInput::full), shown(HeadInput::slice)},
      {R"("intermediate_size": 0)", layer([](auto& l) { return l.intermediate_size; }), "24", "0"},
      {R"("hidden_act": "gelu")", layer([](auto& l) { return l.activation; }),
       shown(Activation::relu), shown(Activation::gelu)},
      {R"("position_embedding_type": "absolute")",
       model([](auto& d) { return d.embedding.positions; }), shown(PositionKind::sinusoidal),
       shown(PositionKind::absolute)},
      {R"("position_embedding_type": "none")", model([](auto& d) { return d.embedding.positions; }),
       shown(PositionKind::sinusoidal), shown(PositionKind::none)},
      {R"("max_position_embeddings": 9)", model([](auto& d) { return d.max_positions; }), "512",
       "9"},
      {R"("type_vocab_size": 2)", model([](auto& d) { return d.embedding.type_vocab_size; }), "0",
       "2"},
      {R"("embedding_scale": 2.5)", model([](auto& d) { return d.embedding.scale; }), shown(1.0F),
       shown(2.5F)},
      {R"("embedding_layer_norm": true)", model([](auto& d) { return d.embedding.layer_norm; }),
       "false", "true"},
      {R"("attention_bias": false)", layer([](auto& l) { return l.heads.bias; }), "true", "false"},
      {R"("attention_output_projection": false)",
       layer([](auto& l) { return l.heads.output_projection; }), "true", "false"},
      {R"("attention_scale": 0.5)", layer([](auto& l) { return l.heads.scale; }), "nothing",
       shown(0.5F)},
      {R"("attention_mask": "causal")", layer([](auto& l) { return l.heads.mask; }),
       shown(AttentionMask::bidirectional), shown(AttentionMask::causal)},
      {R"("residual": false)", layer([](auto& l) { return l.residual; }), "true", "false"},
      {R"("norm_order": "none")", layer([](auto& l) { return l.norm_order; }),
       shown(NormOrder::post), shown(NormOrder::none)},
      {R"("norm_order": "pre")", layer([](auto& l) { return l.norm_order; }),
       shown(NormOrder::post), shown(NormOrder::pre)},
      {R"("norm_order": "pre")", model([](auto& d) { return d.final_norm; }), "false", "true"},
      {R"("final_norm": true)", model([](auto& d) { return d.final_norm; }), "false", "true"},
      {R"("norm_order": "pre", "final_norm": false)", model([](auto& d) { return d.final_norm; }),
       "false", "false"},
      {R"("layer_norm_eps": 0.25)", model([](auto& d) { return d.layer_norm_eps; }),
       shown(default_eps), shown(0.25F)},
      {R"("layer_norm_form": "deviation")", model([](auto& d) { return d.layer_norm_form; }),
       shown(LayerNormForm::variance), shown(LayerNormForm::deviation)},
      {R"("pooling": "cls")", model([](auto& d) { return d.pooling; }), shown(Pooling::mean),
       shown(Pooling::cls)},
      {R"("pooling": "last")", model([](auto& d) { return d.pooling; }), shown(Pooling::mean),
       shown(Pooling::last)},
      {R"("pooling": "max")", model([](auto& d) { return d.pooling; }), shown(Pooling::mean),
       shown(Pooling::max)},
      {R"("pooling": "label_attention")", model([](auto& d) { return d.pooling; }),
       shown(Pooling::mean), shown(Pooling::label_attention)},
      {R"("head_dense_act": "tanh")", model([](auto& d) { return d.head_dense; }), "nothing",
       shown(Activation::tanh)},
      {R"("classifier_bias": false)", model([](auto& d) { return d.classifier_bias; }), "true",
       "false"},
      {R"("id2label": {"1": "b", "0": "a"})", model([](auto& d) { return d.labels; }), "", "a b"},
      {R"("id2label": ["a", "b", "c"])", model([](auto& d) { return d.labels; }), "", "a b c"},
      {R"("problem_type": "multi_label_classification")",
       model([](auto& d) { return d.problem_type; }), shown(ProblemType::single_label),
       shown(ProblemType::multi_label)},
      {R"("problem_type": "regression")", model([](auto& d) { return d.problem_type; }),
       shown(ProblemType::single_label), shown(ProblemType::regression)},
      {R"("pad_token_id": 9)", model([](auto& d) { return std::size_t{d.pad_token_id}; }), "0",
       "9"},
      {R"("pad_to_length": 512)", model([](auto& d) { return d.pad_to_length; }), "nothing", "512"},
      {word_field(R"("type": "words")"), words([](auto& t) { return t.type; }),
       shown(Type::wordpiece), shown(Type::words)},
      {word_field(R"("type": "whitespace")"), words([](auto& t) { return t.type; }),
       shown(Type::wordpiece), shown(Type::whitespace)},
      {word_field(R"("lowercase": true)"), words([](auto& t) { return t.lowercase; }), "false",
       "true"},
      {word_field(R"("strip_accents": true)"), words([](auto& t) { return t.strip_accents; }),
       "false", "true"},
      {word_field(R"("strip_accents": null)"), words([](auto& t) { return t.strip_accents; }),
       "false", "nothing"},
      {word_field(R"("remove_punctuation": true)"),
       words([](auto& t) { return t.remove_punctuation; }), "false", "true"},
      {word_field(R"("unk_token": null)"), words([](auto& t) { return t.unk_token; }), "[UNK]",
       "nothing"},
      {word_field(R"("cls_token": "<s>")"), words([](auto& t) { return t.cls_token; }), "[CLS]",
       "<s>"},
      {word_field(R"("sep_token": null)"), words([](auto& t) { return t.sep_token; }), "[SEP]",
       "nothing"},
      {word_field(R"("add_special_tokens": false)"),
       words([](auto& t) { return t.add_special_tokens; }), "nothing", "false"},
      {word_field(R"("vocabulary": ["a", "b"])"),
       [](const FamilyConfig& config) { return shown(config.vocabulary); }, "", "a b"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.field);
    CHECK(row.show(config_with("")) == row.fallback);
    CHECK(row.show(config_with(row.field)) == row.changed);
  }
}

TEST_CASE("null stands for the default where the specification says null") {
  for (const char* field : {"attention_scale", "head_dense_act", "pad_to_length", "tokenizer"}) {
    CAPTURE(field);
    CHECK(error_of([&] { config_with("\"" + std::string(field) + "\": null"); }).empty());
  }
}

TEST_CASE("label attention sees whole tokens without a mask, whatever the layers see") {
  const auto model =
      config_with(R"("head_input": "slice", "attention_mask": "causal", "attention_scale": 2)")
          .description;
  CHECK(model.label_heads.input == HeadInput::full);
  CHECK(model.label_heads.mask == AttentionMask::bidirectional);
  CHECK(model.label_heads.scale == 2.0F);
  CHECK(model.layers[0].heads.mask == AttentionMask::causal);
}

TEST_CASE(
    "heads of another width without a projection stand only where nothing reads them but the "
    "classifier") {
  const std::string wide = R"({"model_type": "headlight", "vocab_size": 10, "hidden_size": 6,
      "num_attention_heads": 2, "head_sizes": [3, 4], "attention_output_projection": false, )";
  const std::string bare = R"("residual": false, "norm_order": "none", "intermediate_size": 0)";
  const std::string error =
      "c: attention_output_projection false needs head sizes that add up to "
      "hidden_size 6, found 7";
  struct Row {
    std::string fields;
    std::string error;
  };
  const Row rows[] = {
      {R"("num_hidden_layers": 1, )" + bare, ""},
      {R"("num_hidden_layers": 0)", ""},
      {R"("num_hidden_layers": 2, )" + bare, error},
      {R"("num_hidden_layers": 1, "norm_order": "none", "intermediate_size": 0)", error},
      {R"("num_hidden_layers": 1, "residual": false, "intermediate_size": 0)", error},
      {R"("num_hidden_layers": 1, "residual": false, "norm_order": "none")", error},
      {R"("num_hidden_layers": 1, "head_dense_act": "tanh", )" + bare, error},
      {R"("num_hidden_layers": 1, "pooling": "label_attention", )" + bare, error},
  };
  for (const auto& row : rows) {
    CAPTURE(row.fields);
    CHECK(error_of([&] { config_with(wide + row.fields + "}"); }) == row.error);
  }
  CHECK(config_with(wide + rows[0].fields + "}").description.encoded_size() == 7);
}

TEST_CASE("what makes no model is refused by its field") {
  struct Row {
    std::string fields;
    std::string error;
  };
  const Row rows[] = {
      {R"({"model_type": "headlight"})", "vocab_size: missing"},
      {R"({"model_type": "headlight", "vocab_size": 0})",
       "vocab_size: found 0, expected a whole number of at least 1"},
      {R"("hidden_activation": "gelu")",
       "hidden_activation: unknown field; did you mean "
       "hidden_act?"},
      {R"("tokenizer": {"lower_case": true})",
       "tokenizer.lower_case: unknown field; did you mean lowercase?"},
      {R"("head_sizes": [3])", "head_sizes: found a list of 1, expected 2 numbers, one per head"},
      {R"("head_sizes": [3, 0])", "head_sizes[1]: found 0, expected a whole number of at least 1"},
      {R"("head_input": "slice", "head_sizes": [2, 4])",
       "head_input slice needs equal head sizes that add up to hidden_size 6"},
      {R"("head_input": "slice", "head_sizes": [2, 2])",
       "head_input slice needs equal head sizes that add up to hidden_size 6"},
      {R"("attention_scale": 1e39)", "attention_scale: found 1e+39, expected a float32"},
      {R"("layer_norm_eps": -1)", "layer_norm_eps: found -1, expected a number of at least 0"},
      {R"("norm_order": "after")", R"(norm_order: found "after", expected one of post, pre, none)"},
      {R"("pad_token_id": 10)", "pad_token_id: found 10, expected a whole number from 0 to 9"},
      {R"("pad_to_length": 600)", "pad_to_length 600 is more than max_position_embeddings 512"},
      {R"("id2label": {})", "id2label: found an object, expected at least one label"},
      {R"("id2label": {"0": "a", "2": "b"})", "id2label has 2 labels, but none with the number 1"},
      {R"("id2label": ["a", "a"])", R"(id2label has two labels named "a")"},
      {R"("id2label": "a")", R"(id2label: found "a", expected an object {"0": …} or a list)"},
      {R"("pooling": "label_attention", "head_dense_act": "tanh")",
       "head_dense_act cannot be combined with pooling label_attention"},
      {R"("tokenizer": {"vocabulary": ["a", "b", "a"]})", R"(tokenizer.vocabulary has "a" twice)"},
      {R"("tokenizer": {"vocabulary": []})",
       "tokenizer.vocabulary: found a list of 0, expected at least one word"},
  };
  for (const auto& [fields, error] : rows) {
    CHECK(error_of([&, &text = fields] { config_with(text); }) == "c: " + error);
  }
  const std::string indivisible = error_of([] {
    config_with(R"({"model_type": "headlight", "vocab_size": 1, "hidden_size": 7,
                    "num_hidden_layers": 1, "num_attention_heads": 2})");
  });
  CHECK(indivisible ==
        "c: hidden_size 7 is not divisible by num_attention_heads 2; "
        "head_sizes can set one size per head");
}

}  // namespace
}  // namespace headlight::native_config_test
