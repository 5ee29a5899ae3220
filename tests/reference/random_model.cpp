#include "reference/random_model.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "reference/functions.h"

namespace headlight::reference {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;
using Sizes = std::vector<std::size_t>;

/// Draws the fields one after another. A field whose value is the default is left out half the
/// time.
class ConfigMaker {
 public:
  ConfigMaker(Random& random, bool is_long) : random_(random), long_(is_long) {}

  Json make() {
    config_ = {{"model_type", "headlight"}};
    lone_ = !long_ && random_.chance(1, 8);
    make_sizes();
    make_heads();
    make_embedding();
    make_layers();
    make_head();
    make_lengths();
    make_relative();
    make_convolution();
    return config_;
  }

  std::size_t longest_text() const { return longest_; }

 private:
  template <typename T>
  void set(const char* name, const T& value, const T& fallback) {
    if (value != fallback || random_.chance(1, 2)) config_[name] = value;
  }

  void set_word(const char* name, const std::string& value, const std::string& fallback) {
    set(name, value, fallback);
  }

  void set_nullable(const char* name, const Json& value) { set(name, value, Json(nullptr)); }

  void make_sizes() {
    vocab_ = random_.whole(3, 60);
    if (long_) {
      d_ = random_.whole(1, 8);
    } else if (random_.chance(1, 2)) {
      d_ = random_.one_of<std::size_t>({1, 2, 3, 8, 12, 16, 24, 31, 33, 40, 63, 64});
    } else {
      d_ = random_.whole(1, 64);
    }
    layers_ = lone_ ? 1 : random_.whole(0, long_ ? 2 : 3);
    config_["vocab_size"] = vocab_;
    config_["hidden_size"] = d_;
    config_["num_hidden_layers"] = layers_;
  }

  // A lone layer may end in its heads, as wide as they like. Else, without projection, H = d.
  void make_heads() {
    const std::size_t most = long_ ? 2 : 5;
    projection_ = !lone_ && random_.chance(2, 3);
    const bool slice = !lone_ && random_.chance(1, 3);
    std::size_t heads = random_.whole(1, most);
    Sizes sizes;
    if (slice || random_.chance(1, 3)) {
      while (d_ % heads != 0) --heads;
      sizes.assign(heads, d_ / heads);
    } else if (projection_ || lone_) {
      for (std::size_t k = 0; k < heads; ++k) sizes.push_back(random_.whole(1, 20));
    } else {
      heads = std::min(heads, d_);
      sizes = parts_of(d_, heads);
    }
    const Sizes equal(heads, d_ / heads);
    config_["num_attention_heads"] = heads;
    set("head_sizes", sizes, d_ % heads == 0 ? equal : Sizes{});
    set_word("head_input", slice ? "slice" : "full", "full");
    set("attention_output_projection", projection_, true);
    set("attention_bias", random_.chance(1, 2), true);
    make_shared_keys(sizes, slice);
    set("attention_output_bias", random_.chance(1, 2), config_.value("attention_bias", true));
    set_nullable("attention_scale", random_.chance(1, 3) ? Json(random_scale()) : Json(nullptr));
    set_word("attention_mask", random_.one_of<std::string>({"bidirectional", "causal"}),
             "bidirectional");
  }

  // Equal heads may share keys and values, norm them, and turn with their position.
  void make_shared_keys(const Sizes& sizes, bool slice) {
    equal_ = std::all_of(sizes.begin(), sizes.end(),
                         [&](std::size_t size) { return size == sizes.front(); });
    even_ = equal_ && sizes.front() % 2 == 0;
    head_size_ = sizes.front();
    const std::size_t heads = sizes.size();
    std::size_t key_heads = random_.whole(1, heads);
    while (heads % key_heads != 0) --key_heads;
    set("num_key_value_heads", equal_ && !slice ? key_heads : heads, heads);
    set("query_key_norm", equal_ && random_.chance(1, 4), false);
  }

  Json window() {
    return random_.chance(1, 3) ? Json(nullptr) : Json(random_.whole(0, long_ ? 100 : 9));
  }

