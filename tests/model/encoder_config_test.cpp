// config.json of the encoders after the first families: defaults, other names, and what is refused.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/json.h"
#include "model/families/family.h"

namespace headlight::encoder_config_test {
namespace {

/// A config of `model_type` with `fields` after it.
FamilyConfig config_with(const std::string& model_type, const std::string& fields = "") {
  const std::string text =
      "{\"model_type\": \"" + model_type + "\"" + (fields.empty() ? "" : ", " + fields) + "}";
  const Json json = parse_json(text, "c");
  return find_family(json, "c").family.read_config(json, "c");
}

TEST_CASE("XLM-RoBERTa-XL has the sizes of its first model, and norms in other places") {
  const Description model = config_with("xlm-roberta-xl").description;
  CHECK(model.vocab_size == 250880);
  CHECK(model.layers.size() == 36);
  CHECK(model.layers[0].heads.sizes == std::vector<std::size_t>(32, 80));
  CHECK(model.layers[0].intermediate_size == 10240);
  CHECK(model.layers[0].norm_order == NormOrder::pre);
  CHECK(model.max_positions == 512);
  CHECK(model.embedding.type_vocab_size == 1);
  CHECK_FALSE(model.embedding.layer_norm);
  CHECK(model.final_norm);
  CHECK(model.layer_norm_eps == 1e-5F);
}

TEST_CASE("ERNIE has an embedding of the task only if use_task_id is true") {
  CHECK(config_with("ernie").task_types == 0);
  CHECK(config_with("ernie", R"("use_task_id": false, "task_type_vocab_size": 4)").task_types == 0);
  CHECK(config_with("ernie", R"("use_task_id": true)").task_types == 3);
  CHECK(config_with("ernie", R"("use_task_id": true, "task_type_vocab_size": 4)").task_types == 4);
}

/// The frequency of the second pair in the first layer of a tiny model.
float second_frequency(const std::string& model_type) {
  const Description model =
      config_with(model_type,
                  R"("hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 1)")
          .description;
  return model.rotary.at(*model.layers.at(0).heads.rotary).frequencies.at(1);
}

TEST_CASE("rotary encoders have the reference's defaults") {
  struct Row {
    const char* model_type;
    std::size_t vocab, d, layers, heads, f, max_positions, types;
    float epsilon, base;
    Activation activation;
    bool gated, has_bias;
  };
  const std::vector<Row> rows = {
      {"nomic_bert", 30528, 768, 12, 12, 3072, 2048, 2, 1e-12F, 1e3F, Activation::silu, true,
       false},
      {"gte", 250048, 768, 12, 12, 3072, 8192, 1, 1e-12F, 16e4F, Activation::gelu, true, true},
      {"jina_embeddings_v3", 250002, 1024, 24, 16, 4096, 8194, 1, 1e-5F, 2e4F, Activation::gelu,
       false, true},
      {"eurobert", 128256, 768, 12, 12, 3072, 8192, 0, 1e-5F, 1e4F, Activation::silu, true, false},
      {"roformer", 50000, 768, 12, 12, 3072, 1536, 2, 1e-12F, 1e4F, Activation::gelu, false, true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model_type);
    const Description model = config_with(row.model_type).description;
    const LayerDescription& layer = model.layers.at(0);
    CHECK(model.vocab_size == row.vocab);
    CHECK(model.hidden_size == row.d);
    CHECK(model.layers.size() == row.layers);
    CHECK(layer.heads.sizes == std::vector<std::size_t>(row.heads, row.d / row.heads));
    CHECK(layer.intermediate_size == row.f);
    CHECK(model.max_positions == row.max_positions);
    CHECK(model.embedding.type_vocab_size == row.types);
    CHECK(model.embedding.positions == PositionKind::rotary);
    CHECK(model.layer_norm_eps == row.epsilon);
    CHECK(layer.activation == row.activation);
    CHECK(layer.gated == row.gated);
    CHECK(layer.heads.bias == row.has_bias);
    const float second = second_frequency(row.model_type);
    CHECK(1.0F / (second * second) == doctest::Approx(row.base));  // base^(-2/4)
    CHECK(model.rotary.size() == 1);
    CHECK(model.rotary[0].frequencies.size() == row.d / row.heads / 2);
  }
}

TEST_CASE("NomicBERT takes the names of older configs") {
  const std::string sizes = R"("n_embd": 12, "n_head": 3, "n_inner": 10, "n_layer": 2,
      "n_positions": 99, "layer_norm_epsilon": 0.5, "rotary_emb_base": 16)";
  const Description model = config_with("nomic_bert", sizes).description;
  CHECK(model.hidden_size == 12);
  CHECK(model.layers.size() == 2);
  CHECK(model.layers[0].heads.sizes == std::vector<std::size_t>{4, 4, 4});
  CHECK(model.layers[0].intermediate_size == 10);
  CHECK(model.max_positions == 99);
  CHECK(model.layer_norm_eps == 0.5F);
  CHECK(model.rotary[0].frequencies == std::vector<float>{1.0F, 0.25F});
  const auto both =
      config_with("nomic_bert", sizes + R"(, "rope_theta": 4, "max_position_embeddings": 20)")
          .description;
  CHECK(both.max_positions == 99);
  CHECK(both.rotary[0].frequencies == std::vector<float>{1.0F, 0.5F});
}

TEST_CASE("RoFormer reads no field about its positions, and its head has the layers' activation") {
  const std::vector<float> plain = config_with("roformer").description.rotary.at(0).frequencies;
  for (const char* fields :
       {R"("rope_theta": 77)", R"("rope_parameters": {"rope_theta": 77, "rope_type": "default"})",
        R"("rope_scaling": {"type": "linear", "factor": 4})", R"("rope_scaling": {"type": "yarn"})",
        R"("partial_rotary_factor": 0.5)"}) {
    CAPTURE(fields);
    CHECK(config_with("roformer", fields).description.rotary.at(0).frequencies == plain);
  }
  const std::string none = R"("num_hidden_layers": 0)";
  CHECK(config_with("roformer", none).description.head_dense == Activation::gelu);
  CHECK(config_with("roformer", none + R"(, "hidden_act": "relu")").description.head_dense ==
        Activation::relu);
}

TEST_CASE("EuroBERT pools the logits of all tokens, their vectors, or the first one's") {
  const Description late = config_with("eurobert").description;
  CHECK(late.pooling == Pooling::mean);
  CHECK(late.head_dense_first);
  CHECK(late.final_norm);
  CHECK(late.layer_norm_form == LayerNormForm::rms);
  const auto mean = config_with("eurobert", R"("classifier_pooling": "mean")").description;
  CHECK(mean.pooling == Pooling::mean);
  CHECK_FALSE(mean.head_dense_first);
  const auto bos = config_with("eurobert", R"("classifier_pooling": "bos", "clf_pooling": "bos",
                                              "num_key_value_heads": 4)")
                       .description;
  CHECK(bos.pooling == Pooling::cls);
  CHECK(bos.layers[0].heads.group == 3);
}

TEST_CASE("what these families do not compute is refused") {
  struct Row {
    const char* model_type;
    std::string fields;
    std::string error;
  };
  const std::vector<Row> rows = {
      {"ernie", R"("use_task_id": true, "task_type_vocab_size": 0)",
       "task_type_vocab_size: found 0, expected a whole number of at least 1"},
      {"ernie", R"("position_embedding_type": "relative_key")",
       "position_embedding_type: found \"relative_key\", expected absolute"},
      {"data2vec-text", R"("pad_token_id": null)", "pad_token_id: found null"},
      {"roberta-prelayernorm", R"("is_decoder": true)", "is_decoder true is not supported"},
      {"gte", R"("is_causal": true)", "is_causal true is not supported: encoders read a text from"},
      {"xlm-roberta-xl", R"("max_position_embeddings": 2)",
       "max_position_embeddings 2 leaves no positions for tokens"},
      {"nomic_bert", R"("qkv_proj_bias": true)", "qkv_proj_bias: found true, expected false"},
      {"nomic_bert", R"("prenorm": true)", "prenorm: found true, expected false"},
      {"nomic_bert", R"("activation_function": "geglu")",
       "activation_function: found \"geglu\", expected swiglu"},
      {"nomic_bert", R"("moe_every_n_layers": 2)", "moe_every_n_layers: found 2, expected 0 or"},
      {"nomic_bert", R"("rotary_emb_fraction": 0.5)", "rotary_emb_fraction: found 0.5, expected 1"},
      {"nomic_bert", R"("n_embd": 1024, "hidden_size": 768)",
       "hidden_size 768 contradicts n_embd 1024, another name of the same field"},
      {"nomic_bert", R"("hidden_size": 9, "num_attention_heads": 3)",
       "rotary positions turn pairs of numbers, but 3 numbers of a head are turned"},
      {"gte", R"("rope_scaling": {"type": "ntk", "factor": 8.0})",
       "rope_scaling.type: found \"ntk\", expected one of default, linear, llama3"},
      {"gte", R"("logn_attention_scale": true)",
       "logn_attention_scale: found true, expected false"},
      {"gte", R"("layer_norm_type": "rms_norm")",
       "layer_norm_type: found \"rms_norm\", expected layer_norm"},
      {"gte", R"("position_embedding_type": "absolute")",
       "position_embedding_type: found \"absolute\", expected rope"},
      {"jina_embeddings_v3", R"("rope_parameters": {"rope_type": "yarn", "factor": 2.0})",
       "rope_parameters.rope_type: found \"yarn\", expected one of default, linear, llama3"},
      {"eurobert", R"("classifier_pooling": "max")",
       "classifier_pooling: found \"max\", expected one of late, mean, bos"},
      {"eurobert", R"("clf_pooling": "bos")", "clf_pooling: found \"bos\", expected late, as "},
      {"eurobert", R"("num_key_value_heads": 5)",
       "num_key_value_heads 5 does not divide the 12 heads"},
      {"roformer", R"("hidden_size": 9, "num_attention_heads": 3)",
       "hidden_size gives heads of 3 numbers, but rotary positions turn pairs of numbers"},
      {"roformer", R"("rotary_value": true)", "rotary_value: found true, expected false"},
      {"rembert", R"("input_embedding_size": 0)",
       "input_embedding_size: found 0, expected a whole number of at least 1"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.fields);
    const std::string found = error_of([&] { config_with(row.model_type, row.fields); });
    CHECK(found.substr(0, row.error.size() + 3) == "c: " + row.error);
  }
}

}  // namespace
}  // namespace headlight::encoder_config_test
