#include "model/families/disentangled.h"

#include <algorithm>
#include <cctype>

#include "base/json.h"
#include "model/families/config_fields.h"

namespace headlight {
namespace {

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
  embedding.size = fields.size_or("embedding_size", model.hidden_size, 1);
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

}  // namespace

FamilyConfig read_disentangled_config(Fields& fields, const PublishedFields& names) {
  FamilyConfig config = read_published_config(fields, names);
  Description& model = config.description;
  read_embedding(fields, model);
  read_pooler(fields, model);
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

}  // namespace headlight
