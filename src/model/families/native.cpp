#include "model/families/native.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"
#include "base/fields.h"
#include "base/utf8.h"
#include "model/families/config_fields.h"
#include "model/families/families.h"

namespace headlight {
namespace {

constexpr std::size_t kLongestPadding = 65536;

std::vector<std::size_t> read_head_sizes(Fields& fields, std::size_t hidden_size) {
  const std::size_t heads = fields.required_size("num_attention_heads", 1, kMostHeads);
  if (fields.find("head_sizes") != nullptr) {
    auto sizes = fields.sizes("head_sizes", 1);
    if (sizes.size() != heads) {
      fields.fail("head_sizes", std::to_string(heads) + " numbers, one per head");
    }
    return sizes;
  }
  if (hidden_size % heads != 0) {
    throw Error(fields.where(),
                "hidden_size " + std::to_string(hidden_size) +
                    " is not divisible by num_attention_heads " + std::to_string(heads),
                "head_sizes can set one size per head");
  }
  return std::vector<std::size_t>(heads, hidden_size / heads);
}

HeadsDescription read_heads(Fields& fields, std::size_t hidden_size) {
  HeadsDescription heads;
  heads.sizes = read_head_sizes(fields, hidden_size);
  heads.input = fields.choice_or("head_input", HeadInput::full,
                                 {{"full", HeadInput::full}, {"slice", HeadInput::slice}});
  heads.scale = read_float(fields, "attention_scale");
  heads.mask = fields.choice_or(
      "attention_mask", AttentionMask::bidirectional,
      {{"bidirectional", AttentionMask::bidirectional}, {"causal", AttentionMask::causal}});
  heads.bias = fields.flag_or("attention_bias", true);
  heads.output_projection = fields.flag_or("attention_output_projection", true);
  const auto differs = [&](std::size_t size) { return size != heads.sizes.front(); };
  if (heads.input == HeadInput::slice &&
      (std::any_of(heads.sizes.begin(), heads.sizes.end(), differs) ||
       heads.width() != hidden_size)) {
    fields.complain("head_input", "slice needs equal head sizes that add up to hidden_size " +
                                      std::to_string(hidden_size));
  }
  return heads;
}

std::optional<std::size_t> read_pad_to_length(Fields& fields, const Description& model) {
  if (fields.find_value("pad_to_length") == nullptr) return std::nullopt;
  const std::size_t length = fields.required_size("pad_to_length", 1, kLongestPadding);
  if (length > model.max_positions) {
    fields.complain("pad_to_length", std::to_string(length) +
                                         " is more than max_position_embeddings " +
                                         std::to_string(model.max_positions));
  }
  return length;
}

void read_layers(Fields& fields, Description& model) {
  LayerDescription layer;
  layer.heads = read_heads(fields, model.hidden_size);
  layer.intermediate_size = fields.size_or("intermediate_size", 4 * model.hidden_size, 0);
  if (fields.find("hidden_act") != nullptr)
    layer.activation = read_activation(fields, "hidden_act");
  layer.residual = fields.flag_or("residual", true);
  layer.norm_order = fields.choice_or(
      "norm_order", NormOrder::post,
      {{"post", NormOrder::post}, {"pre", NormOrder::pre}, {"none", NormOrder::none}});
  const std::size_t count = fields.required_size("num_hidden_layers", 0, kMostLayers);
  model.layers.assign(count, layer);
  for (std::size_t i = 0; i < count; ++i) model.layers[i].weights = i;
  model.final_norm = fields.flag_or("final_norm", layer.norm_order == NormOrder::pre);
  model.label_heads = layer.heads;
  model.label_heads.input = HeadInput::full;
  model.label_heads.mask = AttentionMask::bidirectional;
}

void read_head(Fields& fields, Description& model) {
  model.pooling = fields.choice_or("pooling", Pooling::mean,
                                   {{"cls", Pooling::cls},
                                    {"last", Pooling::last},
                                    {"mean", Pooling::mean},
                                    {"max", Pooling::max},
                                    {"label_attention", Pooling::label_attention},
                                    {"none", Pooling::each_token}});
  if (fields.find_value("head_dense_act") != nullptr) {
    model.head_dense = read_activation(fields, "head_dense_act");
    if (model.pooling == Pooling::label_attention) {
      fields.complain("head_dense_act", "cannot be combined with pooling label_attention");
    }
  }
  model.classifier_bias = fields.flag_or("classifier_bias", true);
  model.labels = read_labels(fields);
  model.problem_type = fields.choice_or("problem_type", ProblemType::single_label,
                                        {{"single_label_classification", ProblemType::single_label},
                                         {"multi_label_classification", ProblemType::multi_label},
                                         {"regression", ProblemType::regression}});
  if (model.pooling == Pooling::each_token && model.problem_type != ProblemType::single_label) {
    fields.complain(
        "problem_type",
        "must be single_label_classification with pooling none, a label for each token");
  }
}

/// Without an output projection, the width of the heads must be hidden_size if their output is
/// added to other vectors or read by another layer. A single layer without these may have any
/// width.
void check_bare_heads(const Fields& fields, const Description& model) {
  const std::size_t width = model.label_heads.width();
  const bool reads_heads = !model.layers.empty() || model.pooling == Pooling::label_attention;
  if (model.label_heads.output_projection || width == model.hidden_size || !reads_heads) return;
  const bool alone = model.layers.size() == 1 && !model.layers[0].residual &&
                     model.layers[0].norm_order == NormOrder::none &&
                     model.layers[0].intermediate_size == 0 && !model.head_dense &&
                     model.pooling != Pooling::label_attention;
  if (!alone) {
    fields.complain("attention_output_projection",
                    "false needs head sizes that add up to hidden_size " +
                        std::to_string(model.hidden_size) + ", found " + std::to_string(width));
  }
}

void read_tokenizer(Fields& fields, FamilyConfig& config) {
  const Json* json = fields.find_value("tokenizer");
  if (json == nullptr) return;
  config.has_tokenizer = true;
  Fields own(*json, fields.where(), fields.path_of("tokenizer"));
  TokenizerSettings& settings = config.tokenizer;
  settings.type = own.choice_or("type", TokenizerSettings::Type::wordpiece,
                                {{"wordpiece", TokenizerSettings::Type::wordpiece},
                                 {"words", TokenizerSettings::Type::words},
                                 {"whitespace", TokenizerSettings::Type::whitespace}});
  settings.lowercase = own.flag_or("lowercase", false);
  const bool null_accents =
      own.find("strip_accents") != nullptr && own.find_value("strip_accents") == nullptr;
  settings.strip_accents =
      null_accents ? std::nullopt : std::optional(own.flag_or("strip_accents", false));
  settings.remove_punctuation = own.flag_or("remove_punctuation", false);
  settings.unk_token = own.nullable_string_or("unk_token", settings.unk_token);
  settings.cls_token = own.nullable_string_or("cls_token", settings.cls_token);
  settings.sep_token = own.nullable_string_or("sep_token", settings.sep_token);
  if (own.find("add_special_tokens") != nullptr) {
    settings.add_special_tokens = own.flag_or("add_special_tokens", false);
  }
  if (own.find("vocabulary") != nullptr) {
    config.vocabulary = own.strings("vocabulary");
    if (config.vocabulary.empty()) own.fail("vocabulary", "at least one word");
    std::set<std::string> seen;
    for (const auto& word : config.vocabulary) {
      if (!seen.insert(word).second)
        own.complain("vocabulary", "has \"" + shortened(word) + "\" twice");
    }
  }
  own.refuse_unknown();
}

/// Requests the tensors of a model from a source by the names in the specification.
class WeightReader {
 public:
  WeightReader(const Description& model, TensorSource& source) : model_(model), source_(source) {}

