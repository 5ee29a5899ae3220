#include "report/models/model_report.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/build.h"
#include "base/utf8.h"
#include "classifier/prediction.h"
#include "inside/layer_kind.h"
#include "model/flops.h"
#include "report/formats/plain_text.h"
#include "report/models/architecture_text.h"
#include "report/models/feature_report.h"

namespace headlight {
namespace {

constexpr std::size_t kLabelsInAList = 6;
constexpr std::size_t kLabelsOfMany = 3;

const char* problem_of(const Description& model) {
  if (model.pooling == Pooling::each_token) return "token_classification";
  return word_for(model.problem_type, kProblemTypeWords);
}

const char* activation_of(const Description& model) {
  return word_for(default_activation(model), kScoreActivationWords);
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

/// As much of `text` as two lines have room for.
std::string two_lines(const std::string& text, std::size_t columns, std::size_t indent) {
  const std::string lines = wrapped(text, columns - 2, indent);
  const std::size_t end = std::min(lines.find('\n', lines.find('\n') + 1), lines.size() - 1);
  return end + 1 == lines.size() ? lines : lines.substr(0, end) + " …\n";
}

template <typename Number>
std::string shortest(Number number) {
  std::string text;
  JsonWriter(text).number(number);
  return text;
}

Facts calibration_facts(const Model& model) {
  const Calibration& calibration = model.calibration;
  if (calibration.file.empty()) return {};
  Facts lines = {{"calibration", printable(calibration.file)}};
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

Facts card_facts(const std::vector<CardField>& card) {
  if (card.empty()) return {};
  Facts facts = {{"card", "README.md"}};
  for (const CardField& field : card) {
    facts.emplace_back("  " + field.name, printable(field.text));
  }
  return facts;
}

void write_ngrams(JsonWriter& json, const std::string& prefix,
                  const std::optional<NgramDescription>& ngrams) {
  if (!ngrams) return;
  json.key(prefix + "_sizes").numbers(ngrams->sizes);
  json.field(prefix + "_buckets", ngrams->buckets).field(prefix + "_seed", ngrams->seed);
}

/// What only some models have: shared keys, rotary positions, windows.
void write_architecture(JsonWriter& json, const Description& model) {
  std::vector<std::size_t> all(model.layers.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  write_maps(json, model, all);
  write_ngrams(json, "ngram", model.ngrams);
  write_ngrams(json, "label_ngram", model.label_ngrams);
  if (model.layers.empty()) return;
  const HeadsDescription& heads = model.layers.front().heads;
  if (heads.group > 1) json.field("key_value_heads", heads.key_heads());
  const bool windowed =
      std::any_of(model.layers.begin(), model.layers.end(),
                  [](const LayerDescription& layer) { return layer.heads.window.has_value(); });
  if (!windowed) return;
  json.key("attention_windows").array(model.layers, [&](const LayerDescription& layer) {
    layer.heads.window ? json.number(*layer.heads.window) : json.null();
  });
}

/// The fields after the width, and the end of the object.
void write_rest_of_features(JsonWriter& json, const Model& model) {
  const Description& description = model.description;
  if (description.adds_features) {
    json.key("labels").strings(description.labels);
    json.field("problem_type", problem_of(description));
  }
  write_feature_model(json, *model.features);
  json.key("contradictions").strings(model.contradictions).end_object();
}

/// For the value of a field of BibTeX.
std::string tex(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) safe += '\\';
    c == '\\' ? safe += "\\textbackslash{}" : safe += c;
  }
  return safe;
}

}  // namespace

void write_maps(JsonWriter& json, const Description& model,
                const std::vector<std::size_t>& layers) {
  if (!model.decoder) return;
  json.key("maps").array(layers, [&](std::size_t layer) {
    json.begin_object()
        .field("layer", layer)
        .field("kind", kind_name(model, layer))
        .field("number", number_in_stack(model, layer))
        .end_object();
  });
}

void write_model(JsonWriter& json, const Model& model, const std::vector<CardField>& card) {
  const Description& description = model.description;
  json.begin_object()
      .field("model", model.place.name)
      .field("path", model.place.path)
      .field("family", model.family);
  if (!model.architecture.empty()) json.field("architecture", model.architecture);
  json.field("layers", description.layers.size()).field("hidden_size", description.hidden_size);
  if (has_own_embedding_size(description)) {
    json.field("embedding_size", description.embedding.size);
  }
  if (model.features) return write_rest_of_features(json, model);
  json.field("heads", description.label_heads.sizes.size());
  json.key("head_sizes").numbers(description.label_heads.sizes);
  write_architecture(json, description);
  json.field("intermediate_size", intermediate_size(description))
      .field("vocab_size", description.vocab_size)
      .field("max_tokens", description.max_positions);
  if (description.reads_windows) json.field("long", word_for(true, kReadsWindowsWords));
  if (model.weights.classifier) {
    json.key("labels").strings(description.labels);
    json.field("problem_type", problem_of(description))
        .field("activation", activation_of(description))
        .field("pooling", word_for(description.pooling, kPoolingWords));
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
  if (!card.empty()) {
    json.key("card").begin_object();
    for (const CardField& field : card) json.key(field.name).foreign(field.json);
    json.end_object();
  }
  json.key("contradictions").strings(model.contradictions).end_object();
}

std::string model_text(const Model& model, const std::vector<CardField>& card) {
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
  std::string layers = std::to_string(description.layers.size());
  if (const auto& decoder = description.decoder) {
    layers += ": " + std::to_string(decoder->first) + " of the encoder, then two for each of " +
              std::to_string((description.layers.size() - decoder->first) / 2) +
              " of the decoder: its own, and that to the encoder";
  }
  line("layers", layers);
  line("hidden size", std::to_string(description.hidden_size));
  if (has_own_embedding_size(description)) {
    line("embedding size", std::to_string(description.embedding.size));
  }
  if (model.features) {
    line("labels", description.labels.empty()
                       ? "none (vectors of words)"
                       : std::to_string(description.classes()) + ": " +
                             printable(listed(description.labels, kLabelsInAList)));
    if (!description.labels.empty()) line("problem type", problem_of(description));
    for (const auto& [name, what] : feature_model_facts(*model.features)) line(name, what);
    for (const auto& [name, what] : calibration_facts(model)) line(name, what);
    return text;
  }
  for (const auto& [name, what] : architecture_facts(description)) line(name, what);
  line("vocabulary", grouped(description.vocab_size));
  line("maximum length", std::to_string(description.max_positions) + " tokens" +
                             (description.reads_windows ? ", longer texts in windows" : ""));
  if (model.weights.classifier) {
    line("labels", std::to_string(description.classes()) + ": " +
                       printable(listed(description.labels, kLabelsInAList)));
    const std::size_t folds = description.folds;
    line("problem type",
         std::string(problem_of(description)) + ", " + activation_of(description) +
             (folds > 1 ? ", means over " + std::to_string(folds) + " classifiers" : ""));
    line("pooling", word_for(description.pooling, kPoolingWords) +
                        std::string(description.normalize ? ", normalized" : ""));
  } else if (description.label_reading) {
    line("labels", "given at run time (--zero-shot)");
    line("pooling", word_for(description.pooling, kPoolingWords));
  } else {
    line("labels", "none (no classification head)");
  }
  for (const auto& [name, what] : calibration_facts(model)) line(name, what);
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
  text += facts_text(card_facts(card), 16);
  for (const auto& contradiction : model.contradictions) {
    line("contradiction", printable(contradiction));
  }
  return text;
}

std::string citation(const std::string& name, const std::vector<CardField>& card,
                     const std::string& hash) {
  const auto said = [&](const char* field, const std::string& before) {
    const auto found = std::ranges::find(card, field, &CardField::name);
    return found == card.end() ? "" : before + tex(found->text);
  };
  std::string key;
  for (const char c : name) key += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  const std::string build = build_name();
  const std::string author = said("author", "  author  = {");
  return "@software{headlight,\n"
         "  title   = {headlight: transformer text classifiers, and what each head attends to},\n"
         "  author  = {{The headlight maintainers}},\n"
         "  version = {" +
         build.substr(0, build.find('+')) + "}\n}\n\n@misc{" + key + ",\n  title   = {" +
         tex(name) + "},\n" + (author.empty() ? "" : author + "},\n") + "  note    = {text model" +
         said("base_model", " made from ") + said("datasets", ", data sets: ") +
         said("license", ", license: ") + ";\n             hash of its files: " + hash + "}\n}\n";
}

void write_models(JsonWriter& json, const std::vector<ListedModel>& models) {
  json.array(models, [&](const ListedModel& model) {
    json.begin_object().field("name", model.place.name).field("path", model.place.path);
    json.key("labels").strings(model.labels).end_object();
  });
}

std::string models_text(const std::vector<ListedModel>& models, std::size_t columns) {
  constexpr std::size_t kIndent = 2;
  const std::string indent(kIndent, ' ');
  std::string text;
  for (const ListedModel& model : models) {
    text += text.empty() ? "" : "\n";
    text += cut_to(printable(model.place.name) + "  " +
                       formatted("%.1f MB", static_cast<double>(model.bytes) / 1e6) + "  " +
                       (model.place.is_fasttext ? "a file of fastText"
                        : model.labels.empty()  ? "no labels"
                                                : labels_in_a_line(model.labels)),
                   columns) +
            '\n';
    if (!model.summary.empty()) text += two_lines(printable(model.summary), columns, kIndent);
    text += indent + printable(model.place.path) + '\n';
  }
  return text;
}

}  // namespace headlight
