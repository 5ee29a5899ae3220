#include "model/families/gated_decoder.h"

#include "model/families/attention_fields.h"

namespace headlight {

void make_gated_head(Fields& fields, FamilyConfig& config) {
  config.description.embedding.positions = PositionKind::rotary;
  config.description.classifier_bias = false;
  config.token_head = {.classifier = "score",
                       .bias = fields.flag_or("token_classification_bias", true)};
}

void make_gated_decoder(Fields& fields, std::size_t key_heads, FamilyConfig& config) {
  make_gated_head(fields, config);
  Description& model = config.description;
  for (LayerDescription& layer : model.layers) {
    HeadsDescription& heads = layer.heads;
    const std::size_t count = heads.sizes.size();
    const bool is_said = fields.find("num_key_value_heads") != nullptr;
    heads.group = read_group(fields, count, is_said ? count : key_heads);
    heads.bias = false;
    heads.output_bias = false;
    heads.rotary = share_rotary(read_rotary(fields, {}, heads.sizes.front()), model);
    layer.gated = true;
    layer.feed_forward_bias = false;
  }
}

bool has_window(Fields& fields) {
  return fields.find("sliding_window") == nullptr || fields.find_value("sliding_window") != nullptr;
}

}  // namespace headlight
