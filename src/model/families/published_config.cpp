#include "model/families/published_config.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"
#include "model/families/config_fields.h"

namespace headlight {
namespace {

constexpr std::array<std::string_view, 2> kClassifierClasses = {"ForSequenceClassification",
                                                                "ForTokenClassification"};

/// Refuses fields that require another computation or other weights.
void refuse_other_models(Fields& fields, const PublishedFields& names) {
  if (names.is_causal) {
    if (!fields.flag_or("is_causal", true)) {
      fields.complain("is_causal", "false is not supported: this family reads from left to right");
    }
  } else if (read_switch(fields, "is_decoder")) {
    fields.complain("is_decoder", "true is not supported: only encoders are supported");
  } else if (read_switch(fields, "is_causal")) {
    fields.complain("is_causal", "true is not supported: encoders read a text from both sides");
  }
  if (read_switch(fields, "add_cross_attention")) {
    fields.complain("add_cross_attention", "true is not supported: models read one text");
  }
  if (const Json* quantized = fields.find_value("quantization_config")) {
    const Json how = quantized->is_object() ? quantized->value("quant_method", Json()) : Json();
    fields.fail("quantization_config", "none, as quantized weights " +
                                           (how.is_null() ? "" : "(" + how.dump() + ") ") +
                                           "are not supported; use the original checkpoint");
  }
  if (names.has_own_code && fields.find_value("auto_map") != nullptr) {
    fields.fail("auto_map", "none, as models with custom code are not supported");
  }
  if (names.positions != nullptr && fields.find_value("position_embedding_type") != nullptr &&
      fields.required_string("position_embedding_type") != names.positions) {
    fields.fail("position_embedding_type",
                std::string(names.positions) + ", as relative positions are not supported");
  }
}

std::size_t read_size(Fields& fields, const SizeField& field, std::size_t low,
                      std::size_t high = Fields::kLargestSize) {
  const std::size_t size = fields.size_or(field.name, field.fallback, low, high);
  if (field.alias == nullptr || fields.find(field.alias) == nullptr) return size;
  const std::size_t other = fields.required_size(field.alias, low, high);
  if (fields.find(field.name) != nullptr && other != size) {
    fields.complain(field.name, std::to_string(size) + " contradicts " + field.alias + " " +
                                    std::to_string(other) + ", another name of the same field");
  }
  return other;
}

/// The field may be null.
std::size_t read_head_size(Fields& fields, const PublishedFields& names, std::size_t d,
                           std::size_t heads) {
  if (names.head_size != nullptr) {
    if (fields.find_value(names.head_size) != nullptr) {
      return fields.required_size(names.head_size, 1);
    }
    if (names.default_head_size > 0) return names.default_head_size;
  }
  if (d % heads == 0) return d / heads;
  throw Error(fields.where(), std::string(names.hidden_size.name) + " " + std::to_string(d) +
                                  " is not divisible by " + names.heads.name + " " +
                                  std::to_string(heads));
}

LayerDescription read_layer(Fields& fields, const PublishedFields& names, std::size_t d) {
  LayerDescription layer;
  const std::size_t heads = read_size(fields, names.heads, 1, kMostHeads);
  layer.heads.sizes.assign(heads, read_head_size(fields, names, d, heads));
  if (names.is_causal) layer.heads.mask = AttentionMask::causal;
  layer.norm_order = names.norm_order;
  const SizeField& inner = names.intermediate_size;
  const bool is_default = inner.fallback == 0 && fields.find_value(inner.name) == nullptr;
  layer.intermediate_size = is_default ? 4 * d : read_size(fields, inner, 1);
  layer.activation = fields.find(names.activation) == nullptr
                         ? *find_activation(names.default_activation)
                         : read_activation(fields, names.activation);
  return layer;
}

/// The labels are those of id2label, else num_labels, else one for each row of the classifier.
void read_classes(Fields& fields, FamilyConfig& config) {
  std::vector<std::string>& labels = config.description.labels;
  if (fields.find_value("id2label") != nullptr) labels = read_labels(fields);
  if (fields.find_value("num_labels") == nullptr) return;
  const std::size_t count = fields.required_size("num_labels", 1, kMostLabels);
  if (labels.empty()) {
    for (std::size_t i = 0; i < count; ++i) labels.push_back("LABEL_" + std::to_string(i));
    config.labels_field = "num_labels";
  } else if (count != labels.size()) {
    config.contradictions.push_back("num_labels is " + std::to_string(count) +
                                    ", but id2label, which is used, has " +
                                    std::to_string(labels.size()) + " labels");
  }
}

/// label2id is not used. If it differs from id2label, this is reported.
void compare_label_ids(Fields& fields, FamilyConfig& config) {
  const Json* ids = fields.find_value("label2id");
  const auto& labels = config.description.labels;
  if (ids == nullptr || !ids->is_object() || config.labels_field != "id2label") return;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto found = ids->find(labels[i]);
    if (found != ids->end() && *found == i) continue;
    config.contradictions.push_back(
        "label2id has " + (found == ids->end() ? "no number" : excerpt(*found)) + " for \"" +
        shortened(labels[i]) + "\", but id2label, which is used, has " + std::to_string(i));
    return;
  }
}

void read_problem_type(Fields& fields, Description& model) {
  if (fields.find_value("problem_type") == nullptr) return;
  model.problem_type =
      fields.choice_or("problem_type", ProblemType::single_label, kProblemTypeWords);
}

void read_score_activation(Fields& fields, Description& model) {
  model.score_activation = read_torch_activation(fields, "sbert_ce_default_activation_function");
  const Json* own = fields.find_value("sentence_transformers");
  if (own == nullptr) return;
  Fields sentence_transformers(*own, fields.where(), "sentence_transformers");
  const auto newer = read_torch_activation(sentence_transformers, "activation_fn");
  if (newer) model.score_activation = newer;
}

/// The class of the model determines whether it has a classification head.
void read_architecture(Fields& fields, FamilyConfig& config) {
  if (fields.find_value("architectures") == nullptr) return;
  const auto names = fields.strings("architectures");
  if (names.empty()) return;
  config.architecture = names.front();
  config.has_head =
      std::any_of(kClassifierClasses.begin(), kClassifierClasses.end(),
                  [&](std::string_view name) { return config.architecture.ends_with(name); });
  if (!*config.has_head) config.description.labels.clear();
}

/// The width of the embedding tables. Throws Error.
void read_embedding(Fields& fields, const PublishedFields& names, Description& model) {
  EmbeddingDescription& embedding = model.embedding;
  const std::size_t d = model.hidden_size;
  embedding.positions = PositionKind::absolute;
  embedding.layer_norm = names.has_embedding_norm;
  if (names.token_types > 0) {
    embedding.type_vocab_size = fields.size_or("type_vocab_size", names.token_types, 1);
  }
  const auto& [name, fallback, alias] = names.embedding_size;
  const bool is_d = name == nullptr || (fallback == 0 && fields.find_value(name) == nullptr);
  embedding.size = is_d ? d : fields.size_or(name, fallback, 1);
  embedding.projection = names.is_projected || embedding.size != d;
}

}  // namespace

