#include "model/families/rotary_encoder.h"

#include <string>

#include "base/error.h"

namespace headlight {
namespace {

bool has_prefix(std::string_view prefix, const TensorSource& source) {
  return source.has(std::string(prefix) + ".embeddings.word_embeddings.weight");
}

/// Whether the norms of the embedding and of the first layer have these names.
bool has_norms(const PublishedNames& names, const FamilyConfig& config,
               const TensorSource& source) {
  const auto has = [&](std::string_view native) {
    return source.has(name_in_file(native, names, config, source) + ".weight");
  };
  return has("embeddings.norm") &&
         (config.description.layers.empty() || has("layers.0.attention.norm"));
}

/// Torch saves a weight with adapters under another name; the reference does not read it.
void refuse_adapters(const PublishedNames& names, const FamilyConfig& config,
                     const TensorSource& source) {
  if (config.description.layers.empty()) return;
  const std::string name = name_in_file("layers.0.attention.query", names, config, source) +
                           ".parametrizations.weight.original";
  if (!source.has(name)) return;
  throw Error(source.where(), "tensor " + name + ": has adapters of tasks, which are not supported",
              "use the checkpoint that is converted for transformers, without adapters");
}

}  // namespace

void make_rotary(Fields& fields, const RotaryFields& names, Description& model) {
  model.embedding.positions = PositionKind::rotary;
  for (LayerDescription& layer : model.layers) {
    layer.heads.rotary = share_rotary(read_rotary(fields, names, layer.heads.sizes.front()), model);
  }
}

Weights read_rotary_encoder(const RotaryEncoder& encoder, FamilyConfig& config,
                            TensorSource& source) {
  PublishedNames names = encoder.classes;
  PublishedNames hub = encoder.hub;
  if (!has_prefix(names.prefix, source) && has_prefix(encoder.old_prefix, source)) {
    names.prefix = hub.prefix = encoder.old_prefix;
  }
  if (!has_norms(names, config, source) && has_norms(hub, config, source)) {
    refuse_adapters(hub, config, source);
    names = hub;
  }
  return read_published_weights(names, config, source);
}

}  // namespace headlight
