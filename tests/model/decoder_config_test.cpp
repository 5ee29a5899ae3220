// config.json of ModernBERT and of decoders: both spellings of positions and windows, heads that
// share keys, and what is refused.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/json.h"
#include "model/families/family.h"

namespace headlight::decoder_config_test {
namespace {

using Sizes = std::vector<std::size_t>;

/// A config of `model_type` with `fields` after it.
FamilyConfig config_with(const std::string& model_type, const std::string& fields = "") {
  const std::string text =
      "{\"model_type\": \"" + model_type + "\"" + (fields.empty() ? "" : ", " + fields) + "}";
  const Json json = parse_json(text, "c");
  return read_family_config(find_family(json, "c").family, json, "c");
}

Description model_with(const std::string& model_type, const std::string& fields) {
  return config_with(model_type, fields).description;
}

/// The window of each layer; 0: none.
Sizes windows_of(const Description& model) {
  Sizes windows;
  for (const LayerDescription& layer : model.layers) {
    windows.push_back(layer.heads.window.value_or(0));
  }
  return windows;
}

/// The base of each layer's positions, from the angle of the second pair.
Sizes bases_of(const Description& model) {
  Sizes bases;
  for (const LayerDescription& layer : model.layers) {
    const auto& frequencies = model.rotary.at(layer.heads.rotary.value()).frequencies;
    const double pairs = static_cast<double>(frequencies.size());
    bases.push_back(static_cast<std::size_t>(std::lround(std::pow(frequencies.at(1), -pairs))));
  }
  return bases;
}

TEST_CASE("a config that names nothing means the first model of its family") {
  struct Row {
    const char* model_type;
    std::size_t vocab, d, layers, heads, head_size, group, f, max_positions;
    Activation activation;
    float epsilon;
    std::optional<TokenId> last_skips;
  };
  const auto none = std::nullopt;
  const auto silu = Activation::silu;
  const auto gelu = Activation::gelu;
  const auto tanh = Activation::gelu_tanh;
  const std::vector<Row> rows = {
      {"modernbert", 50368, 768, 22, 12, 64, 1, 1152, 8192, gelu, 1e-5F, none},
      {"modernbert-decoder", 50368, 768, 22, 12, 64, 1, 1152, 8192, gelu, 1e-5F, 50283},
      {"gpt2", 50257, 768, 12, 12, 64, 1, 3072, 1024, tanh, 1e-5F, none},
      {"llama", 32000, 4096, 32, 32, 128, 1, 11008, 2048, silu, 1e-6F, none},
      {"qwen2", 151936, 4096, 32, 32, 128, 1, 22016, 32768, silu, 1e-6F, none},
      {"qwen3", 151936, 4096, 32, 32, 128, 1, 22016, 32768, silu, 1e-6F, none},
      {"mistral", 32000, 4096, 32, 32, 128, 4, 14336, 131072, silu, 1e-6F, none},
      {"gemma", 256000, 3072, 28, 16, 256, 1, 24576, 8192, tanh, 1e-6F, 0},
      {"gemma3_text", 262208, 2304, 26, 8, 256, 2, 9216, 131072, tanh, 1e-6F, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model_type);
    const FamilyConfig config = config_with(row.model_type);
    const Description& model = config.description;
    const LayerDescription& layer = model.layers.at(1);
    CHECK(model.vocab_size == row.vocab);
    CHECK(model.hidden_size == row.d);
    CHECK(model.layers.size() == row.layers);
    CHECK(layer.heads.sizes == Sizes(row.heads, row.head_size));
    CHECK(layer.heads.group == row.group);
    CHECK(layer.intermediate_size == row.f);
    CHECK(model.max_positions == row.max_positions);
    CHECK(layer.activation == row.activation);
    CHECK(model.layer_norm_eps == row.epsilon);
    CHECK(model.last_skips == row.last_skips);
    CHECK(model.final_norm);
    CHECK(config.has_head == std::nullopt);
  }
}

TEST_CASE("ModernBERT's layers have a base and a window in either spelling") {
  struct Row {
    const char* model_type;
    std::string fields;
    Sizes windows;
    Sizes bases;
  };
  const std::string hub = R"("num_hidden_layers": 3, "global_attn_every_n_layers": 2)";
  const std::string types = R"("num_hidden_layers": 2, "layer_types": ["sliding_attention",
    "full_attention"], "rope_parameters": {"full_attention": {"rope_theta": 500},
    "sliding_attention": {"rope_type": "default", "rope_theta": 70.0}})";
  const std::vector<Row> rows = {
      {"modernbert", R"("num_hidden_layers": 4)", {0, 64, 64, 0}, {160000, 10000, 10000, 160000}},
      {"modernbert", hub + R"(, "local_attention": 7)", {0, 3, 0}, {160000, 10000, 160000}},
      {"modernbert",
       hub + R"(, "global_rope_theta": 300.0, "local_rope_theta": 20)",
       {0, 64, 0},
       {300, 20, 300}},
      {"modernbert", types, {64, 0}, {70, 500}},
      {"modernbert",
       types + R"(, "global_attn_every_n_layers": 1, "global_rope_theta": 9)",
       {64, 0},
       {70, 500}},
      {"modernbert", types + R"(, "sliding_window": 5)", {5, 0}, {70, 500}},
      {"modernbert-decoder", types, {63, 0}, {70, 500}},
      {"modernbert-decoder",
       types + R"(, "sliding_window": 5, "local_attention": 9)",
       {4, 0},
       {70, 500}},
      {"modernbert-decoder", R"("num_hidden_layers": 1, "local_attention": 0)", {0}, {160000}},
      {"qwen2", R"("num_hidden_layers": 2, "max_window_layers": 1)", {0, 0}, {10000, 10000}},
      {"qwen3",
       R"("num_hidden_layers": 2, "max_window_layers": 1, "use_sliding_window": true,
                   "sliding_window": 9, "rope_theta": 44.0)",
       {0, 8},
       {44, 44}},
      {"gemma3_text",
       R"("num_hidden_layers": 3, "sliding_window_pattern": 2, "rope_theta": 90,
                         "rope_local_base_freq": 40, "sliding_window": 6)",
       {5, 0, 5},
       {40, 90, 40}},
      {"mistral", R"("num_hidden_layers": 2)", {4095, 4095}, {10000, 10000}},
      {"mistral", R"("num_hidden_layers": 1, "sliding_window": null, "rope_theta": 50)", {0}, {50}},
      {"mistral",
       R"("num_hidden_layers": 3, "sliding_window": 6,
                     "layer_types": ["full_attention", "sliding_attention", "full_attention"])",
       {0, 5, 0},
       {10000, 10000, 10000}},
      {"gemma3_text",
       R"("num_hidden_layers": 1, "sliding_window": 6,
                         "use_bidirectional_attention": true)",
       {3},
       {10000}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.fields);
    const Description model = model_with(row.model_type, row.fields);
    CHECK(windows_of(model) == row.windows);
    CHECK(bases_of(model) == row.bases);
  }
}

