// DeBERTa (He et al. 2021): BERT with relative scores. Query, key and value of a head are one
// projection, of which only query and value have a bias.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/families/disentangled.h"
#include "model/families/families.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {.vocab_size = {"vocab_size", 50265}, .default_epsilon = 1e-7F};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_disentangled_config(fields, kFields);
  Description& model = config.description;
  const std::vector<std::string> terms = read_position_terms(fields);
  model.relative_attention = read_relative_attention(fields, terms, model);
  if (read_switch(fields, "talking_head")) {
    fields.complain("talking_head", "true is not supported: expected false");
  }
  for (LayerDescription& layer : model.layers) {
    // The reference counts all of them, even where relative attention is off.
    layer.heads.score_terms = 1 + terms.size();
  }
  return config;
}

/// The rows of all queries, then those of keys, then those of values. In the file they follow each
/// other head by head.
std::vector<std::size_t> rows_by_use(const HeadsDescription& heads) {
  std::vector<std::size_t> rows;
  const std::size_t e = heads.sizes.front();
  for (std::size_t use = 0; use < 3; ++use) {
    for (std::size_t head = 0; head < heads.sizes.size(); ++head) {
      for (std::size_t i = 0; i < e; ++i) rows.push_back((3 * head + use) * e + i);
    }
  }
  return rows;
}

AttentionWeights read_attention(const DisentangledReader& reader, const std::string& name) {
  const Description& model = reader.model();
  const HeadsDescription& heads = model.layers.front().heads;
  const std::size_t d = model.hidden_size;
  TensorSource& source = reader.source();
  const Table all = source.ordered_weight(name + "in_proj.weight", rows_by_use(heads), d);
  AttentionWeights weights;
  weights.query = {all.row_range(0, d), source.floats(name + "q_bias", {d})};
  weights.key = {all.row_range(d, d), {}};
  weights.value = {all.row_range(2 * d, d), source.floats(name + "v_bias", {d})};
  if (!model.relative_attention) return weights;
  if (model.relative_attention->content_to_position) {
    weights.relative_key = {source.weight(name + "pos_proj.weight", d, d), {}};
  }
  if (model.relative_attention->position_to_content) {
    weights.relative_query = reader.linear(name + "pos_q_proj", d, d);
  }
  return weights;
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  return read_disentangled_weights(&read_attention, config, source);
}

constexpr std::array kTypes = {ModelType{"deberta", "DebertaTokenizer"}};

}  // namespace

constinit const Family kDebertaFamily = {kTypes, &read_config, &read_weights, true};

}  // namespace headlight
