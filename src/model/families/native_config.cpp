#include "model/families/native_config.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/fields.h"
#include "base/utf8.h"
#include "math/positions.h"
#include "model/families/attention_fields.h"
#include "model/families/config_fields.h"

namespace headlight {
namespace {

constexpr std::size_t kLongestPadding = 65536;

std::optional<std::size_t> read_pad_to_length(Fields& fields, const Description& model) {
  if (fields.find_value("pad_to_length") == nullptr) return std::nullopt;
  const std::size_t length = fields.required_size("pad_to_length", 1, kLongestPadding);
  if (length > model.max_positions) {
    fields.complain("pad_to_length", std::to_string(length) +
                                         " is more than max_position_embeddings " +
                                         std::to_string(model.max_positions));
  }
  return length;
}

/// Throws Error for a field that has no meaning without `needed`.
void refuse_without(Fields& fields, std::initializer_list<std::string_view> names,
                    const std::string& needed) {
  for (const std::string_view name : names) {
    if (fields.find_value(name) != nullptr) fields.complain(name, "needs " + needed);
  }
}

/// pos_att_type: the products that are added to a score.
void read_terms(Fields& fields, RelativeAttention& relative) {
  if (fields.find_value("pos_att_type") == nullptr) {
    relative.content_to_position = relative.position_to_content = true;
    return;
  }
  for (const std::string& term : fields.strings("pos_att_type")) {
    if (term == "c2p") {
      relative.content_to_position = true;
    } else if (term == "p2c") {
      relative.position_to_content = true;
    } else {
      fields.fail("pos_att_type", "c2p, p2c or both");
    }
  }
  if (!relative.content_to_position && !relative.position_to_content) {
    fields.fail("pos_att_type", "c2p, p2c or both");
  }
}

void read_span(Fields& fields, const Description& model, RelativeAttention& relative) {
  relative.span = fields.size_or("max_relative_positions", model.max_positions, 1);
  if (fields.find_value("position_buckets") == nullptr) return;
  const std::size_t buckets = fields.required_size("position_buckets", 2);
  if (relative.span - 1 <= buckets / 2) {
    fields.complain("position_buckets", std::to_string(buckets) +
                                            " needs max_relative_positions of at least " +
                                            std::to_string(buckets / 2 + 2) + ", found " +
                                            std::to_string(relative.span));
  }
  relative.farthest = relative.span;
  relative.span = buckets;
}

void read_relative_fields(Fields& fields, Description& model) {
  if (fields.find_value("relative_attention_num_buckets") != nullptr) {
    add_relative_bias({fields.required_size("relative_attention_num_buckets", kRelativeBuckets)},
                      model);
  }
  if (fields.flag_or("talking_head", false)) {
    fields.complain("talking_head", "true is not supported: expected false");
  }
  if (!fields.flag_or("relative_attention", false)) {
    refuse_without(fields,
                   {"pos_att_type", "max_relative_positions", "position_buckets", "share_att_key",
                    "norm_rel_ebd"},
                   "relative_attention true");
    return;
  }
  RelativeAttention& relative = model.relative_attention.emplace();
  read_terms(fields, relative);
  read_span(fields, model, relative);
  relative.shared = fields.flag_or("share_att_key", false);
  const bool sliced = !model.layers.empty() && model.layers.front().heads.input == HeadInput::slice;
  if (relative.shared && sliced) {
    fields.complain("share_att_key", "true cannot be combined with head_input slice");
  }
  relative.norm = fields.choice_or("norm_rel_ebd", false, {{"none", false}, {"layer_norm", true}});
  for (LayerDescription& layer : model.layers) {
    layer.heads.score_terms = 1 + static_cast<std::size_t>(relative.content_to_position) +
                              static_cast<std::size_t>(relative.position_to_content);
  }
}

void read_convolution(Fields& fields, Description& model) {
  if (fields.find_value("conv_kernel_size") == nullptr) {
    refuse_without(fields, {"conv_groups", "conv_act"}, "conv_kernel_size");
    return;
  }
  ConvolutionDescription& convolution = model.convolution.emplace();
  convolution.kernel = fields.required_size("conv_kernel_size", 1);
  if (convolution.kernel % 2 == 0) fields.fail("conv_kernel_size", "an odd number");
  if (model.layers.empty()) fields.complain("conv_kernel_size", "needs at least one layer");
  convolution.groups = fields.size_or("conv_groups", 1, 1);
  if (model.hidden_size % convolution.groups != 0) {
    fields.complain("conv_groups", std::to_string(convolution.groups) +
                                       " does not divide hidden_size " +
                                       std::to_string(model.hidden_size));
  }
  if (fields.find_value("conv_act") != nullptr) {
    convolution.activation = read_activation(fields, "conv_act");
  }
}

void read_layers(Fields& fields, Description& model) {
  LayerDescription layer;
  layer.heads = read_heads(fields, model.hidden_size);
  layer.intermediate_size = fields.size_or("intermediate_size", 4 * model.hidden_size, 0);
  if (fields.find("hidden_act") != nullptr)
    layer.activation = read_activation(fields, "hidden_act");
  layer.gated = fields.flag_or("gated_feed_forward", false);
  layer.feed_forward_bias = fields.flag_or("feed_forward_bias", true);
  layer.residual = fields.flag_or("residual", true);
  layer.norm_order = fields.choice_or("norm_order", NormOrder::post, kNormOrderWords);
  const std::size_t count = fields.required_size("num_hidden_layers", 0, kMostLayers);
  model.layers.assign(count, layer);
  for (std::size_t i = 0; i < count; ++i) model.layers[i].weights = i;
  const bool before = layer.norm_order == NormOrder::pre || layer.norm_order == NormOrder::sandwich;
  model.final_norm = fields.flag_or("final_norm", before);
  model.label_heads = layer.heads;
  model.label_heads.input = HeadInput::full;
  model.label_heads.mask = AttentionMask::bidirectional;
  model.label_heads.group = 1;
  model.label_heads.query_key_norm = false;
  if (!fields.flag_or("first_attention_norm", true)) {
    if (!before) fields.complain("first_attention_norm", "false needs norm_order pre or sandwich");
    if (count > 0) model.layers.front().attention_norm = false;
  }
  read_layer_positions(fields, model);
  read_relative_fields(fields, model);
  read_convolution(fields, model);
}

/// The tables can have a width of their own. Then they need the projection; else it is optional.
void read_embedding_size(Fields& fields, Description& model) {
  EmbeddingDescription& embedding = model.embedding;
  embedding.size = fields.size_or("embedding_size", model.hidden_size, 1);
  const bool own = embedding.size != model.hidden_size;
  embedding.projection = fields.flag_or("embedding_projection", own);
  if (own && !embedding.projection) {
    fields.complain(
        "embedding_projection",
        "false needs embedding_size " + std::to_string(model.hidden_size) + ", the hidden_size");
  }
  embedding.projection_first = fields.flag_or("embedding_projection_first", false);
  if (embedding.projection_first && !embedding.projection) {
    fields.complain("embedding_projection_first", "true needs embedding_projection");
  }
}

/// How decision values become probabilities, where the problem type does not say it.
void read_output(Fields& fields, Description& model) {
  if (fields.find_value("output") != nullptr) {
    model.score_activation =
        fields.choice_or("output", ScoreActivation::softmax, kScoreActivationWords);
    if (model.problem_type != ProblemType::single_label || model.pooling == Pooling::each_token) {
      fields.complain("output", "needs a text with a single label");
    }
  }
  model.folds = fields.size_or("folds", 1, 1);
  if (model.folds == 1) return;
  if (model.pooling == Pooling::each_token || model.pooling == Pooling::label_attention ||
      fields.find_value("label_ngram_sizes") != nullptr) {
    fields.complain("folds", "needs a classifier of one vector per text, without n-grams");
  }
}

void read_head(Fields& fields, Description& model) {
  model.pooling = fields.choice_or("pooling", Pooling::mean, kPoolingWords);
  if (fields.find_value("head_dense_act") != nullptr) {
    model.head_dense = read_activation(fields, "head_dense_act");
    if (model.pooling == Pooling::label_attention) {
      fields.complain("head_dense_act", "cannot be combined with pooling label_attention");
    }
  }
  model.normalize = fields.flag_or("normalize", false);
  if (model.normalize &&
      (model.pooling == Pooling::each_token || model.pooling == Pooling::label_attention)) {
    fields.complain("normalize", "needs a pooling that gives one vector per text");
  }
  model.head_dense_size = fields.size_or("head_dense_size", 0, 1);
  if (!model.head_dense) refuse_without(fields, {"head_dense_size"}, "head_dense_act");
  model.head_dense_bias = fields.flag_or("head_dense_bias", true);
  model.head_norm = fields.flag_or("head_norm", false);
  if (model.head_norm && !model.head_dense) {
    fields.complain("head_norm", "true needs head_dense_act");
  }
  model.head_dense_first = fields.flag_or("head_dense_first", false);
  if (model.head_dense_first && !model.head_dense) {
    fields.complain("head_dense_first", "true needs head_dense_act");
  }
  if (model.head_dense_first && (model.normalize || model.head_dense_size > 0)) {
    fields.complain("head_dense_first", "cannot be combined with normalize or head_dense_size");
  }
  model.classifier_bias = fields.flag_or("classifier_bias", true);
  model.labels = read_labels(fields);
  model.problem_type =
      fields.choice_or("problem_type", ProblemType::single_label, kProblemTypeWords);
  if (model.pooling == Pooling::each_token && model.problem_type != ProblemType::single_label) {
    fields.complain(
        "problem_type",
        "must be single_label_classification with pooling none, a label for each token");
  }
  read_output(fields, model);
}

/// The fields whose names begin with `prefix`, of n-grams of at least `shortest` tokens.
std::optional<NgramDescription> read_ngrams(Fields& fields, const std::string& prefix,
                                            std::size_t shortest) {
  const std::string sizes = prefix + "_sizes";
  const std::string buckets = prefix + "_buckets";
  const std::string seed = prefix + "_seed";
  if (fields.find_value(sizes) == nullptr) {
    refuse_without(fields, {buckets, seed}, sizes);
    return std::nullopt;
  }
  constexpr std::size_t kLongest = 16;
  NgramDescription ngrams;
  ngrams.sizes = fields.sizes(sizes, shortest);
  const auto falls = [](std::size_t before, std::size_t size) { return before >= size; };
  if (std::adjacent_find(ngrams.sizes.begin(), ngrams.sizes.end(), falls) != ngrams.sizes.end() ||
      ngrams.sizes.empty() || ngrams.sizes.back() > kLongest) {
    fields.fail(sizes, "different sizes from " + std::to_string(shortest) + " to 16, ascending");
  }
  ngrams.buckets = fields.required_size(buckets, 1);
  ngrams.seed = fields.size_or(seed, 0, 0);
  if (fields.find_value("pad_to_length") != nullptr) {
    fields.complain(sizes, "cannot be combined with pad_to_length");
  }
  return ngrams;
}

void read_ngrams(Fields& fields, Description& model) {
  model.ngrams = read_ngrams(fields, "ngram", 2);
  if (model.ngrams && !model.layers.empty()) {
    fields.complain("ngram_sizes", "needs num_hidden_layers 0");
  }
  if (model.ngrams && model.pooling != Pooling::mean) {
    fields.complain("ngram_sizes", "needs pooling mean");
  }
  model.label_ngrams = read_ngrams(fields, "label_ngram", 1);
  if (!model.label_ngrams) return;
  if (model.pooling == Pooling::each_token || model.pooling == Pooling::label_attention) {
    fields.complain("label_ngram_sizes", "needs a pooling that gives one vector per text");
  }
}

/// Without an output projection, the width of the heads must be hidden_size if their output is
/// added to other vectors or read by another layer. A single layer without these may have any
/// width.
void check_bare_heads(const Fields& fields, const Description& model) {
  const std::size_t width = model.label_heads.width();
  const bool reads_heads = !model.layers.empty() || model.pooling == Pooling::label_attention;
  if (model.label_heads.output_projection || width == model.hidden_size || !reads_heads) return;
  const bool alone = model.layers.size() == 1 && !model.layers[0].residual &&
                     model.layers[0].norm_order == NormOrder::none &&
                     model.layers[0].intermediate_size == 0 && !model.final_norm &&
                     !model.convolution && !model.head_dense &&
                     model.pooling != Pooling::label_attention;
  if (!alone) {
    fields.complain("attention_output_projection",
                    "false needs head sizes that add up to hidden_size " +
                        std::to_string(model.hidden_size) + ", found " + std::to_string(width));
  }
}

/// The files of the tokenizer are read as those of a published checkpoint with this class.
void read_published_class(Fields& tokenizer, FamilyConfig& config) {
  config.tokenizer_class = tokenizer.required_string("class");
  config.tokenizer.lowercase = tokenizer.flag_or("lowercase", false);
  tokenizer.refuse_unknown();
}

/// "character_ngrams": [least, most] and "character_buckets".
void read_character_ngrams(Fields& tokenizer, FamilyConfig& config) {
  if (tokenizer.find_value("character_ngrams") == nullptr) {
    return refuse_without(tokenizer, {"character_buckets"}, "character_ngrams");
  }
  constexpr std::size_t kMostBuckets = std::size_t{1} << 30U;
  constexpr std::size_t kMostCharacters = 64;
  const auto sizes = tokenizer.sizes("character_ngrams", 1);
  if (sizes.size() != 2 || sizes[0] > sizes[1] || sizes[1] > kMostCharacters) {
    tokenizer.fail("character_ngrams", "the least and the most characters, such as [2, 5]");
  }
  if (config.tokenizer.type == TokenizerSettings::Type::wordpiece) {
    tokenizer.complain("character_ngrams", R"(needs "type": "words" or "whitespace")");
  }
  if (!config.description.ngrams) tokenizer.complain("character_ngrams", "needs ngram_sizes");
  config.tokenizer.character_ngrams = {
      sizes[0], sizes[1], tokenizer.required_size("character_buckets", 1, kMostBuckets)};
  if (config.tokenizer.character_ngrams->buckets >= config.description.vocab_size) {
    tokenizer.complain("character_buckets", "must be less than vocab_size, which counts them");
  }
}

void read_tokenizer(Fields& fields, FamilyConfig& config) {
  const Json* json = fields.find_value("tokenizer");
  if (json == nullptr) return;
  config.has_tokenizer = true;
  Fields own(*json, fields.where(), fields.path_of("tokenizer"));
  if (own.find("class") != nullptr) return read_published_class(own, config);
  TokenizerSettings& settings = config.tokenizer;
  settings.type = own.choice_or("type", TokenizerSettings::Type::wordpiece,
                                {{"wordpiece", TokenizerSettings::Type::wordpiece},
                                 {"words", TokenizerSettings::Type::words},
                                 {"whitespace", TokenizerSettings::Type::whitespace}});
  settings.lowercase = own.flag_or("lowercase", false);
  const bool null_accents =
      own.find("strip_accents") != nullptr && own.find_value("strip_accents") == nullptr;
  settings.strip_accents =
      null_accents ? std::nullopt : std::optional(own.flag_or("strip_accents", false));
  settings.remove_punctuation = own.flag_or("remove_punctuation", false);
  settings.unk_token = own.nullable_string_or("unk_token", settings.unk_token);
  settings.cls_token = own.nullable_string_or("cls_token", settings.cls_token);
  settings.sep_token = own.nullable_string_or("sep_token", settings.sep_token);
  if (own.find("add_special_tokens") != nullptr) {
    settings.add_special_tokens = own.flag_or("add_special_tokens", false);
  }
  read_character_ngrams(own, config);
  if (own.find("vocabulary") != nullptr) {
    config.vocabulary = own.strings("vocabulary");
    if (config.vocabulary.empty()) own.fail("vocabulary", "at least one word");
    std::set<std::string> seen;
    for (const auto& word : config.vocabulary) {
      if (!seen.insert(word).second)
        own.complain("vocabulary", "has \"" + shortened(word) + "\" twice");
    }
  }
  own.refuse_unknown();
}

}  // namespace

FamilyConfig read_native_config(const Json& config_json, const std::string& where) {
  Fields fields(config_json, where);
  FamilyConfig config;
  config.where = where;
  config.classifier_tensor = "classifier.weight";
  Description& model = config.description;
  fields.required_string("model_type");
  model.vocab_size = fields.required_size("vocab_size", 1);
  model.hidden_size = fields.required_size("hidden_size", 1);
  model.max_positions = fields.size_or("max_position_embeddings", 512, 1);
  model.reads_windows = fields.choice_or("long", false, kReadsWindowsWords);
  model.reads_pairs = fields.flag_or("pairs", false);
  model.embedding.positions =
      fields.choice_or("position_embedding_type", PositionKind::sinusoidal, kPositionWords);
  read_embedding_size(fields, model);
  model.embedding.type_vocab_size = fields.size_or("type_vocab_size", 0, 0);
  model.embedding.scale = read_float(fields, "embedding_scale").value_or(1.0F);
  model.embedding.layer_norm = fields.flag_or("embedding_layer_norm", false);
  model.layer_norm_eps = read_float(fields, "layer_norm_eps").value_or(1e-5F);
  if (model.layer_norm_eps < 0.0F) fields.fail("layer_norm_eps", "a number of at least 0");
  model.layer_norm_form =
      fields.choice_or("layer_norm_form", LayerNormForm::variance, kLayerNormWords);
  model.norm_bias = fields.flag_or("norm_bias", true);
  read_layers(fields, model);
  read_head(fields, model);
  read_ngrams(fields, model);
  if (!model.labels.empty() || model.pooling == Pooling::label_attention) config.has_head = true;
  check_bare_heads(fields, model);
  model.pad_token_id = static_cast<TokenId>(
      fields.size_or("pad_token_id", 0, 0, std::max<std::size_t>(model.vocab_size, 1) - 1));
  if (fields.flag_or("last_skips_pad", false)) {
    if (model.pooling != Pooling::last) fields.complain("last_skips_pad", "needs pooling last");
    model.last_skips = model.pad_token_id;
  }
  if (fields.flag_or("positions_skip_pad", false)) {
    if (model.embedding.positions != PositionKind::absolute) {
      fields.complain("positions_skip_pad", "needs position_embedding_type absolute");
    }
    model.embedding.skipped_pad = model.pad_token_id;
  }
  model.pad_to_length = read_pad_to_length(fields, model);
  read_tokenizer(fields, config);
  fields.refuse_unknown();
  return config;
}

}  // namespace headlight
