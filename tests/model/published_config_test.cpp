// config.json of published models: each family's defaults, what counts, and what is refused.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/json.h"
#include "model/families/family.h"

namespace headlight::published_config_test {
namespace {

using Strings = std::vector<std::string>;

/// A config of `model_type` with `fields` after it.
FamilyConfig config_with(const std::string& model_type, const std::string& fields = "") {
  const std::string text =
      "{\"model_type\": \"" + model_type + "\"" + (fields.empty() ? "" : ", " + fields) + "}";
  const Json json = parse_json(text, "c");
  return read_family_config(find_family(json, "c").family, json, "c");
}

std::string error_with(const std::string& model_type, const std::string& fields) {
  return error_of([&] { config_with(model_type, fields); });
}

TEST_CASE("a config that names nothing means the family's first model") {
  struct Row {
    const char* model_type;
    std::size_t vocab, d, layers, heads, f, max_positions, types, e;
    Activation activation;
    Activation head_dense;
  };
  const std::vector<Row> rows = {
      {"bert", 30522, 768, 12, 12, 3072, 512, 2, 768, Activation::gelu, Activation::tanh},
      {"distilbert", 30522, 768, 6, 12, 3072, 512, 0, 768, Activation::gelu, Activation::relu},
      {"roberta", 50265, 768, 12, 12, 3072, 510, 2, 768, Activation::gelu, Activation::tanh},
      {"xlm-roberta", 30522, 768, 12, 12, 3072, 510, 2, 768, Activation::gelu, Activation::tanh},
      {"xlm_roberta", 30522, 768, 12, 12, 3072, 510, 2, 768, Activation::gelu, Activation::tanh},
      {"camembert", 30522, 768, 12, 12, 3072, 510, 2, 768, Activation::gelu, Activation::tanh},
      {"electra", 30522, 256, 12, 4, 1024, 512, 2, 128, Activation::gelu, Activation::gelu},
      {"albert", 30000, 4096, 12, 64, 16384, 512, 2, 128, Activation::gelu_tanh, Activation::tanh},
      {"mpnet", 30527, 768, 12, 12, 3072, 510, 0, 768, Activation::gelu, Activation::tanh},
      {"ernie", 30522, 768, 12, 12, 3072, 512, 2, 768, Activation::gelu, Activation::tanh},
      {"data2vec-text", 30522, 768, 12, 12, 3072, 510, 2, 768, Activation::gelu, Activation::tanh},
      {"roberta-prelayernorm", 50265, 768, 12, 12, 3072, 510, 2, 768, Activation::gelu,
       Activation::tanh},
      {"rembert", 250300, 1152, 32, 18, 4608, 512, 2, 256, Activation::gelu, Activation::tanh},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model_type);
    const FamilyConfig config = config_with(row.model_type);
    const Description& model = config.description;
    CHECK(model.vocab_size == row.vocab);
    CHECK(model.hidden_size == row.d);
    CHECK(model.layers.size() == row.layers);
    CHECK(model.layers[0].heads.sizes == std::vector<std::size_t>(row.heads, row.d / row.heads));
    CHECK(model.layers[0].intermediate_size == row.f);
    CHECK(model.layers[0].activation == row.activation);
    CHECK(model.max_positions == row.max_positions);
    CHECK(model.embedding.type_vocab_size == row.types);
    CHECK(model.embedding.size == row.e);
    CHECK(model.embedding.projection == (row.e != row.d));
    CHECK(model.head_dense == row.head_dense);
    CHECK(model.layer_norm_eps == 1e-12F);
    CHECK(model.labels.empty());
    CHECK(config.has_head == std::nullopt);
  }
}

TEST_CASE("ALBERT's layers point to the weights of their groups, inner layers one after another") {
  struct Row {
    std::string fields;
    std::vector<std::size_t> weights;
  };
  const std::vector<Row> rows = {
      {R"("num_hidden_layers": 3)", {0, 0, 0}},
      {R"("num_hidden_layers": 3, "num_hidden_groups": 3)", {0, 1, 2}},
      {R"("num_hidden_layers": 3, "num_hidden_groups": 2)", {0, 0, 1}},
      {R"("num_hidden_layers": 2, "num_hidden_groups": 3)", {0, 1}},
      {R"("num_hidden_layers": 2, "num_hidden_groups": 2, "inner_group_num": 2)", {0, 1, 2, 3}},
      {R"("num_hidden_layers": 2, "inner_group_num": 2)", {0, 1, 0, 1}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.fields);
    std::vector<std::size_t> weights;
    for (const auto& layer : config_with("albert", row.fields).description.layers) {
      weights.push_back(layer.weights);
    }
    CHECK(weights == row.weights);
  }
  CHECK(config_with("albert", R"("num_hidden_groups": 1, "inner_group_num": 2)").layer_names ==
        Strings{".encoder.albert_layer_groups.0.albert_layers.0",
                ".encoder.albert_layer_groups.0.albert_layers.1"});
}

TEST_CASE("positions begin after the pad's id, which is always 1 in MPNet") {
  const auto roberta =
      config_with("roberta", R"("pad_token_id": 5, "max_position_embeddings": 20)").description;
  CHECK(roberta.max_positions == 14);
  CHECK(roberta.embedding.skipped_pad == TokenId{5});
  CHECK(roberta.embedding.first_position() == 6);
  const auto mpnet =
      config_with("mpnet", R"("pad_token_id": 5, "max_position_embeddings": 20)").description;
  CHECK(mpnet.max_positions == 18);
  CHECK(mpnet.embedding.skipped_pad == TokenId{1});
  CHECK(config_with("bert", R"("pad_token_id": null)").description.embedding.skipped_pad ==
        std::nullopt);
}

TEST_CASE("DeBERTa counts the terms of its scores, DeBERTa-v2 those that it knows") {
  struct Row {
    std::string model_type, fields;
    std::size_t terms;
    bool relative;
  };
  const std::vector<Row> rows = {
      {"deberta", "", 1, false},
      {"deberta", R"("pos_att_type": "c2p|p2c")", 3, false},
      {"deberta", R"("relative_attention": true, "pos_att_type": " P2C | none")", 3, true},
      {"deberta", R"("relative_attention": true, "pos_att_type": ["c2p"])", 2, true},
      {"deberta-v2", R"("relative_attention": true, "pos_att_type": "p2c|p2p")", 2, true},
      {"deberta-v2", R"("relative_attention": true, "pos_att_type": null)", 1, false},
      {"deberta-v2", R"("pos_att_type": ["c2p", "p2c"])", 3, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model_type);
    CAPTURE(row.fields);
    const Description model = config_with(row.model_type, row.fields).description;
    CHECK(model.layers[0].heads.score_terms == row.terms);
    CHECK(model.relative_attention.has_value() == row.relative);
  }
}

TEST_CASE(
    "DeBERTa-v2's span is position_buckets, else max_relative_positions, else all positions") {
  const auto relative = [](const std::string& fields) {
    return *config_with("deberta-v2",
                        R"("relative_attention": true, "pos_att_type": "c2p")" + fields)
                .description.relative_attention;
  };
  CHECK(relative("").span == 512);
  CHECK(relative(R"(, "max_relative_positions": -1, "position_buckets": -1)").span == 512);
  CHECK(relative(R"(, "max_relative_positions": 9)").span == 9);
  CHECK_FALSE(relative(R"(, "max_relative_positions": 9)").farthest);
  CHECK(relative(R"(, "position_buckets": 256)").span == 256);
  CHECK(relative(R"(, "position_buckets": 256)").farthest == 512);
  CHECK(relative(R"(, "norm_rel_ebd": "layer_norm")").norm);
  CHECK_FALSE(relative(R"(, "norm_rel_ebd": "none")").norm);
  CHECK(config_with("deberta-v2").description.layer_norm_eps == 1e-7F);
  CHECK(
      config_with("deberta", R"("position_biased_input": false)").description.embedding.positions ==
      PositionKind::none);
}

TEST_CASE("DistilBERT takes the usual names of its sizes too, and knows no epsilon") {
  const auto model = config_with("distilbert", R"("hidden_size": 8, "num_attention_heads": 4,
                                   "num_hidden_layers": 3, "layer_norm_eps": 0.1)")
                         .description;
  CHECK(model.hidden_size == 8);
  CHECK(model.layers.size() == 3);
  CHECK(model.layers[0].heads.sizes.size() == 4);
  CHECK(model.layer_norm_eps == 1e-12F);
}

TEST_CASE("labels are id2label's, else as many as num_labels says") {
  const FamilyConfig named =
      config_with("bert", R"("id2label": {"0": "a", "1": "b"}, "label2id": {"a": 0, "b": 1})");
  CHECK(named.description.labels == Strings{"a", "b"});
  CHECK(named.contradictions.empty());
  CHECK(config_with("bert", R"("id2label": null, "num_labels": 3)").description.labels ==
        Strings{"LABEL_0", "LABEL_1", "LABEL_2"});
  const FamilyConfig others = config_with(
      "bert", R"("id2label": {"0": 1, "1": -2, "2": 0.5, "3": true, "4": false, "5": null})");
  CHECK(others.description.labels == Strings{"1", "-2", "0.5", "True", "False", "None"});

  struct Row {
    std::string fields;
    std::string contradiction;
  };
  const std::vector<Row> rows = {
      {R"("num_labels": 3)", "num_labels is 3, but id2label, which is used, has 2 labels"},
      {R"("label2id": {"a": 1, "b": 0})",
       "label2id has 1 for \"a\", but id2label, which is used, has 0"},
      {R"("label2id": {"a": 0})",
       "label2id has no number for \"b\", but id2label, which is used, has 1"},
  };
  for (const Row& row : rows) {
    const auto config = config_with("bert", R"("id2label": {"0": "a", "1": "b"}, )" + row.fields);
    CHECK(config.description.labels == Strings{"a", "b"});
    CHECK(config.contradictions == Strings{row.contradiction});
  }
}

TEST_CASE("the problem type and a cross-encoder's activation count") {
  struct Row {
    std::string fields;
    ProblemType problem_type;
    std::optional<ScoreActivation> activation;
  };
  const auto single = ProblemType::single_label;
  const std::vector<Row> rows = {
      {R"("problem_type": null)", single, std::nullopt},
      {R"("problem_type": "regression")", ProblemType::regression, std::nullopt},
      {R"("problem_type": "multi_label_classification")", ProblemType::multi_label, std::nullopt},
      {R"("sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity")", single,
       ScoreActivation::none},
      {R"("sentence_transformers": {"activation_fn": "torch.nn.modules.activation.Sigmoid",
                                    "version": "4.0"})",
       single, ScoreActivation::sigmoid},
      {R"("sentence_transformers": {"version": "4.0"})", single, std::nullopt},
  };
  for (const Row& row : rows) {
    CAPTURE(row.fields);
    const auto model = config_with("bert", row.fields).description;
    CHECK(model.problem_type == row.problem_type);
    CHECK(model.score_activation == row.activation);
  }
}

