// GLiClass (Stepanov et al. 2025, "GLiClass: Generalist Lightweight Model for Sequence
// Classification Tasks"), the uni-encoder: an encoder of another family, and layers that compare
// its vectors of labels with that of the text. See LabelReading.
#include <array>

#include "base/fields.h"
#include "model/families/config_fields.h"
#include "model/families/families.h"

namespace headlight {
namespace {

/// Refuses what no published checkpoint has, or the reference cannot compute.
void refuse_other_variants(Fields& fields) {
  if (fields.string_or("architecture_type", "uni-encoder") != "uni-encoder") {
    fields.fail("architecture_type", "uni-encoder");
  }
  for (const char* name : {"use_lstm", "squeeze_layers", "extract_text_features",
                           "normalize_features", "use_calibrator"}) {
    if (read_switch(fields, name)) fields.fail(name, "false");
  }
  if (!fields.flag_or("embed_class_token", true)) fields.fail("embed_class_token", "true");
  if (fields.number_or("encoder_layer_id", -1.0) != -1.0) fields.fail("encoder_layer_id", "-1");
}

LabelReading read_label_reading(Fields& fields, const Description& model) {
  LabelReading reading;
  reading.label_token =
      static_cast<TokenId>(fields.required_size("class_token_index", 0, model.vocab_size - 1));
  reading.text_token = static_cast<TokenId>(fields.required_size("text_token_index", 0));
  reading.labels_first = fields.flag_or("prompt_first", false);
  reading.segments = read_switch(fields, "use_segment_embeddings");
  reading.label_mean =
      fields.choice_or("class_token_pooling", false, {{"first", false}, {"average", true}});
  reading.projector_size = fields.required_size("hidden_size", 1);
  if (fields.find("projector_hidden_act") != nullptr) {
    reading.activation = read_activation(fields, "projector_hidden_act");
  }
  reading.mlp = fields.choice_or("scorer_type", false, {{"simple", false}, {"mlp", true}});
  if (reading.mlp && reading.projector_size != model.hidden_size) {
    fields.fail("hidden_size", "that of the encoder, " + std::to_string(model.hidden_size) +
                                   ", as scorer_type is mlp");
  }
  return reading;
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  refuse_other_variants(fields);
  const Json& inner = fields.required("encoder_config");
  const Family* const encoder =
      Fields(inner, where, "encoder_config")
          .choice_or("model_type", &kDebertaV2Family,
                     {{"deberta-v2", &kDebertaV2Family}, {"modernbert", &kModernBertFamily}});
  FamilyConfig config = encoder->read_config(inner, where + ": encoder_config");
  config.where = where;
  config.prefix = "model.encoder_model";
  config.architecture = "GLiClassModel (" + std::string(encoder->types[0].name) + ")";
  if (config.tokenizer_class.empty()) config.tokenizer_class = encoder->types[0].tokenizer_class;
  config.has_head = false;
  Description& model = config.description;
  model.vocab_size = fields.size_or("vocab_size", model.vocab_size, 1);
  model.pooling = fields.choice_or("pooling_strategy", Pooling::cls,
                                   {{"first", Pooling::cls},
                                    {"last", Pooling::last},
                                    {"avg", Pooling::mean},
                                    {"max", Pooling::max}});
  model.label_reading = read_label_reading(fields, model);
  EmbeddingDescription& embedding = model.embedding;
  // Without a table of positions, as much as the reference's pipeline reads.
  if (embedding.positions == PositionKind::none) model.max_positions = 1024;
  if (!model.label_reading->segments) return config;
  if (embedding.type_vocab_size > 0 || embedding.size != model.hidden_size) {
    fields.complain("use_segment_embeddings",
                    "true is not supported for an encoder with type_vocab_size or embedding_size");
  }
  embedding.type_vocab_size = 3;  // labels, text, examples
  return config;
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  const bool rotary = config.description.embedding.positions == PositionKind::rotary;
  source.floats("model.logit_scale", {});  // not used without normalize_features
  return (rotary ? kModernBertFamily : kDebertaV2Family).read_weights(config, source);
}

constexpr std::array kTypes = {ModelType{"GLiClass", "TokenizersBackend"}};

}  // namespace

constinit const Family kGliClassFamily = {kTypes, &read_config, &read_weights, true};

}  // namespace headlight
