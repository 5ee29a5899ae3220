#include "training/ways/static_training.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/utf8.h"
#include "training/static/static_rows.h"
#include "training/static/static_trainer.h"
#include "training/ways/ways.h"

namespace headlight {
namespace {

// At most as many vectors as fit into 10 MB with 8 bits, with the words of static.json.
constexpr std::size_t kMostBuckets = 131'072;
// Of the words of other texts, from which n-grams of characters replace word pieces where no rows
// can choose.
constexpr double kMostlyUnseen = 0.5;

FreshModel of_words(const FreshModel& model) {
  return model.with(R"({"tokenizer": {"type": "words"}})");
}

FreshModel of_character_ngrams(const FreshModel& model) {
  constexpr std::size_t kWords = 8000;
  constexpr std::size_t kFewestBuckets = 1U << 14U;
  constexpr std::size_t kFromEachCharacter = 4;
  const std::size_t buckets =
      std::clamp(std::bit_ceil(kFromEachCharacter * model.word_counts().characters), kFewestBuckets,
                 kMostBuckets / 2);
  return model.with(R"({"tokenizer": {"type": "words", "character_ngrams": [2, 5],
                         "character_buckets": )" +
                    std::to_string(buckets) + R"(}, "vocab_size": )" +
                    std::to_string(kWords + buckets) + R"(, "max_position_embeddings": 1048576})");
}

/// What is tried after word pieces, if so many words of other texts are not those of the rows.
struct Reading {
  const char* name;
  double unseen_from;
  FreshModel (*of)(const FreshModel& model);
};
constexpr std::array<Reading, 2> kReadings = {{
    {", of whole words ", 0.0, of_words},
    {", of words with their n-grams of characters ", 0.03, of_character_ngrams},
}};

/// A power of two, at least the number of different n-grams of the rows if there are not too many.
std::size_t buckets_for(Description model, const std::vector<LabelledRow>& rows, std::size_t most) {
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
  return std::clamp(2 * std::bit_ceil(ngrams.size()), kFewestBuckets, most);
}

/// `vectors` of tokens, or random ones, small, so that rare words say little; those of n-grams,
/// also of characters, are 0.
Parameters start_of(const Description& model, const std::vector<float>& vectors,
                    std::uint64_t seed) {
  constexpr float kSize = 0.03F;
  Parameters parameters = Parameters::random(model, seed);
  const auto tokens = parameters.values("embeddings.token.weight");
  for (float& value : tokens) value *= kSize;
  std::ranges::copy(vectors, tokens.begin());
  const std::size_t words = std::min<std::size_t>(model.vocab_size, model.ngrams->first_characters);
  std::ranges::fill(tokens.subspan(words * model.hidden_size), 0.0F);
  for (float& value : parameters.values("embeddings.ngrams.weight")) value *= 0.0F;
  return parameters;
}

/// The same with these vectors.
Parameters with_vectors(const Parameters& parameters, const Int8Vectors& vectors) {
  Weights weights = views_of(parameters.description(), parameters.weights());
  vectors.replace(weights);
  return {parameters.description(), weights};
}

/// 8 bits for the vectors if that loses nothing on these rows, else 16.
NumberFormat smallest_format(const Parameters& parameters, const std::vector<LabelledRow>& rows) {
  constexpr double kNothing = 0.001;  // of the loss
  const Parameters rounded = with_vectors(parameters, Int8Vectors(parameters.weights()));
  const RowLossOptions plain;
  const DevelopmentScore exact = Development(parameters, rows, plain).score();
  const DevelopmentScore found = Development(rounded, rows, plain).score();
  const bool loses = found.score < exact.score || found.loss > exact.loss + kNothing;
  return loses ? NumberFormat::f16 : NumberFormat::i8;
}

/// Whether the development rows choose; those of a fold are only scored. Of fewer rows, the best of
/// so many states is mostly luck, and its figures are several points too good.
bool may_choose(const TrainingRun& run, const LabelledRows& rows) {
  constexpr std::size_t kFewest = 100;
  return can_choose(rows.dev, kFewest) && !run.settled.keeps_last;
}

}  // namespace

void Int8Vectors::replace(Weights& weights) const {
  weights.embeddings.token = tokens.table();
  weights.embeddings.ngrams = ngrams.table();
}

struct StaticTraining::Trained {
  Parameters parameters;
  TrainingOutcome outcome;
};

Origin::Facts StaticTraining::marks() const {
  if (!choices_.words) return FreshTraining::marks();
  return {{"static.json", mark_of(kStaticConfig)}};
}

void StaticTraining::read_again(LabelledRows& rows) {
  if (fresh_.needs_words()) fresh_.learn_words(inputs_of(rows.train));
  read_tokens_again(fresh_.model(), rows);
}

void StaticTraining::prepare(const LabelledRows& rows) {
  fresh_.set_labels(rows.labels);
  if (!choices_.sizes) return;
  const std::size_t most = kMostBuckets - model().tokenizer->character_ngrams();
  fresh_.set_ngram_buckets(buckets_for(model().description, rows.train, most));
}

