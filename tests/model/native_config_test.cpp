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
      {R"("num_key_value_heads": 1)", layer([](auto& l) { return l.heads.group; }), "1", "2"},
      {R"("relative_attention": true)", layer([](auto& l) { return l.heads.score_terms; }), "1",
       "3"},
      {R"("relative_attention": true, "pos_att_type": ["p2c"])",
       layer([](auto& l) { return l.heads.score_terms; }), "1", "2"},
      {R"("relative_attention": true)",
       model([](auto& d) { return d.relative_attention ? d.relative_attention->span : 0; }), "0",
       "512"},
      {R"("relative_attention": true, "max_relative_positions": 7)",
       model([](auto& d) { return d.relative_attention ? d.relative_attention->span : 0; }), "0",
       "7"},
      {R"("relative_attention": true, "max_relative_positions": 40, "position_buckets": 8)",
       model([](auto& d) { return d.relative_attention ? d.relative_attention->farthest : 0; }),
       "0", "40"},
      {R"("relative_attention": true, "share_att_key": true)",
       model([](auto& d) { return d.relative_attention && d.relative_attention->shared; }), "false",
       "true"},
      {R"("relative_attention": true, "norm_rel_ebd": "layer_norm")",
       model([](auto& d) { return d.relative_attention && d.relative_attention->norm; }), "false",
       "true"},
      {R"("conv_kernel_size": 5)",
       model([](auto& d) { return d.convolution ? d.convolution->kernel : 0; }), "0", "5"},
      {R"("conv_kernel_size": 1, "conv_groups": 2)",
       model([](auto& d) { return d.convolution ? d.convolution->groups : 0; }), "0", "2"},
      {R"("conv_kernel_size": 1, "conv_act": "gelu")",
       model([](auto& d) { return d.convolution ? d.convolution->activation : Activation::relu; }),
       shown(Activation::relu), shown(Activation::gelu)},
      {R"("embedding_size": 4)", model([](auto& d) { return d.embedding.size; }), "6", "4"},
      {R"("embedding_size": 4)", model([](auto& d) { return d.embedding.projection; }), "false",
       "true"},
      {R"("embedding_projection": true)", model([](auto& d) { return d.embedding.projection; }),
       "false", "true"},
      {R"("embedding_size": 4, "embedding_projection_first": true)",
       model([](auto& d) { return d.embedding.projection_first; }), "false", "true"},
      {R"("attention_window": 4)", layer([](auto& l) { return l.heads.window; }), "nothing", "4"},
      {R"("attention_window": [null, 0])", layer([](auto& l) { return l.heads.window; }), "nothing",
       "0"},
      {R"("position_embedding_type": "rotary", "head_sizes": [4, 4], "rope_theta": [9, 4])",
       layer([](auto& l) { return l.heads.rotary; }), "nothing", "1"},
      {R"("position_embedding_type": "rotary", "head_sizes": [2, 2], "rope_interleaved": true)",
       model([](auto& d) { return !d.rotary.empty() && d.rotary[0].interleaved; }), "false",
       "true"},
      {R"("position_embedding_type": "rotary", "head_sizes": [2, 2],
           "rope_scaling": [null, {"rope_type": "linear", "factor": 4}])",
       model([](auto& d) { return d.rotary.empty() ? 0.0F : d.rotary[1].frequencies[0]; }),
       shown(0.0F), shown(0.25F)},
      {R"("query_key_norm": true)", layer([](auto& l) { return l.heads.query_key_norm; }), "false",
       "true"},
      {R"("attention_output_bias": false)", layer([](auto& l) { return l.heads.output_bias; }),
       "true", "false"},
      {R"("attention_bias": false)", layer([](auto& l) { return l.heads.output_bias; }), "true",
       "false"},
      {R"("gated_feed_forward": true)", layer([](auto& l) { return l.gated; }), "false", "true"},
      {R"("feed_forward_bias": false)", layer([](auto& l) { return l.feed_forward_bias; }), "true",
       "false"},
      {R"("norm_order": "sandwich")", layer([](auto& l) { return l.norm_order; }),
       shown(NormOrder::post), shown(NormOrder::sandwich)},
      {R"("norm_order": "pre", "first_attention_norm": false)",
       model([](auto& d) { return d.layers[0].attention_norm; }), "true", "false"},
      {R"("norm_bias": false)", model([](auto& d) { return d.norm_bias; }), "true", "false"},
      {R"("head_dense_bias": false)", model([](auto& d) { return d.head_dense_bias; }), "true",
       "false"},
      {R"("head_dense_act": "relu", "head_norm": true)", model([](auto& d) { return d.head_norm; }),
       "false", "true"},
      {R"("pooling": "last", "last_skips_pad": true)",
       model([](auto& d) { return d.last_skips.has_value(); }), "false", "true"},
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
      {R"("layer_norm_form": "rms")", model([](auto& d) { return d.layer_norm_form; }),
       shown(LayerNormForm::variance), shown(LayerNormForm::rms)},
      {R"("pooling": "cls")", model([](auto& d) { return d.pooling; }), shown(Pooling::mean),
       shown(Pooling::cls)},
      {R"("pooling": "last")", model([](auto& d) { return d.pooling; }), shown(Pooling::mean),
       shown(Pooling::last)},
      {R"("pooling": "max")", model([](auto& d) { return d.pooling; }), shown(Pooling::mean),
       shown(Pooling::max)},
      {R"("pooling": "none")", model([](auto& d) { return d.pooling; }), shown(Pooling::mean),
       shown(Pooling::each_token)},
      {R"("pooling": "label_attention")", model([](auto& d) { return d.pooling; }),
       shown(Pooling::mean), shown(Pooling::label_attention)},
      {R"("head_dense_act": "tanh")", model([](auto& d) { return d.head_dense; }), "nothing",
       shown(Activation::tanh)},
      {R"("head_dense_act": "gelu", "head_dense_first": true)",
       model([](auto& d) { return d.head_dense_first; }), "false", "true"},
      {R"("head_dense_act": "relu", "head_dense_size": 20)",
       model([](auto& d) { return d.classifier_size(); }), "6", "20"},
      {R"("normalize": true)", model([](auto& d) { return d.normalize; }), "false", "true"},
      {R"("output": "sigmoid_share")", model([](auto& d) { return d.score_activation; }), "nothing",
       shown(ScoreActivation::sigmoid_share)},
      {R"("folds": 5)", model([](auto& d) { return d.folds; }), "1", "5"},
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

