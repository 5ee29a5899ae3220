#include "model/families/decoder_stack.h"

#include <algorithm>
#include <string>

namespace headlight {
namespace {

constexpr std::string_view kTokenTable = "embeddings.token.weight";

}  // namespace

TokenId token_or(Fields& fields, const char* name, TokenId fallback, const Description& model) {
  return static_cast<TokenId>(fields.size_or(name, fallback, 0, model.vocab_size - 1));
}

void add_decoder(Fields& fields, const LayerDescription& layer, std::size_t count,
                 const Decoder& decoder, TokenId end, Description& model) {
  if (!fields.flag_or("is_causal", true)) {
    fields.complain("is_causal", "false is not supported: the decoder reads from left to right");
  }
  model.decoder = decoder;
  model.decoder->first = model.layers.size();
  LayerDescription own = layer;
  own.heads.mask = AttentionMask::causal;
  own.intermediate_size = 0;
  LayerDescription cross = layer;
  cross.crosses = true;
  for (std::size_t i = 0; i < count; ++i) {
    model.layers.push_back(own);
    model.layers.push_back(cross);
  }
  for (std::size_t i = 0; i < model.layers.size(); ++i) model.layers[i].weights = i;
  model.pooling = Pooling::last;
  model.last_reads = token_or(fields, "eos_token_id", end, model);
}

void drop_decoder(Description& model) {
  model.layers.resize(model.decoder->first);
  model.decoder.reset();
  model.last_reads.reset();
  std::size_t biases = 0;
  for (const LayerDescription& layer : model.layers) {
    if (layer.heads.relative_bias) biases = std::max(biases, *layer.heads.relative_bias + 1);
  }
  model.relative_biases.resize(biases);
}

void accept_unread(const std::string& name, std::size_t rows, std::size_t cols,
                   TensorSource& source) {
  if (source.has(name)) source.table(name, rows, cols);
}

Weights read_stacks(PublishedNames names, FamilyConfig& config, TensorSource& source) {
  const Description& model = config.description;
  const std::size_t encoder = model.decoder ? model.decoder->first : model.layers.size();
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const bool second = i >= encoder;
    config.layer_names.push_back((second ? ".decoder." : ".encoder.") + std::string(names.layers) +
                                 std::to_string(second ? (i - encoder) / 2 : i));
  }
  std::vector<TensorName> tensors(names.tensors.begin(), names.tensors.end());
  const std::string prefix = std::string(names.prefix) + '.';
  const auto has = [&](const std::string& name) {
    return source.has(name) || source.has(prefix + name);
  };
  const auto table = std::ranges::find(tensors, kTokenTable, &TensorName::native);
  if (!has("shared.weight") && has("encoder.embed_tokens.weight")) {
    table->published = ".encoder.embed_tokens.weight";
  }
  names.tensors = tensors;
  Weights weights = read_published_weights(names, config, source);
  for (const char* const copy : {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight"}) {
    accept_unread(copy, model.vocab_size, model.hidden_size, source);
    accept_unread(prefix + copy, model.vocab_size, model.hidden_size, source);
  }
  return weights;
}

}  // namespace headlight
