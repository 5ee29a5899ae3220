// Weights, configs and whole models.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "base/output.h"
#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "classifier/embedder.h"
#include "classifier/small_models.h"
#include "classifier/token_classifier.h"
#include "fuzz/targets.h"
#include "model/engine.h"
#include "model/families/native_tensors.h"
#include "model/families/native_writer.h"
#include "model/init.h"
#include "model/locate.h"
#include "model/safetensors.h"
#include "model/sentence_modules.h"

namespace headlight::fuzz {
namespace {

/// Numbers that make nothing large.
bool is_harmless(const std::string& name) {
  constexpr std::array<const char*, 5> kParts = {"theta", "base", "_id", "index", "scalar"};
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](const char* part) { return name.find(part) != std::string::npos; });
}

/// Configs of these sizes make models of a few kilobytes.
bool is_small(const Json& json) {
  constexpr double kLargest = 64;
  if (json.is_number()) return std::abs(json.get<double>()) <= kLargest;
  if (!json.is_structured()) return true;
  if (json.is_array()) return std::all_of(json.begin(), json.end(), is_small);
  return std::all_of(json.items().begin(), json.items().end(), [](const auto& item) {
    return (item.value().is_number() && is_harmless(item.key())) || is_small(item.value());
  });
}

Model ready(Model model) {
  EngineSettings settings;
  settings.threads = ThreadLimit{1, "fuzz"};
  return Engine(settings).ready(std::move(model), Workload::few);
}

void classify(const Model& model, const TextInput& input, bool ids) {
  ScoringScratch scratch;
  ClassifierOptions options;
  options.ids = ids;
  std::vector<Prediction> predictions;
  if (model.description.pooling == Pooling::each_token) {
    predictions =
        TokenClassifier(model, options, EntityOptions()).classify(std::span(&input, 1), scratch);
  } else {
    require_head(model);
    predictions = Classifier(model, options).classify(std::span(&input, 1), scratch);
  }
  require(predictions.size() == 1, "a text has a prediction");
}

void classify_two_ids(Model model) {
  if (model.description.max_positions < 2) return;
  classify(ready(std::move(model)), typed_ids("0 1"), true);
}

void embed(Model model, const TextInput& input) {
  const SentenceModules modules = read_sentence_modules(model, std::nullopt);
  apply_reading(modules, model);
  EmbedderOptions options;
  options.prompt = prompt_of(modules, std::nullopt, model.place);
  const Embedder embedder(model, modules, options);
  ScoringScratch scratch;
  const auto vectors = embedder.embed(std::span(&input, 1), scratch, [] { return false; });
  require(vectors.at(0).error.empty() == (vectors.at(0).vector.size() == embedder.width()),
          "a text has a vector or an error");
}

/// Where a model has a native form, that form is read.
void check_native_form(const Model& model, const TemporaryFolder& folder) {
  const auto config = native_config_of(model.description, "config");
  const NativeTensors tensors = native_tensors(model.description, model.weights, "weights");
  folder.write("native/config.json", config.dump());
  {
    OutputFile file(folder / "native/model.safetensors", /*force=*/false);
    write_safetensors(file.output(), tensors.entries);
    file.finish();
  }
  std::string refusal;
  try {
    load_model(locate_model(folder / "native", ""));
  } catch (const Error& error) {
    refusal = error.line();
  }
  require(refusal.empty(), "a native form is refused: " + refusal);
}

/// Letters, digits and ._- in at most two folders; none begins with a period.
bool is_name_of_file(std::string_view name) {
  const auto is_known = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-' ||
           c == '/';
  };
  return !name.empty() && name.size() < 100 && name.front() != '/' && name.front() != '.' &&
         name.back() != '/' && std::count(name.begin(), name.end(), '/') < 3 &&
         name.find("/.") == std::string_view::npos && name.find("//") == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), is_known);
}

/// False: the files would make a large model.
bool write_model(const TemporaryFolder& folder, std::string_view data, std::string& text) {
  std::vector<std::string> written;
  for (const NamedFile& file : files_of(data)) {
    if (file.name == "text") text = file.content;
    if (file.name == "text" || !is_name_of_file(file.name)) continue;
    if (file.name.ends_with("config.json")) {
      const Json json = Json::parse(file.content, nullptr, /*allow_exceptions=*/false);
      if (!json.is_discarded() && !is_small(json)) return false;
    }
    written.emplace_back(file.name);
    // A file cannot be a folder too.
    const auto is_inside = [&](const std::string& other) {
      return file.name.starts_with(other + "/") || other.starts_with(written.back() + "/");
    };
    if (std::any_of(written.begin(), written.end(), is_inside)) return false;
    folder.write("model/" + written.back(), file.content);
  }
  return !written.empty();
}

}  // namespace

void run_safetensors(std::string_view data) {
  const std::vector<std::byte> copy(reinterpret_cast<const std::byte*>(data.data()),
                                    reinterpret_cast<const std::byte*>(data.data()) + data.size());
  try {
    std::size_t total = 0;
    for (const SafetensorsEntry& entry : parse_safetensors(copy, "weights")) {
      for (const std::byte byte : entry.bytes) total += std::to_integer<std::size_t>(byte);
    }
    require(total <= 255 * copy.size(), "tensors do not overlap");
  } catch (const Error&) {
  }
}

void run_config(std::string_view data) {
  const TemporaryFolder folder;
  const std::string config = folder.write("config.json", data);
  try {
    const Json json = parse_json(data, "config");
    if (!is_small(json)) return;
    init_model(config, folder / "model", 0, /*force=*/false);
    Model model = load_model(locate_model(folder / "model", ""));
    const auto native = native_config_of(model.description, "config");
    classify_two_ids(std::move(model));
    init_model(folder.write("native/config.json", native.dump()), folder / "again", 0, true);
  } catch (const Error&) {
  }
}

void run_model(std::string_view data) {
  const TemporaryFolder folder;
  std::string text = "a b";
  if (!write_model(folder, data, text)) return;
  try {
    const ModelPlace place = locate_model(folder / "model", "");
    read_labels_only(place);
    Model model = ready(load_model(place));
    const TextInput input = model.tokenizer ? TextInput{text, {}, {}} : typed_ids("0 1");
    if (model.description.max_positions < 2) return;
    if (model.weights.classifier) classify(model, input, !model.tokenizer);
    embed(std::move(model), input);
    check_native_form(load_model(place), folder);
  } catch (const Error&) {
  }
}

void run_side_file(std::string_view data) {
  if (data.empty() || (data.front() != 'w' && data.front() != 'c')) return;
  const TemporaryFolder folder;
  const Model whole = lexicon_model(folder);
  const std::string name = data.front() == 'w' ? "weights.json" : "calibration.json";
  folder.write("lexicon/" + name, data.substr(1));
  try {
    classify_two_ids(load_model(whole.place));
  } catch (const Error&) {
  }
}

}  // namespace headlight::fuzz