std::optional<StaticTraining::Trained> StaticTraining::train(const TrainingRun& run,
                                                             const LabelledRows& rows,
                                                             std::optional<std::size_t> epochs) {
  StaticOptions options =
      model().tokenizer->character_ngrams() > 0
          ? static_options_of_characters(rows.train.size(), rows.labels.names.size())
          : static_options(rows.train.size());
  options.loss.temperature = settings_.teacher.temperature;
  options.loss.teacher_share = settings_.teacher.share;
  options.log_before = log_;
  const PlannedCourse course{run, ++courses_};
  course.set(rows, options);
  options.epochs = epochs.value_or(options.epochs);
  options.keep_last = !may_choose(run, rows);
  Parameters parameters = start_of(model().description, vectors_, run.data.seed);
  TrainingOutcome outcome = course.take(
      [&](const TrainWatch& watch) { return train_static(parameters, rows, options, watch); });
  log_ = outcome.log;
  if (!outcome.stopped) return Trained{std::move(parameters), std::move(outcome)};
  course.warn_stopped(outcome);
  return std::nullopt;
}

std::optional<StaticTraining::Trained> StaticTraining::choose(const TrainingRun& run,
                                                              LabelledRows& rows) {
  const bool chooses = choices_.words && may_choose(run, rows);
  if (choices_.words && !chooses && fresh_.word_counts().unseen_share() > kMostlyUnseen) {
    fresh_ = of_character_ngrams(fresh_);
    read_again(rows);
  }
  prepare(rows);
  auto best = train(run, rows, {});
  if (!best || !chooses) return best;
  // Few rows tell more by it than by the share that is right.
  const auto loss_of = [](const Trained& trained) { return trained.outcome.best->loss; };
  std::string losses = "loss of word pieces " + formatted("%.4f", loss_of(*best));
  double unseen = 1.0;  // share of words, once they are known
  for (const Reading& reading : kReadings) {
    if (unseen < reading.unseen_from) continue;
    FreshModel before = std::exchange(fresh_, reading.of(fresh_));
    LabelledRows read = rows;
    try {
      read_again(read);
      unseen = fresh_.word_counts().unseen_share();
    } catch (const TrainingError&) {  // no word occurs twice
      fresh_ = std::move(before);
      continue;
    }
    prepare(read);
    auto other = train(run, read, {});
    if (!other) return std::nullopt;
    losses += std::string(reading.name) + formatted("%.4f", loss_of(*other));
    if (loss_of(*other) < loss_of(*best)) {
      rows = std::move(read);
      best = std::move(other);
    } else {
      fresh_ = std::move(before);
    }
  }
  run.watch.note(losses);
  return best;
}

Learned StaticTraining::learn(const TrainingRun& run, LabelledRows rows) {
  log_ = {};
  courses_ = 0;
  Learned made{.end = FitEnd::stopped_at_once, .training = shared_from_this()};
  auto best = choose(run, rows);
  if (!best) return made;
  stored_as_ = settings_.stored_as
                   ? *settings_.stored_as
                   : smallest_format(best->parameters, rows.dev.empty() ? rows.train : rows.dev);
  round(best->parameters);
  if (best->outcome.best) {
    const bool has_chosen = may_choose(run, rows);
    if (has_chosen && choices_.words) made.chosen.emplace_back("words or word pieces");
    if (has_chosen) made.chosen.emplace_back("the number of epochs");
    const RowLossOptions plain;
    Development development(best->parameters, rows.dev, plain);
    made.figures = development_figures(rows.labels, development.outputs(), rows.dev);
  }
  auto epochs = static_cast<std::size_t>(best->outcome.kept_epoch);
  made.is_refitted = best->outcome.best && rows.may_learn_dev;
  if (made.is_refitted) {
    // The best state comes before the learning rate has fallen, and partly by chance.
    epochs = (epochs + static_options(rows.train.size()).epochs + 1) / 2;
    best = train(run, without_development(rows), epochs);
    if (!best) return made;
    round(best->parameters);
  }
  const Description& description = model().description;
  const std::size_t characters = model().tokenizer->character_ngrams();
  made.trained = "the vectors of " + counted(description.vocab_size - characters, "token") +
                 (characters == 0 ? "" : ", " + counted(characters, "n-gram") + " of characters") +
                 " and " + counted(description.ngrams->buckets, "n-gram") +
                 ", with Adagrad, and the last layer, with AdamW: " + counted(epochs, "epoch");
  if (choices_.words && characters > 0) {
    made.notes.push_back("words with their n-grams of characters were kept: " +
                         formatted("%.0f", 100.0 * fresh_.word_counts().unseen_share()) +
                         " % of the words of the rows occur once");
  }
  parameters_.emplace(std::move(best->parameters));
  fresh_.model().weights = parameters_->weights();
  if (int8_) int8_->replace(fresh_.model().weights);
  made.rows = std::move(rows);
  made.end = FitEnd::finished;
  return made;
}

void StaticTraining::round(Parameters& parameters) {
  if (stored_as_ != NumberFormat::i8) return round_matrices(stored_as_, parameters);
  parameters = with_vectors(parameters, int8_.emplace(parameters.weights()));
}

void StaticTraining::write(ModelDirectory& directory) const {
  fresh_.write(directory);
  write_native_weights(model(), directory, stored_as_);
}

}  // namespace headlight
