// The program's encoder against the naive float64 one of tests/reference/, on random models of
// every kind: written to a directory, loaded, and run on several texts in one ragged batch.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "base/temporary_folder.h"
#include "classifier/token_classifier.h"
#include "encoder/forward.h"
#include "encoder/trace.h"
#include "inside/inside.h"
#include "model/model.h"
#include "reference/compare.h"
#include "reference/encoder.h"
#include "reference/functions.h"
#include "reference/random_model.h"
#include "reference/random_published.h"
#include "sanitized.h"
#include "text/typed_ids.h"

namespace headlight::reference_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeeds = 600;
constexpr double kTolerance = 1e-4;
constexpr int kFailuresShown = 5;

/// Empty, or the first thing in which the program's results on one text differ.
std::string text_difference(const Model& model, std::span<const float> logits,
                            const TextTrace& trace, const reference::Result& expected) {
  std::string found = reference::first_difference(logits, expected.logits, kTolerance);
  if (!found.empty()) return "logits, " + found;
  if (trace.hidden.size() != expected.hidden.size()) return "hidden: number of layers";
  for (std::size_t i = 0; i < expected.hidden.size(); ++i) {
    const auto& hidden = expected.hidden[i];
    found = reference::first_difference(std::span(trace.hidden[i]), hidden, kTolerance);
    if (!found.empty()) return "hidden " + std::to_string(i) + ", " + found;
  }
  if (trace.attention.size() != expected.attention.size()) return "attention: number of layers";
  for (std::size_t i = 0; i < expected.attention.size(); ++i) {
    const auto& maps = expected.attention[i];
    found = reference::first_difference(std::span(trace.attention[i]), maps, kTolerance);
    if (!found.empty()) return "attention of layer " + std::to_string(i) + ", " + found;
  }
  const auto norms = ValueNorms(model).of(trace);
  if (norms.size() != expected.value_norms.size()) return "norms: number of layers";
  for (std::size_t i = 0; i < norms.size(); ++i) {
    found = reference::first_difference(std::span(norms[i]), expected.value_norms[i], kTolerance);
    if (!found.empty()) return "value norms of layer " + std::to_string(i) + ", " + found;
  }
  found = reference::first_difference(std::span(trace.label_attention), expected.label_attention,
                                      kTolerance);
  return found.empty() ? "" : "label attention, " + found;
}

/// The logits of a text in the batch: its row, or with pooling `none` the rows of its tokens.
std::vector<float> logits_of(const Model& model, const Batch& batch, ConstMatrix logits,
                             std::size_t text) {
  const bool each_token = model.description.pooling == Pooling::each_token;
  const std::size_t first = each_token ? batch.starts()[text] : text;
  std::vector<float> own;
  keep_rows(logits.row_range(first, each_token ? batch.length(text) : 1), own);
  return own;
}

/// All texts of `random` in one batch through `model`; empty, or the first difference.
std::string model_difference(const Model& model, const reference::RandomModel& random) {
  const Batch batch = batch_of(random);
  static Scratch scratch;  // one for all models: nothing of one may show in another
  Trace trace;
  trace.wants_attention = true;
  trace.wants_values = true;
  trace.wants_hidden = true;
  trace.wants_label_attention = true;
  const ConstMatrix logits = forward(model.description, model.weights, {batch, scratch, &trace});
  const bool each_token = model.description.pooling == Pooling::each_token;
  if (logits.rows != (each_token ? batch.tokens() : batch.texts())) return "logits: number of rows";
  if (trace.texts.size() != random.texts.size()) return "trace: number of texts";
  std::vector<std::vector<float>> traced;
  for (std::size_t i = 0; i < random.texts.size(); ++i) {
    const auto expected = reference::encode(random.architecture, random.tensors, random.texts[i]);
    traced.push_back(logits_of(model, batch, logits, i));
    const std::string found = text_difference(model, traced.back(), trace.texts[i], expected);
    if (!found.empty()) return "text " + std::to_string(i) + ": " + found;
  }
  const ConstMatrix again = forward(model.description, model.weights, {batch, scratch});
  for (std::size_t i = 0; i < traced.size(); ++i) {
    if (logits_of(model, batch, again, i) != traced[i])
      return "text " + std::to_string(i) + ": other logits without trace";
  }
  return "";
}