TEST_CASE("n-grams need a mean without layers, sizes and buckets") {
  const auto error_with = [](const std::string& fields) {
    return error_of([&] {
      config_with(R"({"model_type": "headlight", "vocab_size": 10, "hidden_size": 6,
          "num_hidden_layers": 0, "num_attention_heads": 2, )" +
                  fields + "}");
    });
  };
  const std::string sizes = ", expected different sizes from 2 to 16, ascending";
  const std::string small = R"("ngram_sizes": [2, 5], "ngram_buckets": 9)";
  CHECK(error_with(small).empty());
  CHECK(error_with(R"("ngram_sizes": [2])") == "c: ngram_buckets: missing");
  CHECK(error_with(R"("ngram_sizes": [], "ngram_buckets": 9)") ==
        "c: ngram_sizes: found a list of 0" + sizes);
  CHECK(error_with(R"("ngram_sizes": [3, 3], "ngram_buckets": 9)") ==
        "c: ngram_sizes: found a list of 2" + sizes);
  CHECK(error_with(R"("ngram_sizes": [17], "ngram_buckets": 9)") ==
        "c: ngram_sizes: found a list of 1" + sizes);
  CHECK(error_with(R"("ngram_sizes": [1], "ngram_buckets": 9)").starts_with("c: ngram_sizes[0]"));
  CHECK(error_with(R"("ngram_sizes": [2], "ngram_buckets": 0)").starts_with("c: ngram_buckets"));
  CHECK(error_with(small + R"(, "pooling": "max")") == "c: ngram_sizes needs pooling mean");
  CHECK(error_with(small + R"(, "pad_to_length": 8)") ==
        "c: ngram_sizes cannot be combined with pad_to_length");
}

