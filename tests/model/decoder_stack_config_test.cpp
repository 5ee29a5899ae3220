// config.json of BART and T5: an encoder and a decoder, and what is refused.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/json.h"
#include "model/families/family.h"

namespace headlight::decoder_stack_config_test {
namespace {

Description model_with(const std::string& fields) {
  const Json json = parse_json("{" + fields + "}", "c");
  return find_family(json, "c").family.read_config(json, "c").description;
}

TEST_CASE("a layer of a decoder is its own attention, then that to the encoder") {
  const Description model =
      model_with(R"("model_type": "bart", "encoder_layers": 1, "decoder_layers": 2,
                    "decoder_ffn_dim": 7, "decoder_attention_heads": 8)");
  REQUIRE(model.layers.size() == 5);
  REQUIRE(model.decoder);
  CHECK(model.decoder->first == 1);
  CHECK(model.decoder->start == TokenId{2});
  CHECK(model.last_reads == TokenId{2});
  CHECK(model.embedding.first_position() == 2);
  CHECK(model.max_positions == 1024);
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    CAPTURE(i);
    const LayerDescription& layer = model.layers[i];
    const bool own = i == 1 || i == 3;
    CHECK(layer.weights == i);
    CHECK(layer.crosses == (i == 2 || i == 4));
    CHECK((layer.heads.mask == AttentionMask::causal) == own);
    CHECK(layer.intermediate_size == (i == 0 ? 4096U : own ? 0U : 7U));
    CHECK(layer.heads.sizes.size() == (i == 0 ? 16U : 8U));
    CHECK(layer.norm_order == NormOrder::post);
  }
  CHECK_FALSE(model.final_norm);
}

TEST_CASE("mBART has norms before its sublayers, and begins with the text's last token") {
  const Description model = model_with(R"("model_type": "mbart", "scale_embedding": true)");
  CHECK(model.layers.size() == 36);
  CHECK_FALSE(model.decoder->start);
  CHECK(model.decoder->encoder_norm);
  CHECK(model.final_norm);
  CHECK(model.layers.back().norm_order == NormOrder::pre);
  CHECK(model.embedding.scale == 32.0F);
}

TEST_CASE("T5 has a bias by distance in each stack, UMT5 in each layer") {
  const Description t5 = model_with(R"("model_type": "t5", "num_layers": 2)");
  CHECK(t5.layers.size() == 6);
  REQUIRE(t5.relative_biases.size() == 2);
  CHECK_FALSE(t5.relative_biases[0].buckets.backward);
  CHECK(t5.relative_biases[1].buckets.backward);
  CHECK(t5.layers[1].heads.relative_bias == std::size_t{0});
  CHECK(t5.layers[2].heads.relative_bias == std::size_t{1});
  CHECK_FALSE(t5.layers[3].heads.relative_bias);
  CHECK(t5.layers[4].heads.relative_bias == std::size_t{1});
  CHECK(t5.layers[0].heads.scale == 1.0F);
  CHECK(t5.layers[0].activation == Activation::relu);
  CHECK_FALSE(t5.layers[0].gated);
  const Description umt5 = model_with(R"("model_type": "umt5")");
  CHECK(umt5.relative_biases.size() == 16);
  CHECK(umt5.layers[0].gated);
  CHECK(umt5.layers[0].activation == Activation::gelu_tanh);
  CHECK(umt5.vocab_size == 250112);
}

TEST_CASE("the saved fields dense_act_fn and is_gated_act of T5 win over feed_forward_proj") {
  struct Row {
    const char* fields;
    Activation activation;
    bool gated;
  };
  const std::vector<Row> rows = {
      {R"("feed_forward_proj": "gated-gelu")", Activation::gelu_tanh, true},
      {R"("feed_forward_proj": "gated-gelu", "dense_act_fn": "gelu")", Activation::gelu, true},
      {R"("feed_forward_proj": "relu", "dense_act_fn": "silu")", Activation::silu, false},
      {R"("feed_forward_proj": "relu", "is_gated_act": true)", Activation::relu, true},
      {R"("feed_forward_proj": "gated-silu", "is_gated_act": false)", Activation::silu, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.fields);
    const Description model = model_with(std::string(R"("model_type": "t5", )") + row.fields);
    for (const std::size_t layer : {std::size_t{0}, model.layers.size() - 1}) {
      CHECK(model.layers[layer].activation == row.activation);
      CHECK(model.layers[layer].gated == row.gated);
    }
  }
}

TEST_CASE("configs of other computations are refused by their field") {
  struct Row {
    const char* fields;
    const char* reason;
  };
  const std::vector<Row> rows = {
      {R"("model_type": "bart", "tie_word_embeddings": false)",
       "c: tie_word_embeddings false is not supported: both stacks share a table"},
      {R"("model_type": "bart", "decoder_attention_heads": 7)",
       "c: decoder_attention_heads 7 does not divide d_model 1024"},
      {R"("model_type": "bart", "encoder_layers": 3, "num_hidden_layers": 4)",
       "c: encoder_layers 3 contradicts num_hidden_layers 4, another name of the same field"},
      {R"("model_type": "bart", "is_causal": true)",
       "c: is_causal true is not supported: encoders read a text from both sides"},
      {R"("model_type": "t5", "is_causal": false)",
       "c: is_causal false is not supported: the decoder reads from left to right"},
      {R"("model_type": "t5", "feed_forward_proj": "gated-tan")",
       "c: feed_forward_proj: found \"gated-tan\", expected an activation, such as relu, or "
       "gated-gelu"},
      {R"("model_type": "t5", "num_layers": 0)", "c: num_layers 0 leaves no encoder"},
      {R"("model_type": "t5", "architectures": ["T5ForSequenceClassification"])",
       "c: decoder_start_token_id: missing"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.fields);
    CHECK(error_of([&] { model_with(row.fields); }) == row.reason);
  }
}

}  // namespace
}  // namespace headlight::decoder_stack_config_test