/// Numbers with blanks between.
std::string listed(const std::vector<std::size_t>& numbers) {
  std::string out;
  for (const std::size_t number : numbers) out += std::to_string(number) + " ";
  return out;
}

/// The texts as token ids through the classifier, which pads and makes probabilities.
std::string classifier_difference(const Model& model, const reference::RandomModel& random) {
  ClassifierOptions options;
  options.ids = true;
  const bool each_token = model.description.pooling == Pooling::each_token;
  std::unique_ptr<TextClassifier> classifier = std::make_unique<Classifier>(model, options);
  if (each_token) classifier = std::make_unique<TokenClassifier>(model, options, EntityOptions{});
  std::vector<TextInput> inputs;
  for (const reference::Text& text : random.texts) {
    TypedIds ids = parse_typed_ids(listed(text.ids), listed(text.type_ids));
    inputs.push_back({listed(text.ids), std::nullopt, std::move(ids)});
  }
  ScoringScratch scratch;
  const std::vector<Prediction> predictions = classifier->classify(inputs, scratch);
  if (predictions.size() != inputs.size()) return "classifier: number of predictions";
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string place = "classifier, text " + std::to_string(i) + ": ";
    if (!predictions[i].error.empty()) return place + predictions[i].error;
    const auto expected = reference::encode(random.architecture, random.tensors, random.texts[i]);
    const auto& logits = each_token ? predictions[i].token_labels.logits : predictions[i].logits;
    std::string found = reference::first_difference(std::span(logits), expected.logits, kTolerance);
    if (!found.empty()) return place + "logits, " + found;
    if (each_token) continue;  // scores are checked by their entities elsewhere
    found = reference::first_difference(std::span(predictions[i].scores), expected.probabilities,
                                        kTolerance);
    if (!found.empty()) return place + "scores, " + found;
  }
  return "";
}

/// `stored` are the model's tensors under the names they have in files.
std::string file_difference(const reference::RandomModel& random, const reference::Tensors& stored,
                            const fs::path& directory) {
  reference::write_model_directory(directory, random.config, stored, random.storage);
  std::string found;
  try {
    const Model model = load_model(locate_model(directory.string(), ""));
    found = model_difference(model, random);
    if (found.empty()) found = classifier_difference(model, random);
  } catch (const std::exception& error) {
    found = error.what();
  }
  fs::remove_all(directory);
  if (found.empty()) return "";
  nlohmann::json config = random.config;
  config.erase("tokenizer");
  return found + "\n" + config.dump();
}

/// Makes a model a seed and checks each; of those that differ, the first few are shown.
template <typename Check>
void check_seeds(Check check) {
  const TemporaryFolder folder;
  int failures = 0;
  for (std::uint64_t seed = 0; seed < kSeeds && failures < kFailuresShown; seed += kCaseStep) {
    CAPTURE(seed);
    const std::string found = check(seed, folder / std::to_string(seed));
    CHECK_MESSAGE(found.empty(), found);
    if (!found.empty()) ++failures;
  }
}

using Counts = std::map<std::string, int>;