FamilyConfig read_published_config(Fields& fields, const PublishedFields& names) {
  refuse_other_models(fields, names);
  FamilyConfig config;
  config.where = fields.where();
  config.tokenizer_class = fields.nullable_string_or("tokenizer_class", std::nullopt).value_or("");
  Description& model = config.description;
  model.vocab_size = read_size(fields, names.vocab_size, 1);
  model.hidden_size = read_size(fields, names.hidden_size, 1);
  model.max_positions = read_size(fields, names.max_positions, 1);
  model.reads_windows = fields.choice_or("long", false, kReadsWindowsWords);
  model.reads_pairs = fields.flag_or("pairs", false);
  const LayerDescription layer = read_layer(fields, names, model.hidden_size);
  model.layers.assign(read_size(fields, names.layers, 0, kMostLayers), layer);
  for (std::size_t i = 0; i < model.layers.size(); ++i) model.layers[i].weights = i;
  model.label_heads = layer.heads;
  model.layer_norm_eps = names.default_epsilon;
  if (names.epsilon != nullptr) {
    model.layer_norm_eps = read_float(fields, names.epsilon).value_or(names.default_epsilon);
    if (model.layer_norm_eps < 0.0F) fields.fail(names.epsilon, "a number of at least 0");
  }
  model.layer_norm_form = names.norm_form;
  model.norm_bias = names.norm_form != LayerNormForm::rms;
  model.final_norm = names.norm_order != NormOrder::post;
  model.pooling = names.is_causal ? Pooling::last : Pooling::cls;
  model.head_dense = names.head_dense;
  read_classes(fields, config);
  compare_label_ids(fields, config);
  read_problem_type(fields, model);
  read_score_activation(fields, model);
  read_architecture(fields, config);
  read_embedding(fields, names, model);
  if (names.skips_pads) {
    skip_pads(fields, fields.size_or("pad_token_id", 1, 0, model.vocab_size - 1), model);
  }
  return config;
}

void skip_pads(Fields& fields, std::size_t pad, Description& model) {
  if (model.max_positions <= pad + 1) {
    fields.complain("max_position_embeddings",
                    std::to_string(model.max_positions) +
                        " leaves no positions for tokens; positions 0 to " + std::to_string(pad) +
                        " are reserved");
  }
  model.max_positions -= pad + 1;
  model.pad_token_id = static_cast<TokenId>(pad);
  model.embedding.skipped_pad = model.pad_token_id;
}

void skip_last_pads(Fields& fields, std::optional<TokenId> fallback, Description& model) {
  model.last_skips = fallback;
  if (const Json* pad = fields.find("pad_token_id")) {
    // A negative id is that of no token.
    const bool is_none = pad->is_null() || (pad->is_number_integer() && *pad < 0);
    model.last_skips.reset();
    if (!is_none) {
      model.last_skips = static_cast<TokenId>(fields.required_size("pad_token_id", 0));
    }
  }
  model.pad_token_id = model.last_skips.value_or(0);
}

}  // namespace headlight
