#include "reference/random_published.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference/functions.h"
#include "reference/random.h"

namespace headlight::reference {
namespace {

using Json = nlohmann::json;
using Renames = std::vector<std::pair<std::string, std::string>>;

const std::vector<std::string> kFamilies = {"bert",    "distilbert", "roberta",
                                            "electra", "albert",     "mpnet"};

const char* const kTokenClass = "SomeForTokenClassification";

/// Sizes and choices that all families have, and the config that says so in BERT's words.
class PublishedMaker {
 public:
  PublishedMaker(Random& random, bool is_long) : random_(random), long_(is_long) {}

  RandomModel make() {
    model_.config["model_type"] = random_.one_of(kFamilies);
    make_sizes();
    make_choices();
    const auto family = model_.config["model_type"].get<std::string>();
    if (family != "distilbert" && family != "mpnet") make_types();
    if (family == "roberta") skip_pads(random_.whole(0, a().vocab_size - 1));
    if (family == "mpnet") make_mpnet();
    if (family == "electra" || family == "albert") make_embedding(family == "albert");
    if (family == "albert") share_layers();
    if (family == "distilbert") use_distilbert_words();
    if (random_.chance(1, 5)) label_tokens();
    return model_;
  }

  std::size_t longest_text() const { return longest_; }

 private:
  Architecture& a() { return model_.architecture; }

  void make_sizes() {
    longest_ = long_ ? kLongText : random_.whole(1, 24);
    a().vocab_size = random_.whole(3, 60);
    a().num_attention_heads = random_.whole(1, long_ ? 2 : 5);
    const std::size_t e = random_.whole(1, long_ ? 3 : 9);
    a().num_key_value_heads = a().num_attention_heads;
    a().head_sizes.assign(a().num_attention_heads, e);
    a().hidden_size = e * a().num_attention_heads;
    a().embedding_size = a().hidden_size;
    a().intermediate_size = random_.whole(1, 40);
    a().num_hidden_layers = random_.whole(1, long_ ? 2 : 3);
    for (std::size_t i = 0; i < a().num_hidden_layers; ++i) a().layer_weights.push_back(i);
    a().max_position_embeddings = longest_ + random_.whole(0, 3);
    Json& config = model_.config;
    config["vocab_size"] = a().vocab_size;
    config["hidden_size"] = a().hidden_size;
    config["num_attention_heads"] = a().num_attention_heads;
    config["intermediate_size"] = a().intermediate_size;
    config["num_hidden_layers"] = a().num_hidden_layers;
    config["max_position_embeddings"] = a().max_position_embeddings;
  }

  void make_choices() {
    static const std::map<std::string, std::string> dense = {
        {"bert", "tanh"},    {"distilbert", "relu"}, {"roberta", "tanh"},
        {"electra", "gelu"}, {"albert", "tanh"},     {"mpnet", "tanh"}};
    Json& config = model_.config;
    const auto family = config["model_type"].get<std::string>();
    a().hidden_act = random_.one_of(activation_names());
    a().layer_norm_eps =
        family == "distilbert" ? 1e-12 : random_.one_of<double>({1e-5, 1e-12, 1e-3});
    a().head_input = "full";
    a().position_embedding_type = "absolute";
    a().embedding_layer_norm = true;
    a().attention_mask = "bidirectional";
    a().norm_order = "post";
    a().layer_norm_form = "variance";
    a().pooling = "cls";
    a().head_dense_act = dense.at(family);
    a().problem_type = random_.one_of<std::string>(
        {"single_label_classification", "multi_label_classification", "regression"});
    a().labels = random_.whole(1, 5);
    config["hidden_act"] = a().hidden_act;
    config["layer_norm_eps"] = a().layer_norm_eps;
    config["problem_type"] = a().problem_type;
    config["num_labels"] = *a().labels;
    config["architectures"] = {"SomeForSequenceClassification"};
  }

  void make_types() {
    a().type_vocab_size = random_.whole(1, 3);
    model_.config["type_vocab_size"] = a().type_vocab_size;
  }

  void skip_pads(std::size_t pad) {
    a().skipped_pad = pad;
    a().max_position_embeddings += pad + 1;
    model_.config["pad_token_id"] = pad;
    model_.config["max_position_embeddings"] = a().max_position_embeddings;
  }

  void make_mpnet() {
    skip_pads(1);
    a().relative_bias = true;
  }

  void make_embedding(bool always) {
    a().embedding_size = random_.chance(1, 4) ? a().hidden_size : random_.whole(1, 12);
    a().embedding_projection = always || a().embedding_size != a().hidden_size;
    model_.config["embedding_size"] = a().embedding_size;
  }

  // Layer i runs the inner layers of group ⌊i · groups / layers⌋.
  void share_layers() {
    const std::size_t layers = a().num_hidden_layers;
    inner_ = random_.whole(1, 2);
    const std::size_t groups = random_.whole(1, layers);
    a().layer_weights.clear();
    for (std::size_t i = 0; i < layers; ++i) {
      const std::size_t group = i * groups / layers;
      for (std::size_t k = 0; k < inner_; ++k) a().layer_weights.push_back(group * inner_ + k);
    }
    model_.config["num_hidden_groups"] = groups;
    model_.config["inner_group_num"] = inner_;
  }

  // The classifier reads each token; the problem type is not read.
  void label_tokens() {
    a().pooling = "none";
    a().head_dense_act.reset();
    model_.config["architectures"] = {kTokenClass};
  }