void count_fields(const reference::Architecture& a, Counts& counts) {
  const auto count = [&](const std::string& field, const std::string& value) {
    ++counts[field + " " + value];
  };
  const auto flag = [&](const char* field, bool value) { count(field, value ? "true" : "false"); };
  const bool layers = a.num_hidden_layers > 0;
  const bool attends = layers || a.pooling == "label_attention";
  const bool norms =
      a.embedding_layer_norm || a.norms_before() || (layers && a.norm_order == "post");
  count("num_hidden_layers", std::to_string(a.num_hidden_layers));
  count("position_embedding_type", a.position_embedding_type);
  flag("type_vocab_size 0:", a.type_vocab_size == 0);
  flag("embedding_scale 1:", a.embedding_scale == 1.0);
  flag("embedding_layer_norm", a.embedding_layer_norm);
  flag("embedding_projection", a.embedding_projection);
  if (a.embedding_projection) flag("embedding_projection_first", a.embedding_projection_first);
  if (attends) {
    count("num_attention_heads", std::to_string(a.num_attention_heads));
    flag("attention_bias", a.attention_bias);
    flag("attention_output_projection", a.attention_output_projection);
    flag("attention_scale null:", !a.attention_scale);
    flag("head_sizes equal:",
         std::equal(a.head_sizes.begin() + 1, a.head_sizes.end(), a.head_sizes.begin()));
  }
  if (layers) {
    count("head_input", a.head_input);
    count("attention_mask", a.attention_mask);
    flag("shared keys", a.group() > 1);
    flag("query_key_norm", a.query_key_norm);
    flag("window", a.attention_window.front().has_value());
    flag("window of one layer", !std::equal(a.attention_window.begin() + 1,
                                            a.attention_window.end(), a.attention_window.begin()));
    flag("attention_output_bias", a.attention_output_bias);
    flag("convolution", a.conv_kernel_size > 0);
    if (a.conv_kernel_size > 0) flag("conv_groups 1:", a.conv_groups == 1);
    flag("relative_attention", a.relative_attention.has_value());
    if (a.relative_attention) {
      flag("c2p", a.relative_attention->content_to_position);
      flag("p2c", a.relative_attention->position_to_content);
      flag("position_buckets", a.relative_attention->farthest.has_value());
      flag("share_att_key", a.relative_attention->shared);
      flag("norm_rel_ebd", a.relative_attention->norm);
    }
    if (a.position_embedding_type == "rotary") {
      flag("rope_interleaved", a.rope_interleaved);
      flag("partial_rotary_factor 1:", a.partial_rotary_factor == 1.0);
      flag("one rope_theta",
           std::equal(a.rope_theta.begin() + 1, a.rope_theta.end(), a.rope_theta.begin()));
    }
    if (a.norms_before()) flag("first_attention_norm", a.first_attention_norm);
    flag("residual", a.residual);
    count("norm_order", a.norm_order);
    flag("intermediate_size 0:", a.intermediate_size == 0);
    if (a.intermediate_size > 0) {
      count("hidden_act", a.hidden_act);
      flag("gated_feed_forward", a.gated_feed_forward);
      flag("feed_forward_bias", a.feed_forward_bias);
    }
  }
  if (norms) {
    count("layer_norm_form", a.layer_norm_form);
    flag("norm_bias", a.norm_bias);
  }
  if (a.pooling == "last") flag("last_skips_pad", a.last_skips_pad);
  if (a.head_dense_act) {
    flag("head_dense_bias", a.head_dense_bias);
    flag("head_norm", a.head_norm);
    flag("head_dense_first", a.head_dense_first);
  }
  count("pooling", a.pooling);
  count("head_dense_act", a.head_dense_act.value_or("null"));
  flag("classifier_bias", a.classifier_bias);
  count("problem_type", a.problem_type);
  flag("pad_to_length null:", !a.pad_to_length);
  flag("id2label there:", a.labels.has_value());
}

void count_corners(const reference::RandomModel& random, const reference::Architecture& a,
                   Counts& counts) {
  const std::vector<std::string> types = {"f32", "f16", "bf16", "weights.json"};
  ++counts["stored " + types[static_cast<std::size_t>(random.storage.type)]];
  if (random.storage.unaligned) ++counts["stored unaligned"];
  if (a.hidden_size == 1) ++counts["hidden_size 1"];
  const bool odd = a.hidden_size % 2 == 1;
  if (odd && a.position_embedding_type == "sinusoidal") ++counts["sinusoidal odd"];
  if (a.classifier_in() != a.hidden_size) ++counts["classifier as wide as the heads"];
  for (const auto& text : random.texts) {
    if (text.ids.size() == 1) ++counts["text of 1"];
    if (text.ids.size() == 512) ++counts["text of 512"];
  }
}