TEST_CASE("scaled positions turn more slowly, in both spellings") {
  const std::string sizes =
      R"("hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 1)";
  const auto frequencies = [&](const std::string& model_type, const std::string& fields) {
    return model_with(model_type, sizes + ", " + fields).rotary.at(0).frequencies;
  };
  const auto plain = frequencies("llama", R"("rope_theta": 10000.0)");
  REQUIRE(plain.size() == 4);
  for (const char* spelling :
       {R"("rope_scaling": {"type": "linear", "factor": 4})",
        R"("rope_scaling": {"rope_type": "linear", "factor": 4.0}, "rope_parameters": {})",
        R"("rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 10000})"}) {
    CAPTURE(spelling);
    const auto scaled = frequencies("llama", spelling);
    REQUIRE(scaled.size() == plain.size());
    for (std::size_t k = 0; k < scaled.size(); ++k) CHECK(scaled[k] == plain[k] / 4.0F);
  }
  // Wavelengths 6, 63, 628 and 6283; between 100 / 4 and 100 the pairs are slowed down in part.
  const auto llama3 = frequencies(
      "llama", R"("rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
      "high_freq_factor": 4.0, "original_max_position_embeddings": 100})");
  REQUIRE(llama3.size() == 4);
  CHECK(llama3[0] == plain[0]);
  CHECK(llama3[1] < plain[1]);
  CHECK(llama3[1] > plain[1] / 8.0F);
  CHECK(llama3[2] == plain[2] / 8.0F);
  CHECK(llama3[3] == plain[3] / 8.0F);
  // A part that the kind `default` does not read.
  CHECK(frequencies("qwen2", R"("num_key_value_heads": 1, "partial_rotary_factor": 0.5)") == plain);
}

TEST_CASE("GPT-2's scores are scaled as its config says") {
  const std::string sizes = R"("n_embd": 8, "n_head": 2, "n_layer": 2)";
  const auto scales = [&](const std::string& fields) {
    const Description model = model_with("gpt2", sizes + fields);
    return std::vector{model.layers[0].heads.scale, model.layers[1].heads.scale};
  };
  using Scales = std::vector<std::optional<float>>;
  CHECK(scales("") == Scales{std::nullopt, std::nullopt});
  CHECK(scales(R"(, "scale_attn_weights": false)") == Scales{1.0F, 1.0F});
  CHECK(scales(R"(, "scale_attn_by_inverse_layer_idx": true)") == Scales{0.5F, 0.25F});
  CHECK(model_with("gpt2", sizes + R"(, "n_inner": 5)").layers[0].intermediate_size == 5);
}

