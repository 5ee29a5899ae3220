#include "report/models/model_report.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "classifier/prediction.h"
#include "model/flops.h"
#include "report/formats/plain_text.h"
#include "report/models/architecture_text.h"
#include "report/predictions/prediction_report.h"

namespace headlight {
namespace {

constexpr std::size_t kLabelsInAList = 6;
constexpr std::size_t kLabelsOfMany = 3;

const char* problem_of(const Description& model) {
  if (model.pooling == Pooling::each_token) return "token_classification";
  switch (model.problem_type) {
    case ProblemType::single_label:
      return "single_label_classification";
    case ProblemType::multi_label:
      return "multi_label_classification";
    case ProblemType::regression:
      break;
  }
  return "regression";
}

const char* name_of(Pooling pooling) {
  switch (pooling) {
    case Pooling::cls:
      return "cls";
    case Pooling::last:
      return "last";
    case Pooling::mean:
      return "mean";
    case Pooling::max:
      return "max";
    case Pooling::each_token:
      return "none";
    case Pooling::label_attention:
      break;
  }
  return "label_attention";
}

const char* name_of(ScoreActivation activation) {
  switch (activation) {
    case ScoreActivation::softmax:
      return "softmax";
    case ScoreActivation::sigmoid:
      return "sigmoid";
    case ScoreActivation::none:
      break;
  }
  return "none";
}

bool has_own_embedding_size(const Description& model) {
  return model.embedding.projection && model.embedding.size != model.hidden_size;
}

std::size_t intermediate_size(const Description& model) {
  return model.layers.empty() ? 0 : model.layers.front().intermediate_size;
}

/// All labels if there are few, else their number and the first ones.
std::string labels_in_a_line(const std::vector<std::string>& labels) {
  if (labels.size() <= kLabelsInAList) return printable(listed(labels, kLabelsInAList));
  return std::to_string(labels.size()) + " labels: " + printable(listed(labels, kLabelsOfMany));
}

template <typename Number>
std::string shortest(Number number) {
  std::string text;
  JsonWriter(text).number(number);
  return text;
}

std::vector<std::pair<std::string, std::string>> calibration_lines(const Model& model) {
  const Calibration& calibration = model.calibration;
  if (calibration.file.empty()) return {};
  std::vector<std::pair<std::string, std::string>> lines = {
      {"calibration", printable(calibration.file)}};
  if (calibration.temperature) {
    lines.emplace_back("  temperature", shortest(*calibration.temperature));
  }
  if (calibration.thresholds.empty()) return lines;
  std::vector<std::string> items;
  for (std::size_t i = 0; i < calibration.thresholds.size(); ++i) {
    items.push_back(model.description.labels[i] + " " + shortest(calibration.thresholds[i]));
  }
  lines.emplace_back("  thresholds", printable(listed(items, kLabelsInAList)));
  return lines;
}

/// What only some models have: shared keys, rotary positions, windows.
void write_architecture(JsonWriter& json, const Description& model) {
  if (model.layers.empty()) return;
  const HeadsDescription& heads = model.layers.front().heads;
  if (heads.group > 1) json.field("key_value_heads", heads.key_heads());
  const bool windowed =
      std::any_of(model.layers.begin(), model.layers.end(),
                  [](const LayerDescription& layer) { return layer.heads.window.has_value(); });
  if (!windowed) return;
  json.key("attention_windows").begin_array();
  for (const LayerDescription& layer : model.layers) {
    layer.heads.window ? json.number(*layer.heads.window) : json.null();
  }
  json.end_array();
}

}  // namespace

void write_model(JsonWriter& json, const Model& model) {
  const Description& description = model.description;
  const auto strings = [&](const char* name, const std::vector<std::string>& items) {
    json.key(name).begin_array();
    for (const auto& item : items) json.string(item);
    json.end_array();
  };
  json.begin_object()
      .field("model", model.place.name)
      .field("path", model.place.path)
      .field("family", model.family);
  if (!model.architecture.empty()) json.field("architecture", model.architecture);
  json.field("layers", description.layers.size()).field("hidden_size", description.hidden_size);
  if (has_own_embedding_size(description)) {
    json.field("embedding_size", description.embedding.size);
  }
  json.field("heads", description.label_heads.sizes.size());
  json.key("head_sizes").begin_array();
  for (const std::size_t size : description.label_heads.sizes) json.number(size);
  json.end_array();
  write_architecture(json, description);
  json.field("intermediate_size", intermediate_size(description))
      .field("vocab_size", description.vocab_size)
      .field("max_tokens", description.max_positions);
  if (model.weights.classifier) {
    strings("labels", description.labels);
    json.field("problem_type", problem_of(description))
        .field("activation", name_of(default_activation(description)))
        .field("pooling", name_of(description.pooling));
  }
  json.field("parameters", model.tensors->parameters())
      .field("bytes", model.tensors->bytes_on_disk())
      .field("flops_per_token", flops_per_token(description));
  if (model.tokenizer) {
    json.key("tokenizer").begin_object().field("file", model.tokenizer_file);
    for (const auto& [stage, what] : model.tokenizer->describe()) json.field(stage, what);
    json.end_object();
  }
  if (!model.calibration.file.empty()) {
    json.key("calibration").begin_object().field("file", model.calibration.file);
    write_calibration(json, description.labels, model.calibration);
    json.end_object();
  }
  strings("contradictions", model.contradictions);
  json.end_object();
}

std::string model_text(const Model& model) {
  const Description& description = model.description;
  std::string text;
  const auto line = [&](std::string name, const std::string& what) {
    name.resize(16, ' ');
    text += name + what + '\n';
  };
  line("model", printable(model.place.name));
  line("path", printable(model.place.path));
  const std::string& architecture = model.architecture;
  line("family", model.family + (architecture.empty() ? "" : ", " + printable(architecture)));
  line("layers", std::to_string(description.layers.size()));
  line("hidden size", std::to_string(description.hidden_size));
  if (has_own_embedding_size(description)) {
    line("embedding size", std::to_string(description.embedding.size));
  }
  for (const auto& [name, what] : architecture_lines(description)) line(name, what);
  line("vocabulary", grouped(description.vocab_size));
  line("maximum length", std::to_string(description.max_positions) + " tokens");
  if (model.weights.classifier) {
    line("labels", std::to_string(description.classes()) + ": " +
                       printable(listed(description.labels, kLabelsInAList)));
    line("problem type",
         std::string(problem_of(description)) + ", " + name_of(default_activation(description)));
    line("pooling", name_of(description.pooling));
  } else {
    line("labels", "none (no classification head)");
  }
  for (const auto& [name, what] : calibration_lines(model)) line(name, what);
  line("parameters", grouped(model.tensors->parameters()));
  line("bytes", grouped(model.tensors->bytes_on_disk()));
  line("FLOPs per token", grouped(flops_per_token(description)));
  if (model.tokenizer) {
    line("tokenizer", printable(model.tokenizer_file));
    for (const auto& [stage, what] : model.tokenizer->describe()) {
      line("  " + stage, printable(what));
    }
  } else {
    line("tokenizer", "none (accepts only token ids, --ids)");
  }
  for (const auto& contradiction : model.contradictions) {
    line("contradiction", printable(contradiction));
  }
  return text;
}

void write_models(JsonWriter& json, const std::vector<ListedModel>& models) {
  json.begin_array();
  for (const auto& model : models) {
    json.begin_object().field("name", model.place.name).field("path", model.place.path);
    json.key("labels").begin_array();
    for (const auto& label : model.labels) json.string(label);
    json.end_array().end_object();
  }
  json.end_array();
}

std::string models_text(const std::vector<ListedModel>& models) {
  std::vector<std::pair<std::string, std::string>> cells;  // name, labels
  std::size_t names = 0;
  std::size_t labels = 0;
  for (const auto& model : models) {
    cells.emplace_back(printable(model.place.name),
                       model.labels.empty() ? "(none)" : labels_in_a_line(model.labels));
    names = std::max(names, width_of(cells.back().first));
    labels = std::max(labels, width_of(cells.back().second));
  }
  std::string text;
  for (std::size_t i = 0; i < models.size(); ++i) {
    text += begin_in(cells[i].first, names + 3) + begin_in(cells[i].second, labels + 3) +
            printable(models[i].place.path) + '\n';
  }
  return text;
}

}  // namespace headlight