  Linear linear(const std::string& name, std::size_t out, std::size_t in, bool bias) {
    Linear layer;
    layer.weight = source_.weight(name + ".weight", out, in);
    if (bias) layer.bias = source_.floats(name + ".bias", {out});
    return layer;
  }

  LayerNorm norm(const std::string& name) {
    const std::size_t d = model_.hidden_size;
    return {source_.floats(name + ".weight", {d}), source_.floats(name + ".bias", {d}),
            model_.layer_norm_eps, model_.layer_norm_form};
  }

  std::optional<LayerNorm> norm_if(bool wanted, const std::string& name) {
    return wanted ? std::optional(norm(name)) : std::nullopt;
  }

  EmbeddingWeights embeddings() {
    const std::size_t d = model_.hidden_size;
    const EmbeddingDescription& embedding = model_.embedding;
    EmbeddingWeights weights;
    weights.token = source_.table("embeddings.token.weight", model_.vocab_size, d);
    if (embedding.positions == PositionKind::absolute) {
      weights.position = source_.table("embeddings.position.weight", model_.max_positions, d);
    }
    if (embedding.type_vocab_size > 0) {
      weights.token_type =
          source_.table("embeddings.token_type.weight", embedding.type_vocab_size, d);
    }
    weights.norm = norm_if(embedding.layer_norm, "embeddings.norm");
    return weights;
  }

