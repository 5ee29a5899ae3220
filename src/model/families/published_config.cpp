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
void refuse_other_models(Fields& fields) {
  for (const char* name : {"is_decoder", "add_cross_attention"}) {
    if (fields.find_value(name) != nullptr && fields.flag_or(name, false)) {
      fields.complain(name, "true is not supported: only encoders are supported");
    }
  }
  if (fields.find_value("quantization_config") != nullptr) {
    fields.fail("quantization_config", "none, as quantized weights are not supported");
  }
  if (fields.find_value("auto_map") != nullptr) {
    fields.fail("auto_map", "none, as models with custom code are not supported");
  }
  if (fields.find_value("position_embedding_type") != nullptr &&
      fields.required_string("position_embedding_type") != "absolute") {
    fields.fail("position_embedding_type", "absolute, as relative positions are not supported");
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

LayerDescription read_layer(Fields& fields, const PublishedFields& names, std::size_t d) {
  LayerDescription layer;
  const std::size_t heads = read_size(fields, names.heads, 1, kMostHeads);
  if (d % heads != 0) {
    throw Error(fields.where(), std::string(names.hidden_size.name) + " " + std::to_string(d) +
                                    " is not divisible by " + names.heads.name + " " +
                                    std::to_string(heads));
  }
  layer.heads.sizes.assign(heads, d / heads);
  layer.intermediate_size = read_size(fields, names.intermediate_size, 1);
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
  model.problem_type = fields.choice_or("problem_type", ProblemType::single_label,
                                        {{"single_label_classification", ProblemType::single_label},
                                         {"multi_label_classification", ProblemType::multi_label},
                                         {"regression", ProblemType::regression}});
}

/// The activation of a cross-encoder's logits, given as the path of a torch class.
void read_score_activation(Fields& fields, Description& model) {
  const auto read = [&](Fields& object, const char* name) {
    if (object.find_value(name) == nullptr) return;
    const std::string path = object.required_string(name);
    if (path == "torch.nn.modules.linear.Identity" || path == "torch.nn.Identity") {
      model.score_activation = ScoreActivation::none;
    } else if (path == "torch.nn.modules.activation.Sigmoid" || path == "torch.nn.Sigmoid") {
      model.score_activation = ScoreActivation::sigmoid;
    } else {
      object.fail(name, "torch.nn.modules.linear.Identity or torch.nn.modules.activation.Sigmoid");
    }
  };
  read(fields, "sbert_ce_default_activation_function");
  const Json* own = fields.find_value("sentence_transformers");
  if (own == nullptr) return;
  Fields sentence_transformers(*own, fields.where(), "sentence_transformers");
  read(sentence_transformers, "activation_fn");
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

}  // namespace

FamilyConfig read_published_config(Fields& fields, const PublishedFields& names) {
  refuse_other_models(fields);
  FamilyConfig config;
  config.where = fields.where();
  config.tokenizer_class = fields.nullable_string_or("tokenizer_class", std::nullopt).value_or("");
  Description& model = config.description;
  model.vocab_size = read_size(fields, names.vocab_size, 1);
  model.hidden_size = read_size(fields, names.hidden_size, 1);
  model.max_positions = fields.size_or("max_position_embeddings", 512, 1);
  model.embedding.positions = PositionKind::absolute;
  model.embedding.size = model.hidden_size;
  model.embedding.layer_norm = true;
  const LayerDescription layer = read_layer(fields, names, model.hidden_size);
  model.layers.assign(read_size(fields, names.layers, 0, kMostLayers), layer);
  for (std::size_t i = 0; i < model.layers.size(); ++i) model.layers[i].weights = i;
  model.label_heads = layer.heads;
  model.layer_norm_eps = 1e-12F;
  if (names.epsilon != nullptr) {
    model.layer_norm_eps = read_float(fields, names.epsilon).value_or(1e-12F);
    if (model.layer_norm_eps < 0.0F) fields.fail(names.epsilon, "a number of at least 0");
  }
  model.pooling = Pooling::cls;
  read_classes(fields, config);
  compare_label_ids(fields, config);
  read_problem_type(fields, model);
  read_score_activation(fields, model);
  read_architecture(fields, config);
  return config;
}

void read_token_types(Fields& fields, Description& model) {
  model.embedding.type_vocab_size = fields.size_or("type_vocab_size", 2, 1);
}

void read_embedding_size(Fields& fields, std::size_t fallback, Description& model) {
  model.embedding.size = fields.size_or("embedding_size", fallback, 1);
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

std::vector<std::string> numbered_layers(const std::string& name, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(name + "." + std::to_string(i));
  return names;
}

}  // namespace headlight