TEST_CASE("the class says whether there is a classification head") {
  const std::string labels = R"("id2label": {"0": "a"}, "architectures": )";
  const FamilyConfig headless = config_with("bert", labels + R"(["BertForMaskedLM"])");
  CHECK(headless.has_head == false);
  CHECK(headless.architecture == "BertForMaskedLM");
  CHECK(headless.description.labels.empty());
  CHECK(config_with("bert", labels + R"(["BertForSequenceClassification"])").has_head == true);
  for (const char* undecided : {"null", "[]"}) {
    CHECK(config_with("bert", labels + undecided).has_head == std::nullopt);
  }
}

TEST_CASE("a class that labels tokens has its classifier directly on each token's vector") {
  for (const char* model_type :
       {"bert", "distilbert", "roberta", "camembert", "electra", "albert", "mpnet"}) {
    CAPTURE(model_type);
    const FamilyConfig config = config_with(
        model_type, R"("architectures": ["XForTokenClassification"], "id2label": ["O", "B-PER"],
                       "problem_type": "regression", "embedding_size": 256)");
    CHECK(config.has_head == true);
    CHECK(config.description.pooling == Pooling::each_token);
    CHECK(config.description.labels == Strings{"O", "B-PER"});
    CHECK_FALSE(config.description.head_dense);
    CHECK(config.description.problem_type == ProblemType::single_label);
    CHECK(classifier_name(config, "classifier.out_proj") == "classifier");
  }
}

