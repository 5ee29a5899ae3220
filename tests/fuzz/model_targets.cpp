// Weights, configs and whole models.
#include <algorithm>
#include <cctype>
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
#include "fuzz/small_config.h"
#include "fuzz/targets.h"
#include "metrics/cascade_file.h"
#include "model/engine.h"
#include "model/families/native_writer.h"
#include "model/families/written_weights.h"
#include "model/flops.h"
#include "model/init.h"
#include "model/locate.h"
#include "model/model_tokenizer.h"
#include "model/safetensors.h"
#include "model/sentence_modules.h"

namespace headlight::fuzz {
namespace {

/// What is typed on the command line beside the model: files with these names.
struct Typed {
  std::string text = "a b";
  std::string given;                  // what leads to the model, in its folder; empty: the folder
  std::string precision;              // fp32, bf16 or int8, prepared for many texts; empty: for few
  std::optional<std::string> prompt;  // the name of a prompt

  /// Whether the file is one of these.
  bool take(const NamedFile& file) {
    if (file.name == "text") {
      text = file.content;
    } else if (file.name == "given") {
      given = file.content;
    } else if (file.name == "precision") {
      precision = file.content;
    } else if (file.name == "prompt") {
      prompt = file.content;
    } else {
      return false;
    }
    return true;
  }
};

Model ready(Model model, const std::string& precision = "") {
  EngineSettings settings;
  settings.threads = ThreadLimit{1, "fuzz"};
  if (precision == "bf16") settings.precision = Precision::bf16;
  if (precision == "int8") settings.precision = Precision::int8;
  const Engine engine(settings);
  require(!engine.facts().empty() && !engine.arithmetic().empty(), "an engine can be described");
  return engine.ready(std::move(model), precision.empty() ? Workload::few : Workload::many);
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

/// What `inspect` shows.
void inspect(Model& model) {
  compare_vocabulary(model);
  require(flops_per_token(model.description) / 2 <=
              model.tensors->parameters() * (1 + model.description.layers.size()),
          "a weight is used once per token and layer");
  std::size_t bytes = 0;
  for (const SafetensorsEntry& entry : model.tensors->entries()) bytes += entry.bytes.size();
  require(bytes > 0, "a model has tensors");
  files_of_folder(model.place);
  model.tensors->let_go();
}

void embed(Model model, const TextInput& input, const std::optional<std::string>& prompt) {
  const SentenceModules modules = read_sentence_modules(model, std::nullopt);
  apply_reading(modules, model);
  EmbedderOptions options;
  options.prompt = prompt_of(modules, prompt, model.place);
  const Embedder embedder(model, modules, options);
  ScoringScratch scratch;
  const auto vectors = embedder.embed(std::span(&input, 1), scratch, [] { return false; });
  require(vectors.at(0).error.empty() == (vectors.at(0).vector.size() == embedder.width()),
          "a text has a vector or an error");
}

/// Where a model has a native form, that form is read.
void check_native_form(const Model& model, const TemporaryFolder& folder) {
  const auto config = native_config_of(model.description, "config");
  const WrittenTensors tensors = native_tensors(model.description, model.weights, "weights");
  folder.write("native/config.json", config.dump());
  {
    OutputFile file(folder / "native/model.safetensors", /*force=*/false);
    write_safetensors([&](std::string_view bytes) { file.output().write(bytes); }, tensors.entries);
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

/// A small model whose files can be replaced.
struct Lexicon {
  TemporaryFolder folder;
  ModelPlace place = lexicon_model(folder).place;
};

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
bool write_model(const TemporaryFolder& folder, std::string_view data, Typed& typed) {
  std::vector<NamedFile> files = files_of(data);
  std::erase_if(files, [&](const NamedFile& file) {
    return typed.take(file) || !is_name_of_file(file.name);
  });
  std::vector<std::string> written;
  for (const NamedFile& file : files) {
    if (file.name.ends_with("config.json") || file.name == typed.given) {
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

/// Reads a text in all ways with a model that knows features of texts.
void read_features(const Model& model, const TextInput& input) {
  const Encoding encoding = TextReader(model, {}).encode_whole(input);
  require(encoding.tokens.size() == encoding.size(), "each part has a name");
  const SentenceModules modules = read_sentence_modules(model, {});
  ScoringScratch scratch;
  if (model.features->gives_vectors()) {
    Embedder(model, modules, {}).embed(std::span(&input, 1), scratch, [] { return false; });
  }
  require_head(model);
  ClassifierOptions options;
  options.most_ranked = 3;
  const auto classifier = make_classifier(model, options);
  const Prediction found = classifier->classify(std::span(&input, 1), scratch).front();
  require(!found.error.empty() || found.best < model.description.classes(), "a label is given");
  if (!classifier->adds_words()) return;
  for (const WordEffect& word : classifier->effects_of(input)) {
    require(word.effect.size() == model.description.classes(), "a word has effects");
  }
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

void run_fasttext(std::string_view data) {
  const TextInput input{std::string(take_part(data)), {}, {}};
  const TemporaryFolder folder;
  const std::string path = folder.write("model", data);
  try {
    read_features(load_model({"model", path, path, path, "", "", "", /*is_fasttext=*/true}), input);
  } catch (const Error&) {
  }
}

void run_sparse(std::string_view data) {
  const TextInput input{std::string(take_part(data)), {}, {}};
  const TemporaryFolder folder;
  folder.write("model/config.json", take_part(data));
  folder.write("model/model.safetensors", data);
  try {
    const Json json = read_json_file(folder / "model/config.json");
    if (!json.is_object() || json.value("model_type", "") != "sparse") return;
    read_features(load_model(locate_model(folder / "model", "")), input);
  } catch (const Error&) {
  } catch (const Json::exception&) {  // model_type is no string
  }
}

void run_config(std::string_view data) {
  const TemporaryFolder folder;
  const std::string config = folder.write("config.json", data);
  try {
    const Json json = parse_json(data, "config");
    if (!is_small(json) || describes_large_model(json)) return;
    init_model(config, folder / "model", 0, /*force=*/false);
    const ModelPlace place = locate_model(folder / "model", "");
    classify_two_ids(load_model(place));
    check_native_form(load_model(place), folder);
  } catch (const Error&) {
  }
}

void run_model(std::string_view data) {
  const TemporaryFolder folder;
  Typed typed;
  if (!write_model(folder, data, typed)) return;
  if (!typed.given.empty() && !is_name_of_file(typed.given)) return;
  try {
    const std::string whole = folder / "model";
    const ModelPlace place =
        locate_model(typed.given.empty() ? whole : whole + '/' + typed.given, "");
    read_labels_only(place);
    Model model = ready(load_model(place), typed.precision);
    inspect(model);
    const TextInput input = model.tokenizer ? TextInput{typed.text, {}, {}} : typed_ids("0 1");
    if (model.description.max_positions < 2) return;
    if (model.weights.classifier) classify(model, input, !model.tokenizer);
    read_sentence_modules(model, TokenPooling::max);
    embed(std::move(model), input, typed.prompt);
    check_native_form(load_model(place), folder);
  } catch (const Error&) {
  }
}

namespace {

void check_cascade(std::string_view data) {
  const TemporaryFolder folder;
  folder.write("cascade.json", data);
  try {
    const CascadeFile file = read_cascade(folder / "cascade.json");
    for (const CascadePoint& point : file.cascade.points) {
      const double bound = file.cascade.agreement_bound(point);
      require(bound >= 0.0 && bound <= file.cascade.agreement(point),
              "a bound is a share, and no larger than what was measured");
    }
    if (const auto point = promised_point(file.cascade, 0.5)) {
      require(file.cascade.agreement_bound(*point) >= 0.5, "what is promised has the bound");
    }
    folder.write("cascade.json", cascade_document(file.cascade, file.origin));
    require(
        read_cascade(folder / "cascade.json").cascade.points.size() == file.cascade.points.size(),
        "what is written can be read");
  } catch (const Error&) {
  }
}

}  // namespace

/// The first byte says which file: weights, calibration or thresholds of a cascade.
void run_side_file(std::string_view data) {
  if (!data.empty() && data.front() == 't') return check_cascade(data.substr(1));
  if (data.empty() || (data.front() != 'w' && data.front() != 'c')) return;
  static const Lexicon with_weights;
  static const Lexicon with_calibration;
  const bool is_weights = data.front() == 'w';
  const Lexicon& lexicon = is_weights ? with_weights : with_calibration;
  lexicon.folder.write(is_weights ? "lexicon/weights.json" : "lexicon/calibration.json",
                       data.substr(1));
  try {
    classify_two_ids(load_model(lexicon.place));
  } catch (const Error&) {
  }
}

}  // namespace headlight::fuzz