  void make_windows() {
    if (random_.chance(1, 2)) return set_nullable("attention_window", nullptr);
    if (layers_ == 0 || random_.chance(1, 2)) return set_nullable("attention_window", window());
    Json windows = Json::array();
    for (std::size_t i = 0; i < layers_; ++i) windows.push_back(window());
    config_["attention_window"] = windows;
  }

  void make_rotary() {
    if (config_.value("position_embedding_type", "sinusoidal") != "rotary") return;
    set("rope_interleaved", random_.chance(1, 3), false);
    const bool half = head_size_ % 4 == 0 && random_.chance(1, 2);
    set("partial_rotary_factor", half ? 0.5 : 1.0, 1.0);
    const auto base = [&] { return Json(random_.one_of<std::size_t>({10000, 100, 160000})); };
    if (layers_ == 0 || random_.chance(1, 2)) return set("rope_theta", base(), Json(10000));
    Json bases = Json::array();
    for (std::size_t i = 0; i < layers_; ++i) bases.push_back(base());
    config_["rope_theta"] = bases;
  }

  void make_relative() {
    if (!random_.chance(1, 3)) return set("relative_attention", false, false);
    config_["relative_attention"] = true;
    const std::vector<Words> terms = {{"c2p", "p2c"}, {"c2p"}, {"p2c"}};
    config_["pos_att_type"] = random_.one_of(terms);
    const std::size_t farthest = random_.whole(3, long_ ? 300 : 24);
    config_["max_relative_positions"] = farthest;
    const bool buckets = random_.chance(1, 2);
    const std::size_t most = std::min<std::size_t>(2 * (farthest - 2) + 1, 64);
    set_nullable("position_buckets", buckets ? Json(random_.whole(2, most)) : Json(nullptr));
    const bool slice = config_.value("head_input", "full") == "slice";
    set("share_att_key", !slice && random_.chance(1, 2), false);
    set_word("norm_rel_ebd", random_.one_of<std::string>({"none", "layer_norm"}), "none");
  }

  void make_convolution() {
    if (lone_ || layers_ == 0 || !random_.chance(1, 5))
      return set_nullable("conv_kernel_size", nullptr);
    config_["conv_kernel_size"] = random_.one_of<std::size_t>({1, 3, 3, 5});
    std::size_t groups = random_.whole(1, 4);
    while (d_ % groups != 0) --groups;
    set("conv_groups", groups, std::size_t{1});
    set_word("conv_act", random_.one_of(activation_names()), "tanh");
  }

  void make_embedding_size() {
    const std::size_t e = random_.chance(3, 4) ? d_ : random_.whole(1, 40);
    set("embedding_size", e, d_);
    const bool projection = e != d_ || random_.chance(1, 8);
    set("embedding_projection", projection, e != d_);
    set("embedding_projection_first", projection && random_.chance(1, 2), false);
  }

  /// `count` sizes ≥ 1 that add up to `total`.
  Sizes parts_of(std::size_t total, std::size_t count) {
    Sizes sizes(count, 1);
    for (std::size_t left = total - count; left > 0; --left) ++sizes[random_.whole(0, count - 1)];
    return sizes;
  }

  Json random_scale() { return random_.one_of<Json>({Json(1), Json(0.5), Json(0.125), Json(0.3)}); }

  void make_embedding() {
    const Words kinds = {"sinusoidal", "absolute", "none", "rotary"};
    set_word("position_embedding_type", kinds[random_.whole(0, even_ ? 3 : 2)], "sinusoidal");
    make_rotary();
    make_windows();
    set("type_vocab_size", random_.chance(1, 2) ? std::size_t{0} : random_.whole(1, 3),
        std::size_t{0});
    set("embedding_scale", random_.one_of<Json>({Json(1.0), Json(2), Json(0.75), Json(1.7)}),
        Json(1.0));
    set("embedding_layer_norm", random_.chance(1, 2), false);
    make_embedding_size();
  }

