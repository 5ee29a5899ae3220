#include "training/static/static_training.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/utf8.h"
#include "training/rows/training_data.h"
#include "training/static/static_rows.h"
#include "training/static/static_trainer.h"

namespace headlight {
namespace {

// At most as many vectors as fit into 10 MB with 8 bits, with the words of static.json.
constexpr std::size_t kMostBuckets = 131'072;

/// A power of two, at least the number of different n-grams of the rows if there are not too many.
std::size_t buckets_for(Description model, const std::vector<LabelledRow>& rows) {
  constexpr std::size_t kFewestBuckets = 1024;
  model.ngrams->buckets = std::size_t{1} << 31U;  // different ones rarely share a bucket
  const StaticRows parts(model, rows);
  std::vector<std::uint32_t> ngrams;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::copy_if(parts.of_row(i), std::back_inserter(ngrams),
                         [&](std::uint32_t part) { return part >= model.vocab_size; });
  }
  std::ranges::sort(ngrams);
  ngrams.erase(std::unique(ngrams.begin(), ngrams.end()), ngrams.end());
  return std::clamp(2 * std::bit_ceil(ngrams.size()), kFewestBuckets, kMostBuckets);
}

/// `vectors` of tokens, or random ones, small, so that rare words say little; those of n-grams are
/// 0.
Parameters start_of(const Description& model, const std::vector<float>& vectors,
                    std::uint64_t seed) {
  constexpr float kSize = 0.03F;
  Parameters parameters = Parameters::random(model, seed);
  const auto tokens = parameters.values("embeddings.token.weight");
  for (float& value : tokens) value *= kSize;
  std::ranges::copy(vectors, tokens.begin());
  for (float& value : parameters.values("embeddings.ngrams.weight")) value *= 0.0F;
  return parameters;
}

}  // namespace

const char* const kStaticConfig = R"({
  "model_type": "headlight",
  "vocab_size": 15000,
  "hidden_size": 64,
  "num_hidden_layers": 0,
  "num_attention_heads": 1,
  "position_embedding_type": "none",
  "max_position_embeddings": 65536,
  "ngram_sizes": [2],
  "ngram_buckets": 131072,
  "classifier_bias": false,
  "tokenizer": {"type": "wordpiece", "lowercase": true}
}
)";

void check_static(const Description& model, const std::string& where) {
  if (!model.ngrams) {
    throw Error(where, "has no ngram_sizes, which --train static needs",
                "leave out -m, or use --train all");
  }
  struct Field {
    const char* name;
    const char* expected;
    bool is_other;
  };
  const EmbeddingDescription& embedding = model.embedding;
  const std::array<Field, 8> fields = {{
      {"position_embedding_type", R"("none")", embedding.positions != PositionKind::none},
      {"type_vocab_size", "0", embedding.type_vocab_size > 0},
      {"embedding_scale", "1", embedding.scale != 1.0F},
      {"embedding_layer_norm", "false", embedding.layer_norm},
      {"embedding_projection", "false", embedding.projection},
      {"final_norm", "false", model.final_norm},
      {"head_dense_act", "null", model.head_dense.has_value()},
      {"label_ngram_sizes", "null", model.label_ngrams.has_value()},
  }};
  for (const Field& field : fields) {
    if (!field.is_other) continue;
    throw Error(where,
                std::string(field.name) + " must be " + field.expected +
                    " for --train static, which trains only vectors and a last layer",
                "use --train all");
  }
}

StaticStart static_start() {
  const ModelPlace place{"static", "static.json", "static.json", "", ""};
  return {.fresh = FreshModel(place, {}, kStaticConfig), .may_read_words = true};
}

struct StaticTraining::Trained {
  Parameters parameters;
  TrainingOutcome outcome;
};

std::optional<StaticTraining::Trained> StaticTraining::train(StaticStart& start,
                                                             const LabelledRows& rows,
                                                             std::optional<std::size_t> epochs) {
  StaticOptions options = static_options(rows.train.size());
  options.epochs = epochs.value_or(options.epochs);
  options.log_before = log_;
  next_.set(rows, options);
  Parameters parameters =
      start_of(start.fresh.model().description, start.vectors, next_.plan.data.seed);
  TrainingOutcome outcome = next_.run(
      [&](const TrainWatch& watch) { return train_static(parameters, rows, options, watch); });
  ++next_.number;
  log_ = outcome.log;
  if (!outcome.stopped) return Trained{std::move(parameters), std::move(outcome)};
  next_.warn_stopped(outcome);
  return std::nullopt;
}

std::optional<StaticTraining::Trained> StaticTraining::choose(StaticStart& start) {
  const auto prepare = [&](StaticStart& each) {
    each.fresh.set_labels(each.rows.labels);
    if (each.has_own_sizes) return;
    each.fresh.set_ngram_buckets(buckets_for(each.fresh.model().description, each.rows.train));
  };
  prepare(start);
  auto best = train(start, start.rows, {});
  if (best && start.may_read_words && best->outcome.best) {
    StaticStart words{start.fresh.of_words(), start.rows};
    words.fresh.learn_words(inputs_of(words.rows.train));
    read_tokens_again(words.fresh.model(), words.rows);
    prepare(words);
    auto other_best = train(words, words.rows, {});
    if (!other_best) return std::nullopt;
    const DevelopmentScore& pieces = *best->outcome.best;
    const DevelopmentScore& whole = *other_best->outcome.best;
    next_.watch.note(pieces.name + " of word pieces " + formatted("%.4f", pieces.score) +
                     ", of whole words " + formatted("%.4f", whole.score));
    if (is_better(whole, pieces)) {
      best = std::move(other_best);
      start = std::move(words);
    }
  }
  return best;
}

FitEnd StaticTraining::run(StaticStart& start, Fit& made) {
  auto best = choose(start);
  if (!best) return FitEnd::stopped_at_once;
  if (best->outcome.best) {
    if (start.may_read_words) made.chosen.emplace_back("words or word pieces");
    made.chosen.emplace_back("the number of epochs");
    const RowLossOptions plain;
    Development development(best->parameters, start.rows.dev, plain);
    made.figures = development_figures(start.rows.labels, development.outputs(), start.rows.dev);
  }
  auto epochs = static_cast<std::size_t>(best->outcome.kept_epoch);
  made.is_refitted = best->outcome.best && start.rows.may_learn_dev;
  if (made.is_refitted) {
    // The best state comes before the learning rate has fallen, and partly by chance.
    epochs = (epochs + static_options(start.rows.train.size()).epochs + 1) / 2;
    best = train(start, without_development(start.rows), epochs);
    if (!best) return FitEnd::stopped_at_once;
  }
  const Description& model = start.fresh.model().description;
  made.trained = "the vectors of " + counted(model.vocab_size, "token") + " and " +
                 counted(model.ngrams->buckets, "n-gram") +
                 ", with Adagrad, and the last layer, with AdamW: " + counted(epochs, "epoch");
  parameters_.emplace(std::move(best->parameters));
  store(start.fresh);
  return FitEnd::finished;
}

void StaticTraining::store(FreshModel& fresh) {
  Weights& weights = fresh.model().weights;
  weights = parameters_->weights();
  if (next_.plan.stored_as != NumberFormat::i8) return;
  weights.embeddings.token = tokens_.emplace(weights.embeddings.token).table();
  weights.embeddings.ngrams = ngrams_.emplace(weights.embeddings.ngrams).table();
}

}  // namespace headlight
