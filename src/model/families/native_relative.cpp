#include "model/families/native_relative.h"

#include <string>

#include "math/positions.h"
#include "model/families/config_fields.h"

namespace headlight {
namespace {

/// Throws Error for a field that has no meaning without `needed`.
void refuse_without(Fields& fields, std::initializer_list<const char*> names,
                    const std::string& needed) {
  for (const char* name : names) {
    if (fields.find_value(name) != nullptr) fields.complain(name, "needs " + needed);
  }
}

/// pos_att_type: the products that are added to a score.
void read_terms(Fields& fields, RelativeAttention& relative) {
  if (fields.find_value("pos_att_type") == nullptr) {
    relative.content_to_position = relative.position_to_content = true;
    return;
  }
  for (const std::string& term : fields.strings("pos_att_type")) {
    if (term == "c2p") {
      relative.content_to_position = true;
    } else if (term == "p2c") {
      relative.position_to_content = true;
    } else {
      fields.fail("pos_att_type", "c2p, p2c or both");
    }
  }
  if (!relative.content_to_position && !relative.position_to_content) {
    fields.fail("pos_att_type", "c2p, p2c or both");
  }
}

void read_span(Fields& fields, const Description& model, RelativeAttention& relative) {
  relative.span = fields.size_or("max_relative_positions", model.max_positions, 1);
  if (fields.find_value("position_buckets") == nullptr) return;
  const std::size_t buckets = fields.required_size("position_buckets", 2);
  if (relative.span - 1 <= buckets / 2) {
    fields.complain("position_buckets", std::to_string(buckets) +
                                            " needs max_relative_positions of at least " +
                                            std::to_string(buckets / 2 + 2) + ", found " +
                                            std::to_string(relative.span));
  }
  relative.farthest = relative.span;
  relative.span = buckets;
}

}  // namespace

void read_relative_fields(Fields& fields, Description& model) {
  if (fields.find_value("relative_attention_num_buckets") != nullptr) {
    model.relative_buckets =
        fields.required_size("relative_attention_num_buckets", kRelativeBuckets);
  }
  if (fields.flag_or("talking_head", false)) {
    fields.complain("talking_head", "true is not supported: expected false");
  }
  if (!fields.flag_or("relative_attention", false)) {
    refuse_without(fields,
                   {"pos_att_type", "max_relative_positions", "position_buckets", "share_att_key",
                    "norm_rel_ebd"},
                   "relative_attention true");
    return;
  }
  RelativeAttention& relative = model.relative_attention.emplace();
  read_terms(fields, relative);
  read_span(fields, model, relative);
  relative.shared = fields.flag_or("share_att_key", false);
  const bool sliced = !model.layers.empty() && model.layers.front().heads.input == HeadInput::slice;
  if (relative.shared && sliced) {
    fields.complain("share_att_key", "true cannot be combined with head_input slice");
  }
  relative.norm = fields.choice_or("norm_rel_ebd", false, {{"none", false}, {"layer_norm", true}});
  for (LayerDescription& layer : model.layers) {
    layer.heads.score_terms = 1 + static_cast<std::size_t>(relative.content_to_position) +
                              static_cast<std::size_t>(relative.position_to_content);
  }
}

void read_convolution(Fields& fields, Description& model) {
  if (fields.find_value("conv_kernel_size") == nullptr) {
    refuse_without(fields, {"conv_groups", "conv_act"}, "conv_kernel_size");
    return;
  }
  ConvolutionDescription& convolution = model.convolution.emplace();
  convolution.kernel = fields.required_size("conv_kernel_size", 1);
  if (convolution.kernel % 2 == 0) fields.fail("conv_kernel_size", "an odd number");
  if (model.layers.empty()) fields.complain("conv_kernel_size", "needs at least one layer");
  convolution.groups = fields.size_or("conv_groups", 1, 1);
  if (model.hidden_size % convolution.groups != 0) {
    fields.complain("conv_groups", std::to_string(convolution.groups) +
                                       " does not divide hidden_size " +
                                       std::to_string(model.hidden_size));
  }
  if (fields.find_value("conv_act") != nullptr) {
    convolution.activation = read_activation(fields, "conv_act");
  }
}

}  // namespace headlight