TEST_CASE("n-grams of characters have a size, buckets and words beside them") {
  const auto error_with = [&](const std::string& tokenizer) {
    return error_of([&] {
      Json config = Json::parse(R"({"model_type": "headlight", "vocab_size": 20, "hidden_size": 4,
          "num_hidden_layers": 0, "num_attention_heads": 1, "ngram_sizes": [2],
          "ngram_buckets": 9})");
      config["tokenizer"] = Json::parse("{" + tokenizer + "}");
      read_native_config(config, "c");
    });
  };
  const std::string words = R"("type": "words", )";
  CHECK(error_with(words + R"("character_ngrams": [2, 5], "character_buckets": 9)").empty());
  const std::string sizes = ", expected the least and the most characters, such as [2, 5]";
  for (const std::string list : {"[5, 2]", "[2, 65]"}) {
    CHECK(error_with(words + R"("character_buckets": 9, "character_ngrams": )" + list) ==
          "c: tokenizer.character_ngrams: found a list of 2" + sizes);
  }
  CHECK(error_with(words + R"("character_ngrams": [0, 2], "character_buckets": 9)")
            .starts_with("c: tokenizer.character_ngrams[0]: found 0"));
  CHECK(error_with(words + R"("character_ngrams": [2, 5], "character_buckets": 0)")
            .starts_with("c: tokenizer.character_buckets: found 0"));
  CHECK(error_with(words + R"("character_ngrams": [2, 5], "character_buckets": 20)") ==
        "c: tokenizer.character_buckets must be less than vocab_size, which counts them");
  CHECK(error_with(words + R"("character_buckets": 9)") ==
        "c: tokenizer.character_buckets needs character_ngrams");
  CHECK(error_with(R"("character_ngrams": [2, 5], "character_buckets": 9)") ==
        R"(c: tokenizer.character_ngrams needs "type": "words" or "whitespace")");
}