TEST_CASE("what a family does not compute, or what is no size of a model, is refused") {
  struct Row {
    const char* model_type;
    std::string fields;
    std::string error;
  };
  const std::vector<Row> rows = {
      {"bert", R"("hidden_size": "x")",
       "hidden_size: found \"x\", expected a whole number of at least 1"},
      {"bert", R"("hidden_size": 10, "num_attention_heads": 4)",
       "hidden_size 10 is not divisible by num_attention_heads 4"},
      {"electra", R"("hidden_size": 10, "embedding_size": 5)",
       "hidden_size 10 is not divisible by num_attention_heads 4"},
      {"distilbert", R"("dim": 10)", "dim 10 is not divisible by n_heads 12"},
      {"distilbert", R"("n_heads": 2, "num_attention_heads": 4)",
       "n_heads 2 contradicts num_attention_heads 4, another name of the same field"},
      {"bert", R"("hidden_act": "swish9")", "hidden_act: found \"swish9\", expected one of"},
      {"distilbert", R"("activation": "laplace")", "activation: found \"laplace\", expected one"},
      {"bert", R"("layer_norm_eps": -1)",
       "layer_norm_eps: found -1, expected a number of at least 0"},
      {"bert", R"("type_vocab_size": 0)",
       "type_vocab_size: found 0, expected a whole number of at least 1"},
      {"bert", R"("position_embedding_type": "relative_key")",
       "position_embedding_type: found \"relative_key\", expected absolute, as relative positions "
       "are not supported"},
      {"roberta", R"("position_embedding_type": "relative_key_query")",
       "position_embedding_type: found \"relative_key_query\", expected absolute"},
      {"bert", R"("is_decoder": true)", "is_decoder true is not supported"},
      {"roberta", R"("add_cross_attention": true)", "add_cross_attention true is not supported"},
      {"bert", R"("quantization_config": {"bits": 4})",
       "quantization_config: found an object, expected none, as quantized weights are not "
       "supported"},
      {"bert", R"("quantization_config": {"quant_method": "gptq"})",
       "quantization_config: found an object, expected none, as quantized weights (\"gptq\") are "
       "not "
       "supported; use the original checkpoint"},
      {"bert", R"("auto_map": {"AutoModel": "m.M"})",
       "auto_map: found an object, expected none, as models with custom code are not "
       "supported"},
      {"bert", R"("problem_type": "ranking")",
       "problem_type: found \"ranking\", expected one of single_label_classification, "
       "multi_label_classification, regression"},
      {"bert", R"("sbert_ce_default_activation_function": "torch.nn.modules.activation.Tanh")",
       "sbert_ce_default_activation_function: found \"torch.nn.modules.activation.Tanh\", expected "
       "torch.nn.modules.linear.Identity or torch.nn.modules.activation.Sigmoid"},
      {"bert", R"("sentence_transformers": {"activation_fn": "mine.Sigmoid"})",
       "sentence_transformers.activation_fn: found \"mine.Sigmoid\", expected "},
      {"bert", R"("id2label": {"0": "a", "2": "b"})",
       "id2label has 2 labels, but none with the number 1"},
      {"bert", R"("id2label": {"0": "a", "1": "a"})", "id2label has two labels named \"a\""},
      {"bert", R"("architectures": "BertModel")", "architectures: found \"BertModel\", expected"},
      {"roberta", R"("pad_token_id": null)", "pad_token_id: found null"},
      {"deberta-v2", R"("pooler_hidden_size": 7)",
       "pooler_hidden_size 7 is not supported: expected hidden_size 1536"},
      {"deberta-v2", R"("attention_head_size": 7)",
       "attention_head_size 7 is not supported: expected hidden_size / num_attention_heads, 64"},
      {"deberta-v2", R"("conv_kernel_size": 2)", "conv_kernel_size 2 is not supported"},
      {"deberta-v2", R"("conv_kernel_size": 3, "conv_groups": 5)",
       "conv_groups 5 does not divide hidden_size 1536"},
      {"deberta-v2", R"("conv_kernel_size": 3, "conv_act": "none")", "conv_act: found \"none\""},
      {"deberta-v2", R"("relative_attention": true, "pos_att_type": "c2p", "position_buckets": 1)",
       "position_buckets 1 is not supported"},
      {"deberta", R"("talking_head": true)", "talking_head true is not supported: expected false"},
      {"deberta", R"("pooler_hidden_act": "bump")", "pooler_hidden_act: found \"bump\""},
      {"roberta", R"("pad_token_id": 50265)", "pad_token_id: found 50265"},
      {"roberta", R"("max_position_embeddings": 2)",
       "max_position_embeddings 2 leaves no positions for tokens; positions 0 to 1 are reserved"},
      {"mpnet", R"("relative_attention_num_buckets": 20)",
       "relative_attention_num_buckets: found 20, expected a whole number of at least 32"},
      {"albert", R"("num_hidden_layers": 0)",
       "num_hidden_layers: found 0, expected a whole number of at least 1"},
      {"albert", R"("inner_group_num": 4096)", "inner_group_num 4096 makes more than 4096 layers"},
      {"albert", R"("num_hidden_groups": 0)", "num_hidden_groups: found 0"},
      {"bloom", "",
       "model_type: \"bloom\" is not supported, expected headlight, bert, distilbert, "
       "roberta, xlm-roberta, xlm_roberta, camembert, electra, albert, mpnet"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.fields);
    const std::string found = error_with(row.model_type, row.fields);
    CHECK(found.substr(0, row.error.size() + 3) == "c: " + row.error);
  }
}

}  // namespace
}  // namespace headlight::published_config_test