/// Every value that must have occurred.
std::vector<std::string> expected_counts() {
  const std::vector<std::pair<std::string, std::vector<std::string>>> fields = {
      {"num_hidden_layers", {"0", "1", "2", "3"}},
      {"num_attention_heads", {"1", "2", "3", "4", "5"}},
      {"position_embedding_type", {"sinusoidal", "absolute", "none", "rotary"}},
      {"head_input", {"full", "slice"}},
      {"attention_mask", {"bidirectional", "causal"}},
      {"norm_order", {"post", "pre", "sandwich", "none"}},
      {"layer_norm_form", {"variance", "deviation", "rms"}},
      {"pooling", {"cls", "last", "mean", "max", "label_attention", "none"}},
      {"problem_type", {"single_label_classification", "multi_label_classification", "regression"}},
      {"hidden_act", reference::activation_names()},
      {"head_dense_act", reference::activation_names()},
      {"stored", {"f32", "f16", "bf16", "weights.json", "unaligned"}},
      {"text of", {"1", "512"}}};
  std::vector<std::string> out = {"head_dense_act null", "hidden_size 1", "sinusoidal odd",
                                  "classifier as wide as the heads"};
  for (const auto& [field, values] : fields) {
    for (const std::string& value : values) out.push_back(field + " " + value);
  }
  for (const char* flag : {"type_vocab_size 0:",
                           "embedding_scale 1:",
                           "embedding_layer_norm",
                           "attention_bias",
                           "attention_output_projection",
                           "attention_scale null:",
                           "head_sizes equal:",
                           "residual",
                           "intermediate_size 0:",
                           "classifier_bias",
                           "pad_to_length null:",
                           "id2label there:",
                           "shared keys",
                           "query_key_norm",
                           "window",
                           "window of one layer",
                           "attention_output_bias",
                           "rope_interleaved",
                           "partial_rotary_factor 1:",
                           "one rope_theta",
                           "first_attention_norm",
                           "gated_feed_forward",
                           "feed_forward_bias",
                           "norm_bias",
                           "last_skips_pad",
                           "head_dense_bias",
                           "head_norm",
                           "convolution",
                           "conv_groups 1:",
                           "relative_attention",
                           "c2p",
                           "p2c",
                           "position_buckets",
                           "share_att_key",
                           "norm_rel_ebd",
                           "embedding_projection",
                           "embedding_projection_first",
                           "head_dense_first"}) {
    out.push_back(std::string(flag) + " true");
    out.push_back(std::string(flag) + " false");
  }
  return out;
}

}  // namespace

TEST_CASE("the encoder agrees with the float64 reference on random models of every kind") {
  check_seeds([](std::uint64_t seed, const fs::path& directory) {
    const reference::RandomModel random = reference::random_model(seed);
    return file_difference(random, random.tensors, directory);
  });
}

TEST_CASE("the encoder agrees with the float64 reference on random published models") {
  check_seeds([](std::uint64_t seed, const fs::path& directory) {
    const reference::RandomModel random = reference::random_published(seed);
    return file_difference(random, reference::published_tensors(random), directory);
  });
}

TEST_CASE("the random models have every value of every field at least five times") {
  Counts counts;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const reference::RandomModel random = reference::random_model(seed);
    count_fields(random.architecture, counts);
    count_corners(random, random.architecture, counts);
  }
  for (const std::string& value : expected_counts()) {
    CAPTURE(value);
    CHECK(counts[value] >= 5);
  }
}

TEST_CASE("the random published models have what no native one has, at least five times") {
  Counts counts;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const reference::RandomModel random = reference::random_published(seed);
    const reference::Architecture& a = random.architecture;
    ++counts[random.config["model_type"].get<std::string>()];
    if (a.pooling == "none") ++counts["labels of tokens"];
    if (a.embedding_projection) ++counts[a.embedding_size < a.hidden_size ? "narrow" : "wide"];
    if (a.layer_weights.size() > 1 + a.layer_weights.back()) ++counts["shared layers"];
    for (const auto& text : random.texts) {
      const auto& ids = text.ids;
      if (a.relative_bias && ids.size() > 16) ++counts["far relative bias"];
      const auto pad =
          a.skipped_pad ? std::find(ids.begin(), ids.end(), *a.skipped_pad) : ids.end();
      if (pad != ids.end() && pad + 1 != ids.end()) ++counts["a token after a pad"];
    }
  }
  for (const char* value :
       {"bert", "distilbert", "roberta", "electra", "albert", "mpnet", "narrow", "wide",
        "shared layers", "far relative bias", "a token after a pad", "labels of tokens"}) {
    CAPTURE(value);
    CHECK(counts[value] >= 5);
  }
}

}  // namespace headlight::reference_test