  void use_distilbert_words() {
    const Renames words = {{"hidden_size", "dim"},
                           {"num_attention_heads", "n_heads"},
                           {"num_hidden_layers", "n_layers"},
                           {"intermediate_size", "hidden_dim"},
                           {"hidden_act", "activation"}};
    for (const auto& [old_name, name] : words) {
      model_.config[name] = model_.config[old_name];
      model_.config.erase(old_name);
    }
    model_.config["layer_norm_eps"] = 0.1;  // no field of this family
  }

  Random& random_;
  bool long_;
  RandomModel model_;
  std::size_t longest_ = 0;
  std::size_t inner_ = 1;
};

const Renames kBertNames = {{"attention.query", "attention.self.query"},
                            {"attention.key", "attention.self.key"},
                            {"attention.value", "attention.self.value"},
                            {"attention.output", "attention.output.dense"},
                            {"attention.norm", "attention.output.LayerNorm"},
                            {"feed_forward.up", "intermediate.dense"},
                            {"feed_forward.down", "output.dense"},
                            {"feed_forward.norm", "output.LayerNorm"}};

const std::map<std::string, Renames> kLayerNames = {
    {"bert", kBertNames},
    {"roberta", kBertNames},
    {"electra", kBertNames},
    {"distilbert",
     {{"attention.query", "attention.q_lin"},
      {"attention.key", "attention.k_lin"},
      {"attention.value", "attention.v_lin"},
      {"attention.output", "attention.out_lin"},
      {"attention.norm", "sa_layer_norm"},
      {"feed_forward.up", "ffn.lin1"},
      {"feed_forward.down", "ffn.lin2"},
      {"feed_forward.norm", "output_layer_norm"}}},
    {"albert",
     {{"attention.output", "attention.dense"},
      {"attention.norm", "attention.LayerNorm"},
      {"feed_forward.up", "ffn"},
      {"feed_forward.down", "ffn_output"},
      {"feed_forward.norm", "full_layer_layer_norm"}}},
    {"mpnet",
     {{"attention.query", "attention.attn.q"},
      {"attention.key", "attention.attn.k"},
      {"attention.value", "attention.attn.v"},
      {"attention.output", "attention.attn.o"},
      {"attention.norm", "attention.LayerNorm"},
      {"feed_forward.up", "intermediate.dense"},
      {"feed_forward.down", "output.dense"},
      {"feed_forward.norm", "output.LayerNorm"}}}};

const std::map<std::string, std::pair<std::string, std::string>> kHeadNames = {
    {"bert", {"bert.pooler.dense", "classifier"}},
    {"distilbert", {"pre_classifier", "classifier"}},
    {"roberta", {"classifier.dense", "classifier.out_proj"}},
    {"electra", {"classifier.dense", "classifier.out_proj"}},
    {"albert", {"albert.pooler", "classifier"}},
    {"mpnet", {"classifier.dense", "classifier.out_proj"}}};

/// "layers.3" in the family's words.
std::string layer_name(const Json& config, std::size_t index) {
  const auto family = config["model_type"].get<std::string>();
  if (family == "distilbert") return "distilbert.transformer.layer." + std::to_string(index);
  if (family != "albert") return family + ".encoder.layer." + std::to_string(index);
  const auto inner = config["inner_group_num"].get<std::size_t>();
  return "albert.encoder.albert_layer_groups." + std::to_string(index / inner) + ".albert_layers." +
         std::to_string(index % inner);
}

/// A native name, less ".weight" or ".bias", in the family's words.
std::string published_name(const Json& config, const std::string& name) {
  const auto family = config["model_type"].get<std::string>();
  const bool albert = family == "albert";
  const bool tokens = config["architectures"][0] == kTokenClass;
  const std::map<std::string, std::string> others = {
      {"embeddings.token", family + ".embeddings.word_embeddings"},
      {"embeddings.position", family + ".embeddings.position_embeddings"},
      {"embeddings.token_type", family + ".embeddings.token_type_embeddings"},
      {"embeddings.norm", family + ".embeddings.LayerNorm"},
      {"embeddings.projection",
       albert ? "albert.encoder.embedding_hidden_mapping_in" : "electra.embeddings_project"},
      {"relative_bias", "mpnet.encoder.relative_attention_bias"},
      {"head.dense", kHeadNames.at(family).first},
      {"classifier", tokens ? "classifier" : kHeadNames.at(family).second}};
  if (!name.starts_with("layers.")) return others.at(name);
  const std::size_t dot = name.find('.', 7);
  const std::string part = name.substr(dot + 1);
  const Renames& parts = kLayerNames.at(family);
  const auto renamed = std::find_if(parts.begin(), parts.end(),
                                    [&](const auto& rename) { return rename.first == part; });
  return layer_name(config, std::stoul(name.substr(7, dot - 7))) + "." +
         (renamed == parts.end() ? part : renamed->second);
}

}  // namespace

RandomModel random_published(std::uint64_t seed) {
  Random random(seed);
  PublishedMaker maker(random, seed % 50 == 7);
  RandomModel model = maker.make();
  fill_random_model(random, maker.longest_text(), model);
  if (model.storage.type == NumberType::json) model.storage.type = NumberType::f32;
  return model;
}

Tensors published_tensors(const RandomModel& model) {
  Tensors tensors;
  for (const auto& [name, tensor] : model.tensors) {
    const std::size_t dot = name.rfind('.');
    tensors[published_name(model.config, name.substr(0, dot)) + name.substr(dot)] = tensor;
  }
  return tensors;
}

}  // namespace headlight::reference