  void make_layers() {
    const std::size_t f = lone_ || random_.chance(1, 4)
                              ? 0
                              : random_.one_of<std::size_t>({1, 7, 37, 64, 4 * d_, 4 * d_, 4 * d_});
    set("intermediate_size", f, 4 * d_);
    set_word("hidden_act", random_.one_of(activation_names()), "relu");
    set("residual", !lone_ && random_.chance(3, 4), true);
    set("gated_feed_forward", random_.chance(1, 3), false);
    set("feed_forward_bias", random_.chance(2, 3), true);
    const std::string order =
        lone_ ? "none" : random_.one_of<std::string>({"post", "pre", "sandwich", "none"});
    set_word("norm_order", order, "post");
    const bool before = order == "pre" || order == "sandwich";
    set("first_attention_norm", !before || random_.chance(2, 3), true);
    set("norm_bias", random_.chance(2, 3), true);
    set("layer_norm_eps", random_.one_of<double>({1e-5, 1e-12, 1e-3, 0.1}), 1e-5);
    set_word("layer_norm_form", random_.one_of<std::string>({"variance", "deviation", "rms"}),
             "variance");
  }

  void make_head() {
    const Words poolings = {"cls", "last", "mean", "max", "none", "label_attention"};
    const std::string pooling = poolings[random_.whole(0, lone_ ? 4 : 5)];
    set_word("pooling", pooling, "mean");
    const bool dense = !lone_ && pooling != "label_attention" && random_.chance(2, 3);
    set_nullable("head_dense_act", dense ? Json(random_.one_of(activation_names())) : Json());
    set("head_dense_bias", random_.chance(2, 3), true);
    set("head_norm", dense && random_.chance(1, 3), false);
    set("head_dense_first", dense && random_.chance(1, 3), false);
    set("last_skips_pad", pooling == "last" && random_.chance(1, 2), false);
    set("classifier_bias", random_.chance(2, 3), true);
    classes_ = random_.whole(1, 5);
    make_labels();
    const Words problems = {"single_label_classification", "multi_label_classification",
                            "regression"};
    const std::string problem = problems[random_.whole(0, pooling == "none" ? 0 : 2)];
    set_word("problem_type", problem, problems.front());
  }

  void make_labels() {
    const std::size_t form = random_.whole(0, 2);
    if (form == 0) return;  // LABEL_0 …: the classifier says how many
    Json labels = form == 1 ? Json::array() : Json::object();
    for (std::size_t i = 0; i < classes_; ++i) {
      const std::string name = "class " + std::to_string(i);
      if (form == 1) labels.push_back(name);
      if (form == 2) labels[std::to_string(i)] = name;
    }
    config_["id2label"] = labels;
  }

  void make_lengths() {
    longest_ = long_ ? kLongText : random_.whole(1, 24);
    const std::size_t most = random_.one_of<std::size_t>({longest_, longest_ + 3, 512});
    set("max_position_embeddings", std::max(most, longest_), std::size_t{512});
    set("pad_token_id", random_.chance(1, 2) ? std::size_t{0} : random_.whole(1, vocab_ - 1),
        std::size_t{0});
    const bool padded = random_.chance(1, 5);
    set_nullable("pad_to_length", padded ? Json(random_.whole(1, longest_)) : Json(nullptr));
    if (random_.chance(1, 2)) {
      Json words = Json::array();
      for (std::size_t i = 0; i < vocab_; ++i) words.push_back("w" + std::to_string(i));
      config_["tokenizer"] = {{"type", "whitespace"}, {"vocabulary", words}};
    }
  }

