#include "training/directory/exported_model.h"

#include <deque>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "model/families/native_writer.h"
#include "model/families/tensor_names.h"
#include "model/families/written_weights.h"
#include "training/directory/model_directory.h"
#include "training/head/classifier_start.h"

namespace headlight {
namespace {

using ExportJson = nlohmann::ordered_json;

/// Fields of a native config: those that BERT's config has too (null), and what BERT does. Then the
/// files, without what depends on the model.
constexpr const char* kLayout = R"({
"fields": {"vocab_size": null, "hidden_size": null, "num_hidden_layers": null, "hidden_act": null,
  "num_attention_heads": null, "intermediate_size": null, "max_position_embeddings": null,
  "type_vocab_size": null, "layer_norm_eps": null, "pad_token_id": null, "id2label": null,
  "problem_type": null, "model_type": "headlight", "position_embedding_type": "absolute",
  "embedding_layer_norm": true, "norm_order": "post", "layer_norm_form": "variance"},
"static_fields": {"vocab_size": null, "hidden_size": null, "num_hidden_layers": 0,
  "num_attention_heads": null, "intermediate_size": null, "max_position_embeddings": null,
  "position_embedding_type": "none", "hidden_act": null, "norm_order": null,
  "layer_norm_eps": null, "layer_norm_form": null, "pooling": "mean", "pad_token_id": null,
  "id2label": null, "problem_type": null, "model_type": "headlight"},
"config": {"model_type": "bert", "architectures": ["BertModel"], "dtype": "float32"},
"pooling": {"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": false,
  "pooling_mode_max_tokens": false},
"dense": {"activation_function": "torch.nn.modules.linear.Identity"},
"modules": [
  {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
  {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
  {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"}],
"static_module":
  {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.StaticEmbedding"},
"tokenizer": {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
  "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true},
  "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": null,
  "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
  "model": {"type": "WordPiece", "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100}},
"added": {"special": true, "single_word": false, "lstrip": false, "rstrip": false,
  "normalized": false},
"tokens": {"unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]",
  "mask_token": "[MASK]", "pad_token": "[PAD]"}})";

struct Export {
  const Model& model;
  const ExportLayout layout;
  ModelDirectory& files;
  const bool is_bert = layout == ExportLayout::bert;
  const bool is_table = layout == ExportLayout::static_table;
  const Description& description = model.description;
  const bool has_head = !description.labels.empty();
  ExportJson json = ExportJson::parse(kLayout);

  [[noreturn]] void refuse(const std::string& what, const std::string& hint = "") const {
    throw Error(model.place.config,
                what + " has no counterpart in the layout " + word_for(layout, kExportLayoutWords),
                hint);
  }

  void write(const std::string& name, const ExportJson& content) const {
    files.write(name, content.dump(2) + '\n');
  }

  /// Refuses what differs from `expected`: fields that the layout has too (null), and values.
  void compare_fields(const ExportJson& native, const ExportJson& expected) const {
    for (const auto& [name, value] : native.items()) {
      const ExportJson wanted = expected.value(name, ExportJson(false));
      if (!wanted.is_null() && wanted != value) refuse(name + ' ' + value.dump());
    }
    for (const auto& [name, value] : expected.items()) {
      if (!value.is_null() && !native.contains(name)) refuse(name + " other than " + value.dump());
    }
  }

  bool is_model2vec() const { return is_table && model.tokenizer->leaves_out_unknown(); }

  /// In place of write_config().
  void write_table_configs() {
    compare_fields(native_config_of(description, model.place.config), json["static_fields"]);
    if (model.tokenizer->special_tokens(/*pair=*/false) > 0) {
      refuse("a tokenizer with special tokens");
    }
    if (is_model2vec()) {
      write("config.json", {{"normalize", false}, {"max_length", description.max_positions}});
    }
    write("config_sentence_transformers.json", ExportJson::object());
  }

  void write_config() {
    ExportJson& config = json["config"];
    ExportJson& fields = json["fields"];
    ExportJson native = native_config_of(description, model.place.config);
    config["is_decoder"] = native.erase("attention_mask") > 0;
    if (native.erase("embedding_projection_first") > 0) native.erase("embedding_size");
    if (!native.contains("type_vocab_size")) native["type_vocab_size"] = 2;
    if (is_bert && has_head) {
      const bool each_token = description.pooling == Pooling::each_token;
      fields["pooling"] = each_token ? "none" : "cls";
      if (!each_token) fields["head_dense_act"] = "tanh";
      config["architectures"] = {each_token ? "BertForTokenClassification"
                                            : "BertForSequenceClassification"};
    } else {
      for (const char* name : {"pooling", "id2label", "problem_type"}) native.erase(name);
    }
    compare_fields(native, fields);
    for (const auto& [name, value] : native.items()) {
      if (fields.contains(name) && fields[name].is_null()) config[name] = value;
    }
    write("config.json", config);
  }

  /// What BERT calls a tensor; .weight or .bias of a dense layer.
  std::string published(std::string name) const {
    if (is_table && name.starts_with("embeddings.")) {
      return is_model2vec() ? "embeddings" : "embedding.weight";
    }
    if (name.starts_with("classifier.")) return is_bert ? name : name.replace(0, 10, "linear");
    for (const TensorName& tensor : kBertTensors) {
      const std::size_t at = name.find(tensor.native);
      if (at != std::string::npos) name.replace(at, tensor.native.size(), tensor.published);
    }
    if (name.starts_with("layers.")) name.replace(0, 6, ".encoder.layer");
    if (name.starts_with("head.")) name.replace(0, 4, ".pooler");
    return is_bert && has_head ? "bert" + name : name.substr(1);
  }

  void write_weights() const {
    const std::size_t e = description.embedding.size;
    const auto& projection = model.weights.embeddings.projection;
    const std::vector<float> segments(2 * e);  // of a model that has none
    Weights weights = model.weights;
    std::vector<float> rows;
    if (is_table) {  // with its scales
      Table& table = weights.embeddings.token;
      rows.resize(table.rows * table.cols);
      for (std::size_t i = 0; i < table.rows; ++i) {
        table.read(i, std::span(rows).subspan(i * table.cols, table.cols));
      }
      table = {NumberFormat::f32, std::as_bytes(std::span(rows)).data(), table.rows, table.cols};
    }
    WrittenTensors native = native_tensors(description, weights, model.place.config);
    if (description.embedding.type_vocab_size == 0 && !is_table) {
      native.entries.push_back(
          {"embeddings.token_type.weight", "F32", {2, e}, std::as_bytes(std::span(segments))});
    }
    std::deque<std::vector<float>> memory;
    std::vector<SafetensorsEntry> body;
    std::vector<SafetensorsEntry> dense;
    for (auto& [name, dtype, shape, bytes] : native.entries) {
      if (name.starts_with("embeddings.projection")) continue;
      const NumberFormat format = *value_of(dtype, kNumberFormatWords);
      std::vector<float>& values = memory.emplace_back(bytes.size() / bytes_each(format));
      widen(format, bytes.data(), values);
      if (name.starts_with("embeddings.") && projection && shape.size() == 2) {
        const std::vector<float> narrow = values;
        shape[1] = projection->out();
        values.resize(shape[0] * shape[1]);
        projection->apply({narrow.data(), shape[0], e}, {values.data(), shape[0], shape[1]});
      }
      const bool is_classifier = name.starts_with("classifier.");
      const double divisor = is_classifier ? model.calibration.temperature.value_or(1.0) : 1.0;
      for (float& value : values) value /= static_cast<float>(divisor);
      (is_classifier && !is_bert ? dense : body)
          .push_back({published(name), "F32", shape, std::as_bytes(std::span(values))});
    }
    files.write_weights(body);
    if (!dense.empty()) files.write_weights(dense, "2_Dense/model.safetensors");
  }

  void write_pooling() {
    const std::string mode = word_for(description.pooling, kPoolingWords);
    const std::string field = "pooling_mode_" + mode + (mode == "cls" ? "_token" : "_tokens");
    if (!json["pooling"].contains(field)) refuse("pooling \"" + mode + '"');
    json["pooling"][field] = true;
    json["pooling"]["word_embedding_dimension"] = description.hidden_size;
    write("1_Pooling/config.json", json["pooling"]);
  }

  void write_modules() {
    ExportJson& modules = json["modules"];
    if (is_table) {
      modules = {json["static_module"], modules[2]};
      modules[1]["idx"] = 1;
    } else {
      write_pooling();
    }
    json["dense"]["in_features"] = description.hidden_size;
    json["dense"]["out_features"] = description.classes();
    json["dense"]["bias"] = description.classifier_bias;
    if (has_head) write("2_Dense/config.json", json["dense"]);
    if (!has_head) modules.erase(modules.size() - 1);
    write("modules.json", modules);
  }

  void write_tokenizer(const Tokenizer& tokenizer) {
    ExportJson names = {{"tokenizer_class", "PreTrainedTokenizerFast"},
                        {"model_max_length", description.max_positions}};
    for (const auto& [name, token] : json["tokens"].items()) {
      if (tokenizer.id(token.get<std::string>())) names[name] = token;
    }
    write("tokenizer_config.json", names);
    if (tokenizer.is_lowercased_first()) refuse("tokenizer.lowercase");
    if (model.tokenizer_file.ends_with("/tokenizer.json")) {
      return files.write("tokenizer.json", MappedFile(model.tokenizer_file).text());
    }
    const std::string& where = model.place.config;  // says how a vocabulary is used
    const Json config = read_json_file(where);
    const TokenizerSettings settings =
        read_family_config(find_family(config, where).family, config, where).tokenizer;
    if (settings.type != TokenizerSettings::Type::wordpiece) refuse("tokenizer.type");
    if (settings.remove_punctuation) refuse("tokenizer.remove_punctuation");
    ExportJson& pipeline = json["tokenizer"];
    pipeline["normalizer"]["strip_accents"] = settings.strip_accents.value_or(settings.lowercase);
    pipeline["normalizer"]["lowercase"] = settings.lowercase;
    pipeline["model"]["unk_token"] = settings.unk_token.value_or("");
    for (TokenId id = 0; id < tokenizer.vocabulary_size(); ++id) {
      json["added"]["id"] = id;
      json["added"]["content"] = tokenizer.token(id).value_or("");
      pipeline["model"]["vocab"][tokenizer.token(id).value_or("")] = id;
      if (tokenizer.is_added(id)) pipeline["added_tokens"].push_back(json["added"]);
    }
    if (tokenizer.special_tokens(/*pair=*/false) > 0) {
      if (!settings.cls_token || !settings.sep_token) refuse("tokenizer.cls_token null");
      const auto& cls = *settings.cls_token;
      const auto& sep = *settings.sep_token;
      pipeline["post_processor"] = {{"type", "BertProcessing"},
                                    {"sep", {sep, *tokenizer.id(sep)}},
                                    {"cls", {cls, *tokenizer.id(cls)}}};
    }
    write("tokenizer.json", pipeline);
  }
};

void write_native_encoder(Model model, ModelDirectory& files) {
  const ModelPlace place = model.place;
  if (!model.description.labels.empty() || model.features) {
    throw Error(place.path, "is a classifier, and the layout headlight is for encoders",
                "headlight init, fit and import write classifiers");
  }
  const ClassifierStart start(std::move(model), {}, /*normalizes=*/true);
  const std::string& module = start.left_out();
  if (!module.empty()) throw Error(place.modules, module, "choose another encoder");
  write_native(start.model(), files);
}

}  // namespace

void export_model(Model model, ExportLayout layout, const std::string& directory, bool force) {
  ModelDirectory files(directory, force);
  if (layout == ExportLayout::native) {
    write_native_encoder(std::move(model), files);
    return files.place();
  }
  Export exported{model, layout, files};
  if (model.family != "headlight") exported.refuse("model_type \"" + model.family + '"');
  if (!model.tokenizer) exported.refuse("a model without a vocabulary");
  if (!model.calibration.thresholds.empty()) {
    exported.refuse("thresholds of calibration.json", "remove them, and others use 0.5");
  }
  exported.is_table ? exported.write_table_configs() : exported.write_config();
  exported.write_weights();
  if (!exported.is_bert) exported.write_modules();
  exported.write_tokenizer(*model.tokenizer);
  files.place();
}

}  // namespace headlight