  AttentionWeights attention(const std::string& name, const HeadsDescription& heads) {
    const std::size_t d = model_.hidden_size;
    const std::size_t in = heads.input == HeadInput::slice ? heads.sizes.front() : d;
    AttentionWeights weights;
    weights.query = linear(name + ".query", heads.width(), in, heads.bias);
    weights.key = linear(name + ".key", heads.width(), in, heads.bias);
    weights.value = linear(name + ".value", heads.width(), in, heads.bias);
    if (heads.output_projection) {
      weights.output = linear(name + ".output", d, heads.width(), heads.bias);
    }
    return weights;
  }

  LayerWeights layer(std::size_t index) {
    const LayerDescription& description = model_.layers[index];
    const std::string name = "layers." + std::to_string(index);
    const std::size_t d = model_.hidden_size;
    const std::size_t f = description.intermediate_size;
    const bool normed = description.norm_order != NormOrder::none;
    LayerWeights weights;
    weights.attention = attention(name + ".attention", description.heads);
    weights.attention.norm = norm_if(normed, name + ".attention.norm");
    if (f > 0) {
      FeedForwardWeights& feed_forward = weights.feed_forward.emplace();
      feed_forward.up = linear(name + ".feed_forward.up", f, d, true);
      feed_forward.down = linear(name + ".feed_forward.down", d, f, true);
      feed_forward.norm = norm_if(normed, name + ".feed_forward.norm");
    }
    return weights;
  }

 private:
  const Description& model_;
  TensorSource& source_;
};

constexpr std::array kTypes = {ModelType{"headlight", ""}};

}  // namespace

FamilyConfig read_native_config(const Json& config_json, const std::string& where) {
  Fields fields(config_json, where);
  FamilyConfig config;
  config.where = where;
  config.has_head = true;
  config.classifier_tensor = "classifier.weight";
  Description& model = config.description;
  fields.required_string("model_type");
  model.vocab_size = fields.required_size("vocab_size", 1);
  model.hidden_size = fields.required_size("hidden_size", 1);
  model.max_positions = fields.size_or("max_position_embeddings", 512, 1);
  model.embedding.positions = fields.choice_or("position_embedding_type", PositionKind::sinusoidal,
                                               {{"sinusoidal", PositionKind::sinusoidal},
                                                {"absolute", PositionKind::absolute},
                                                {"none", PositionKind::none}});
  model.embedding.size = model.hidden_size;
  model.embedding.type_vocab_size = fields.size_or("type_vocab_size", 0, 0);
  model.embedding.scale = read_float(fields, "embedding_scale").value_or(1.0F);
  model.embedding.layer_norm = fields.flag_or("embedding_layer_norm", false);
  model.layer_norm_eps = read_float(fields, "layer_norm_eps").value_or(1e-5F);
  if (model.layer_norm_eps < 0.0F) fields.fail("layer_norm_eps", "a number of at least 0");
  model.layer_norm_form = fields.choice_or(
      "layer_norm_form", LayerNormForm::variance,
      {{"variance", LayerNormForm::variance}, {"deviation", LayerNormForm::deviation}});
  read_layers(fields, model);
  read_head(fields, model);
  check_bare_heads(fields, model);
  model.pad_token_id = static_cast<TokenId>(
      fields.size_or("pad_token_id", 0, 0, std::max<std::size_t>(model.vocab_size, 1) - 1));
  model.pad_to_length = read_pad_to_length(fields, model);
  read_tokenizer(fields, config);
  fields.refuse_unknown();
  return config;
}

Weights read_native_weights(FamilyConfig& config, TensorSource& source) {
  settle_labels(config, source);
  const Description& model = config.description;
  WeightReader reader(model, source);
  const std::size_t d = model.hidden_size;
  Weights weights;
  weights.embeddings = reader.embeddings();
  for (std::size_t i = 0; i < model.layers.size(); ++i) weights.layers.push_back(reader.layer(i));
  weights.final_norm = reader.norm_if(model.final_norm, "final_norm");
  if (model.pooling == Pooling::label_attention) {
    LabelAttentionWeights& labels = weights.label_attention.emplace();
    labels.queries = source.matrix("label_attention.queries", model.classes(), d);
    labels.attention = reader.attention("label_attention", model.label_heads);
  }
  if (model.head_dense) weights.head_dense = reader.linear("head.dense", d, d, true);
  weights.classifier =
      reader.linear("classifier", model.classes(), model.encoded_size(), model.classifier_bias);
  return weights;
}

constinit const Family kNativeFamily = {kTypes, &read_native_config, &read_native_weights, false};

}  // namespace headlight
