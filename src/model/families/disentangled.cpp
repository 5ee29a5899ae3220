#include "model/families/disentangled.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

#include "base/json.h"
#include "model/families/config_fields.h"
#include "model/relative_tables.h"

namespace headlight {
namespace {

constexpr std::string_view kPrefix = "deberta.";

/// " C2P | p2c" → {"c2p", "p2c"}
std::vector<std::string> split_at_bars(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == '|') {
      parts.emplace_back();
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      parts.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return parts;
}

/// The tables can have a width of their own, with a projection before the norm.
void read_embedding(Fields& fields, Description& model) {
  EmbeddingDescription& embedding = model.embedding;
  const bool absolute = fields.find_value("position_biased_input") == nullptr ||
                        fields.flag_or("position_biased_input", true);
  embedding.positions = absolute ? PositionKind::absolute : PositionKind::none;
  embedding.type_vocab_size = fields.size_or("type_vocab_size", 0, 0);
  read_embedding_size(fields, model.hidden_size, model);
  embedding.projection = embedding.size != model.hidden_size;
  embedding.projection_first = embedding.projection;
}

void read_pooler(Fields& fields, Description& model) {
  const bool named = fields.find_value("pooler_hidden_act") != nullptr;
  model.head_dense = named ? read_activation(fields, "pooler_hidden_act") : Activation::gelu;
  if (fields.find_value("pooler_hidden_size") == nullptr) return;
  const std::size_t size = fields.required_size("pooler_hidden_size", 1);
  if (size != model.hidden_size) {
    fields.complain("pooler_hidden_size", std::to_string(size) +
                                              " is not supported: expected hidden_size " +
                                              std::to_string(model.hidden_size));
  }
}

EmbeddingWeights read_embeddings(const DisentangledReader& reader) {
  const Description& model = reader.model();
  const EmbeddingDescription& embedding = model.embedding;
  const std::string name = "deberta.embeddings.";
  EmbeddingWeights weights;
  weights.token = reader.table(name + "word_embeddings", model.vocab_size, embedding.size);
  if (embedding.positions == PositionKind::absolute) {
    weights.position =
        reader.table(name + "position_embeddings", model.max_positions, embedding.size);
  }
  if (embedding.type_vocab_size > 0) {
    weights.token_type =
        reader.table(name + "token_type_embeddings", embedding.type_vocab_size, embedding.size);
  }
  weights.norm = reader.norm(name + "LayerNorm", model.hidden_size);
  if (embedding.projection) {
    weights.projection.emplace();
    weights.projection->weight = reader.source().weight(reader.in_file(name + "embed_proj.weight"),
                                                        model.hidden_size, embedding.size);
  }
  return weights;
}

LayerWeights read_layer(const DisentangledReader& reader, const std::string& name,
                        ReadAttention read_attention) {
  const Description& model = reader.model();
  const std::size_t d = model.hidden_size;
  const std::size_t f = model.layers.front().intermediate_size;
  LayerWeights weights;
  weights.attention = read_attention(reader, name + ".attention.self.");
  weights.attention.output = reader.linear(name + ".attention.output.dense", d, d);
  weights.attention.norm = reader.norm(name + ".attention.output.LayerNorm", d);
  FeedForwardWeights& feed_forward = weights.feed_forward.emplace();
  feed_forward.up = reader.linear(name + ".intermediate.dense", f, d);
  feed_forward.down = reader.linear(name + ".output.dense", d, f);
  feed_forward.norm = reader.norm(name + ".output.LayerNorm", d);
  return weights;
}

RelativeWeights read_relative(const DisentangledReader& reader) {
  const Description& model = reader.model();
  const RelativeAttention& relative = *model.relative_attention;
  RelativeWeights weights;
  weights.embeddings =
      reader.source().matrix(reader.in_file("deberta.encoder.rel_embeddings.weight"),
                             2 * relative.span, model.hidden_size);
  if (relative.norm) weights.norm = reader.norm("deberta.encoder.LayerNorm", model.hidden_size);
  return weights;
}

ConvolutionWeights read_convolution(const DisentangledReader& reader) {
  const Description& model = reader.model();
  const ConvolutionDescription& convolution = *model.convolution;
  const std::size_t d = model.hidden_size;
  const std::string name = reader.in_file("deberta.encoder.conv.conv");
  ConvolutionWeights weights;
  weights.linear.weight = reader.source().convolution_weight(
      name + ".weight", d, d / convolution.groups, convolution.kernel);
  weights.linear.bias = reader.source().floats(name + ".bias", {d});
  weights.norm = reader.norm("deberta.encoder.conv.LayerNorm", d);
  return weights;
}

}  // namespace

FamilyConfig read_disentangled_config(Fields& fields, const PublishedFields& names) {
  FamilyConfig config = read_published_config(fields, names);
  Description& model = config.description;
  read_embedding(fields, model);
  read_pooler(fields, model);
  config.layer_names = numbered_layers("deberta.encoder.layer", model.layers.size());
  return config;
}

std::vector<std::string> read_position_terms(Fields& fields) {
  const Json* json = fields.find_value("pos_att_type");
  if (json == nullptr) return {};
  if (json->is_string()) return split_at_bars(json->get<std::string>());
  return fields.strings("pos_att_type");
}

std::optional<std::size_t> read_positive(Fields& fields, const char* name) {
  if (fields.find_value(name) == nullptr) return std::nullopt;
  const double value = fields.number_or(name, 0.0);
  if (value < 1.0) return std::nullopt;
  return fields.required_size(name, 1);
}

bool read_switch(Fields& fields, const char* name) {
  return fields.find_value(name) != nullptr && fields.flag_or(name, false);
}

std::optional<RelativeAttention> read_relative_attention(Fields& fields,
                                                         const std::vector<std::string>& terms,
                                                         const Description& model) {
  const auto has = [&](const char* term) {
    return std::find(terms.begin(), terms.end(), term) != terms.end();
  };
  RelativeAttention relative;
  relative.content_to_position = has("c2p");
  relative.position_to_content = has("p2c");
  relative.span = read_positive(fields, "max_relative_positions").value_or(model.max_positions);
  if (!read_switch(fields, "relative_attention")) return std::nullopt;
  if (!relative.content_to_position && !relative.position_to_content) return std::nullopt;
  return relative;
}

DisentangledReader::DisentangledReader(const Description& model, TensorSource& source)
    : model_(model), source_(source) {
  const std::string words = "embeddings.word_embeddings.weight";
  bare_ = !source.has(std::string(kPrefix) + words) && source.has(words);
}

std::string DisentangledReader::in_file(const std::string& name) const {
  return bare_ && name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

bool DisentangledReader::has(const std::string& name) const {
  return source_.has(in_file(name) + ".weight");
}

Linear DisentangledReader::linear(const std::string& name, std::size_t out, std::size_t in) const {
  const std::string own = in_file(name);
  return {source_.weight(own + ".weight", out, in), source_.floats(own + ".bias", {out})};
}

LayerNorm DisentangledReader::norm(const std::string& name, std::size_t size) const {
  const std::string own = in_file(name);
  const bool old = !source_.has(own + ".weight") && source_.has(own + ".gamma");
  return {source_.floats(own + (old ? ".gamma" : ".weight"), {size}),
          source_.floats(own + (old ? ".beta" : ".bias"), {size}), model_.layer_norm_eps,
          model_.layer_norm_form};
}

Table DisentangledReader::table(const std::string& name, std::size_t rows, std::size_t cols) const {
  return source_.table(in_file(name) + ".weight", rows, cols);
}

Weights read_disentangled_weights(ReadAttention read_attention, FamilyConfig& config,
                                  TensorSource& source) {
  Description& model = config.description;
  const DisentangledReader reader(model, source);
  const bool has_head =
      settle_head("classifier.weight", config, source, reader.has("pooler.dense"));
  Weights weights;
  weights.embeddings = read_embeddings(reader);
  for (std::string& name : config.layer_names) {
    name = reader.in_file(name);
    weights.layers.push_back(read_layer(reader, name, read_attention));
  }
  if (model.relative_attention) weights.relative_attention = read_relative(reader);
  if (model.convolution) weights.convolution = read_convolution(reader);
  if (has_head) {
    const std::size_t d = model.hidden_size;
    if (model.head_dense) weights.head_dense = reader.linear("pooler.dense", d, d);
    weights.classifier = reader.linear("classifier", model.classes(), d);
  }
  make_relative_tables(model, weights);
  return weights;
}

}  // namespace headlight