  Random& random_;
  bool long_;          // texts of 512 tokens, and little else
  bool lone_ = false;  // one bare layer of heads, straight into the classifier
  Json config_;
  std::size_t vocab_ = 0;
  std::size_t d_ = 0;
  std::size_t layers_ = 0;
  std::size_t classes_ = 0;
  std::size_t longest_ = 0;
  bool projection_ = true;
  bool equal_ = false;  // heads of one size
  bool even_ = false;   // and that is even
  std::size_t head_size_ = 0;
};

/// Numbers that keep what flows through the layers near 1; `size` is 1, or less where no norm does.
Tensor random_tensor(Random& random, const std::string& name, const Sizes& shape, double size) {
  Tensor tensor{shape, {}};
  const bool norm = name.find("norm.") != std::string::npos;
  const bool lookup = (name.starts_with("embeddings.") && !name.starts_with("embeddings.pro")) ||
                      name == "label_attention.queries" || name == "relative_bias.weight" ||
                      name == "relative_attention.embeddings.weight";
  const bool scored = name.ends_with("query.weight") || name.ends_with("key.weight");
  double deviation = 0.2;  // biases, and the norms' gains around 1
  if (shape.size() == 2) deviation = lookup ? 0.7 : 1.0 / std::sqrt(static_cast<double>(shape[1]));
  if (shape.size() == 3) deviation = 1.0 / std::sqrt(static_cast<double>(shape[1] * shape[2]));
  if (scored) deviation *= 1.5;  // attention that is not nearly uniform
  deviation *= size;
  const double centre = norm && name.ends_with(".weight") ? 1.0 : 0.0;
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  for (std::size_t i = 0; i < count; ++i) {
    tensor.values.push_back(rounded_to(NumberType::f32, centre + random.spread(deviation)));
  }
  return tensor;
}

/// Activations that cut large numbers off get some that are large enough.
void widen_clipped(const Architecture& a, Tensors& tensors) {
  if (a.hidden_act != "relu6" && a.hidden_act != "gelu_10") return;
  for (auto& [name, tensor] : tensors) {
    if (!name.ends_with("up.bias")) continue;
    for (double& value : tensor.values) value *= 40.0;
  }
}

Text random_text(Random& random, const Architecture& a, std::size_t length) {
  Text text;
  const std::size_t types = std::max<std::size_t>(a.type_vocab_size, 1);
  for (std::size_t i = 0; i < length; ++i) {
    text.ids.push_back(random.whole(0, a.vocab_size - 1));
    text.type_ids.push_back(random.whole(0, types - 1));
  }
  return text;
}

/// Two to four texts: one of `longest` tokens, one of a single token, others between.
std::vector<Text> random_texts(Random& random, const Architecture& a, std::size_t longest) {
  Sizes lengths = {longest, 1};
  while (lengths.size() < 4 && random.chance(2, 3)) lengths.push_back(random.whole(1, longest));
  std::vector<Text> texts;
  for (const std::size_t length : lengths) texts.push_back(random_text(random, a, length));
  std::swap(texts.front(), texts[random.whole(0, texts.size() - 1)]);
  return texts;
}

Storage random_storage(Random& random, bool small) {
  const std::vector<NumberType> types = {NumberType::f32, NumberType::f32, NumberType::f16,
                                         NumberType::bf16, NumberType::json};
  Storage storage;
  storage.type = types[random.whole(0, small ? 4 : 3)];
  storage.unaligned = storage.type != NumberType::json && random.chance(1, 2);
  return storage;
}

}  // namespace