TEST_CASE("a decoder skips the pad at the end, unless it has none") {
  CHECK(model_with("gpt2", R"("pad_token_id": 7)").last_skips == TokenId{7});
  CHECK(model_with("gemma3_text", R"("pad_token_id": null)").last_skips == std::nullopt);
  CHECK(model_with("llama", R"("pad_token_id": -1)").last_skips == std::nullopt);
}

TEST_CASE("what a decoder does not compute is refused by its field") {
  struct Row {
    const char* model_type;
    std::string fields;
    std::string error;
  };
  const std::string rope = R"("rope_scaling": {"rope_type": )";
  const std::vector<Row> rows = {
      {"llama", rope + R"("yarn", "factor": 4.0})",
       "rope_scaling.rope_type: found \"yarn\", expected one of default, linear, llama3"},
      {"llama", R"("rope_scaling": {"type": "dynamic", "factor": 2.0})",
       "rope_scaling.type: found \"dynamic\", expected one of default, linear, llama3"},
      {"qwen2", R"("rope_parameters": {"rope_type": "longrope"})",
       "rope_parameters.rope_type: found \"longrope\", expected one of"},
      {"gemma3_text", R"("rope_parameters": {"full_attention": {"rope_type": "proportional"}})",
       "rope_parameters.full_attention.rope_type: found \"proportional\", expected one of"},
      {"qwen3", R"("rope_parameters": {"full_attention": {"rope_type": "default"}})",
       "rope_parameters.full_attention: found an object, expected none, as all layers of this "
       "family have the same positions"},
      {"llama", rope + R"("linear"})", "rope_scaling.factor: missing, expected a number above 0"},
      {"llama", rope + R"("llama3", "factor": 8, "low_freq_factor": 4, "high_freq_factor": 4,
               "original_max_position_embeddings": 64})",
       "rope_scaling.high_freq_factor: found 4, expected a number above low_freq_factor"},
      {"llama", rope + R"("linear", "factor": 2, "partial_rotary_factor": 0.5})",
       "rope_scaling.partial_rotary_factor: found 0.5, expected 1, as this family turns whole "
       "heads"},
      {"llama", rope + R"("linear", "factor": 1e-45})",
       "the angles of its rotary positions are too large for a number"},
      {"llama", R"("rope_theta": 0)", "rope_theta: found 0, expected a number above 0"},
      {"llama", R"("head_dim": 3)",
       "rotary positions turn pairs of numbers, but 3 numbers of a head are turned"},
      {"llama", R"("num_key_value_heads": 5)",
       "num_key_value_heads 5 does not divide the 32 heads"},
      {"qwen2", R"("num_attention_heads": 4)",
       "num_key_value_heads 32 does not divide the 4 heads"},
      {"qwen2", R"("num_hidden_layers": 1, "layer_types": ["sliding_attention"])",
       "layer_types has sliding_attention, but use_sliding_window is false"},
      {"modernbert", R"("num_hidden_layers": 2, "layer_types": ["full_attention"])",
       "layer_types has 1 entries, expected 2, one per layer"},
      {"gemma3_text", R"("num_hidden_layers": 1, "layer_types": ["chunked_attention"])",
       "layer_types has \"chunked_attention\", expected full_attention or sliding_attention"},
      {"modernbert", R"("global_attn_every_n_layers": 0)",
       "global_attn_every_n_layers: found 0, expected a whole number of at least 1"},
      {"modernbert", R"("classifier_pooling": "max")",
       "classifier_pooling: found \"max\", expected one of cls, mean"},
      {"modernbert", R"("is_decoder": true)", "is_decoder true is not supported"},
      {"modernbert-decoder", R"("local_attention": 1)",
       "local_attention: found 1, expected a window of at least one position"},
      {"gemma3_text", R"("query_pre_attn_scalar": 0)",
       "query_pre_attn_scalar: found 0, expected a number above 0"},
      {"mistral", R"("sliding_window": 0)",
       "sliding_window: found 0, expected a whole number of at least 1"},
      {"mistral",
       R"("num_hidden_layers": 1, "sliding_window": null, "layer_types": ["sliding_attention"])",
       "sliding_window: found null, expected a whole number of at least 1"},
      {"gemma", R"("use_bidirectional_attention": true)",
       "use_bidirectional_attention true is not supported"},
      {"gpt2", R"("add_cross_attention": true)", "add_cross_attention true is not supported"},
      {"gpt2", R"("n_embd": 10, "hidden_size": 8)",
       "n_embd 10 contradicts hidden_size 8, another name of the same field"},
      {"gpt2", R"("n_embd": 10)", "n_embd 10 is not divisible by n_head 12"},
      {"llama", R"("is_causal": false)",
       "is_causal false is not supported: this family reads from left to right"},
      {"qwen2", R"("auto_map": {"AutoModel": "m.M"})", "auto_map: found an object, expected none"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.fields);
    const std::string found = error_of([&] { config_with(row.model_type, row.fields); });
    CHECK(found.substr(0, row.error.size() + 3) == "c: " + row.error);
  }
}

}  // namespace
}  // namespace headlight::decoder_config_test