TEST_CASE("n-grams of labels need a vector per text") {
  const std::string fields = R"("label_ngram_sizes": [1, 2], "label_ngram_buckets": 9)";
  const Description model = config_with(fields + R"(, "label_ngram_seed": 3)").description;
  REQUIRE(model.label_ngrams);
  CHECK(model.label_ngrams->sizes == std::vector<std::size_t>{1, 2});
  CHECK(model.label_ngrams->buckets == 9);
  CHECK(model.label_ngrams->seed == 3);
  const auto error_with = [&](const std::string& more) {
    return error_of([&] { config_with(more); });
  };
  CHECK(error_with(R"("label_ngram_seed": 3)").find("needs label_ngram_sizes") !=
        std::string::npos);
  CHECK(error_with(R"("label_ngram_sizes": [0], "label_ngram_buckets": 9)")
            .find("label_ngram_sizes[0]") != std::string::npos);
  CHECK(error_with(fields + R"(, "pooling": "label_attention")").find("one vector per text") !=
        std::string::npos);
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

TEST_CASE("rotary positions with infinite angles are refused") {
  const std::string rotary = "{" + kSizes + R"(, "position_embedding_type": "rotary", )";
  for (const char* fields : {R"("rope_frequencies": [[1e60]], "rope_layers": [0, 0]})",
                             R"("rope_scaling": {"rope_type": "linear", "factor": 1e-45}})"}) {
    const Json json = parse_json(rotary + R"("head_sizes": [2, 2], )" + fields, "c");
    CHECK(error_of([&] {
            read_family_config(find_family(json, "c").family, json, "c");
          }).starts_with("c: the angles of its rotary positions are too large for a number"));
  }
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
      {R"("attention_scale": 1e39)",
       "attention_scale: found 1e+39, expected a float32, at most 3.4e38"},
      {R"("layer_norm_eps": -1)", "layer_norm_eps: found -1, expected a number of at least 0"},
      {R"("norm_order": "after")",
       R"(norm_order: found "after", expected one of post, pre, sandwich, none)"},
      {R"("num_key_value_heads": 3)", "num_key_value_heads 3 does not divide the 2 heads"},
      {R"("num_key_value_heads": 1, "head_sizes": [2, 4])",
       "num_key_value_heads 1 needs equal head sizes"},
      {R"("num_key_value_heads": 1, "head_input": "slice")",
       "num_key_value_heads 1 cannot be combined with head_input slice"},
      {R"("position_buckets": 8)", "position_buckets needs relative_attention true"},
      {R"("pos_att_type": ["c2p"])", "pos_att_type needs relative_attention true"},
      {R"("relative_attention": true, "pos_att_type": ["p2p"])",
       "pos_att_type: found a list of 1, expected c2p, p2c or both"},
      {R"("relative_attention": true, "pos_att_type": [])",
       "pos_att_type: found a list of 0, expected c2p, p2c or both"},
      {R"("relative_attention": true, "position_buckets": 8, "max_relative_positions": 5)",
       "position_buckets 8 needs max_relative_positions of at least 6, found 5"},
      {R"("relative_attention": true, "share_att_key": true, "head_input": "slice")",
       "share_att_key true cannot be combined with head_input slice"},
      {R"("talking_head": true)", "talking_head true is not supported: expected false"},
      {R"("conv_groups": 2)", "conv_groups needs conv_kernel_size"},
      {R"("conv_kernel_size": 4)", "conv_kernel_size: found 4, expected an odd number"},
      {R"("conv_kernel_size": 3, "conv_groups": 4)", "conv_groups 4 does not divide hidden_size 6"},
      {R"("embedding_size": 4, "embedding_projection": false)",
       "embedding_projection false needs embedding_size 6, the hidden_size"},
      {R"("embedding_projection_first": true)",
       "embedding_projection_first true needs embedding_projection"},
      {R"("attention_window": [1])",
       "attention_window: found a list of 1, expected whole numbers up to 2147483647 or null, one "
       "for each of the 2 "
       "layers"},
      {R"("attention_window": -1)",
       "attention_window: found -1, expected a whole number of at least 0"},
      {R"("position_embedding_type": "rotary")",
       "position_embedding_type turns 3 numbers of each head of size 3; rotary positions need an "
       "even number"},
      {R"("position_embedding_type": "rotary", "head_sizes": [2, 4])",
       "position_embedding_type rotary needs equal head sizes"},
      {R"("position_embedding_type": "rotary", "head_sizes": [2, 2], "rope_theta": 1)",
       "rope_theta: found 1, expected a number above 1, or one for each of the 2 layers"},
      {R"("position_embedding_type": "rotary", "head_sizes": [2, 2],
           "rope_scaling": {"rope_type": "yarn"})",
       R"(rope_scaling.rope_type: found "yarn", expected one of default, linear, llama3)"},
      {R"("position_embedding_type": "rotary", "head_sizes": [2, 2], "rope_scaling": [null])",
       "rope_scaling: found a list of 1, expected an object, or a list with an object or null for "
       "each of the 2 layers"},
      {R"("position_embedding_type": "rotary", "rope_frequencies": {"a": [1]}, "rope_layers": [0, 0])",
       "rope_frequencies: found an object, expected a list of lists of numbers"},
      {R"("rope_theta": 500)", "rope_theta needs position_embedding_type rotary"},
      {R"("first_attention_norm": false)",
       "first_attention_norm false needs norm_order pre or sandwich"},
      {R"("head_norm": true)", "head_norm true needs head_dense_act"},
      {R"("last_skips_pad": true)", "last_skips_pad needs pooling last"},
      {R"("pad_token_id": 10)", "pad_token_id: found 10, expected a whole number from 0 to 9"},
      {R"("ngram_sizes": [2], "ngram_buckets": 9)", "ngram_sizes needs num_hidden_layers 0"},
      {R"("ngram_buckets": 9)", "ngram_buckets needs ngram_sizes"},
      {R"("ngram_seed": 9)", "ngram_seed needs ngram_sizes"},
      {R"("pad_to_length": 600)", "pad_to_length 600 is more than max_position_embeddings 512"},
      {R"("id2label": {})", "id2label: found an object, expected at least one label"},
      {R"("id2label": {"0": "a", "2": "b"})", "id2label has 2 labels, but none with the number 1"},
      {R"("id2label": ["a", "a"])", R"(id2label has two labels named "a")"},
      {R"("id2label": "a")", R"(id2label: found "a", expected an object {"0": …} or a list)"},
      {R"("head_dense_first": true)", "head_dense_first true needs head_dense_act"},
      {R"("head_dense_act": "relu", "head_dense_first": true, "normalize": true)",
       "head_dense_first cannot be combined with normalize or head_dense_size"},
      {R"("head_dense_size": 20)", "head_dense_size needs head_dense_act"},
      {R"("head_dense_act": "relu", "head_dense_size": 0)",
       "head_dense_size: found 0, expected a whole number of at least 1"},
      {R"("pooling": "none", "normalize": true)",
       "normalize needs a pooling that gives one vector per text"},
      {R"("output": "most")",
       R"(output: found "most", expected one of softmax, sigmoid, sigmoid_share, none)"},
      {R"("problem_type": "multi_label_classification", "output": "softmax")",
       "output needs a text with a single label"},
      {R"("pooling": "none", "folds": 2)",
       "folds needs a classifier of one vector per text, without n-grams"},
      {R"("pooling": "label_attention", "head_dense_act": "tanh")",
       "head_dense_act cannot be combined with pooling label_attention"},
      {R"("pooling": "none", "problem_type": "regression")",
       "problem_type must be single_label_classification with pooling none, a label for each "
       "token"},
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