std::map<std::string, Sizes> tensor_shapes(const Architecture& a, std::size_t classes) {
  const std::size_t d = a.hidden_size;
  const std::size_t f = a.intermediate_size;
  const std::size_t all = a.all_heads();
  std::map<std::string, Sizes> shapes;
  const auto norm = [&](const std::string& name, std::size_t width) {
    shapes[name + ".weight"] = {width};
    if (a.norm_bias) shapes[name + ".bias"] = {width};
  };
  const auto attention = [&](const std::string& name, std::size_t in, std::size_t keys) {
    for (const std::string part : {".query", ".key", ".value"}) {
      const std::size_t out = part == ".query" ? all : keys;
      shapes[name + part + ".weight"] = {out, in};
      if (a.attention_bias) shapes[name + part + ".bias"] = {out};
    }
    if (!a.attention_output_projection) return;
    shapes[name + ".output.weight"] = {d, all};
    if (a.attention_output_bias) shapes[name + ".output.bias"] = {d};
  };
  const auto linear = [&](const std::string& name, std::size_t out, std::size_t in, bool bias) {
    shapes[name + ".weight"] = {out, in};
    if (bias) shapes[name + ".bias"] = {out};
  };

  const std::size_t e = a.embedding_size;
  shapes["embeddings.token.weight"] = {a.vocab_size, e};
  if (a.position_embedding_type == "absolute") {
    shapes["embeddings.position.weight"] = {a.max_position_embeddings, e};
  }
  if (a.type_vocab_size > 0) shapes["embeddings.token_type.weight"] = {a.type_vocab_size, e};
  const bool projected_first = a.embedding_projection_first;
  if (a.embedding_layer_norm) norm("embeddings.norm", projected_first ? d : e);
  if (a.embedding_projection) linear("embeddings.projection", d, e, !projected_first);
  if (a.relative_attention) {
    shapes["relative_attention.embeddings.weight"] = {2 * a.relative_attention->span, d};
    if (a.relative_attention->norm) norm("relative_attention.norm", d);
  }
  if (a.conv_kernel_size > 0) {
    shapes["convolution.weight"] = {d, d / a.conv_groups, a.conv_kernel_size};
    shapes["convolution.bias"] = {d};
    norm("convolution.norm", d);
  }
  if (a.relative_bias) shapes["relative_bias.weight"] = {kBuckets, a.num_attention_heads};
  for (const std::size_t i : a.layer_weights) {
    const std::string layer = "layers." + std::to_string(i);
    attention(layer + ".attention", a.head_input == "slice" ? a.head_sizes[0] : d, all / a.group());
    if (a.query_key_norm) {
      for (const char* part : {".attention.query_norm", ".attention.key_norm"}) {
        shapes[layer + part + ".weight"] = {a.head_sizes[0]};
      }
    }
    const auto& relative = a.relative_attention;
    if (relative && !relative->shared && relative->content_to_position) {
      linear(layer + ".attention.relative_key", all / a.group(), d, a.attention_bias);
    }
    if (relative && !relative->shared && relative->position_to_content) {
      linear(layer + ".attention.relative_query", all, d, a.attention_bias);
    }
    const bool first = i == a.layer_weights.front();
    if (a.norm_order != "none" && (!first || a.first_attention_norm)) {
      norm(layer + ".attention.norm", d);
    }
    if (a.norm_order == "sandwich") norm(layer + ".attention.output_norm", d);
    if (f == 0) continue;
    if (a.gated_feed_forward) linear(layer + ".feed_forward.gate", f, d, a.feed_forward_bias);
    linear(layer + ".feed_forward.up", f, d, a.feed_forward_bias);
    linear(layer + ".feed_forward.down", d, f, a.feed_forward_bias);
    if (a.norm_order != "none") norm(layer + ".feed_forward.norm", d);
    if (a.norm_order == "sandwich") norm(layer + ".feed_forward.output_norm", d);
  }
  if (a.norms_before()) norm("final_norm", d);
  if (a.pooling == "label_attention") {
    shapes["label_attention.queries"] = {classes, d};
    attention("label_attention", d, all);
  }
  if (a.head_dense_act) {
    linear("head.dense", d, d, a.head_dense_bias);
    if (a.head_norm) norm("head.norm", d);
  }
  shapes["classifier.weight"] = {classes, a.classifier_in()};
  if (a.classifier_bias) shapes["classifier.bias"] = {classes};
  return shapes;
}

void fill_random_model(Random& random, std::size_t longest, RandomModel& model) {
  const Architecture& a = model.architecture;
  const double size = a.norm_order == "none" ? 0.6 : 1.0;
  const std::size_t classes = a.labels ? *a.labels : random.whole(1, 5);
  for (const auto& [name, shape] : tensor_shapes(a, classes)) {
    model.tensors[name] = random_tensor(random, name, shape, size);
  }
  widen_clipped(a, model.tensors);
  model.storage = random_storage(random, a.hidden_size <= 24);
  round_tensors(model.storage.type, model.tensors);
  model.texts = random_texts(random, a, longest);
}

RandomModel random_model(std::uint64_t seed) {
  Random random(seed);
  const bool is_long = seed % 50 == 7;
  RandomModel model;
  ConfigMaker maker(random, is_long);
  model.config = maker.make();
  model.architecture = read_architecture(model.config);
  fill_random_model(random, maker.longest_text(), model);
  return model;
}

Batch batch_of(const RandomModel& model) {
  Batch batch;
  for (const Text& text : model.texts) {
    const Text padded = pad(model.architecture, text);
    const std::vector<TokenId> ids(padded.ids.begin(), padded.ids.end());
    const std::vector<TokenId> type_ids(padded.type_ids.begin(), padded.type_ids.end());
    batch.add(ids, type_ids);
  }
  return batch;
}

}  // namespace headlight::reference
