// --train tfidf: a sum of weights of words, pairs of words and n-grams of characters.

#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "model/sparse_files.h"
#include "rows/origin.h"
#include "training/head/strength_log.h"
#include "training/sparse/sparse_regression.h"
#include "training/sparse/term_counting.h"
#include "training/ways/ways.h"

namespace headlight {
namespace {

constexpr std::array<double, 7> kInverseStrengths = {0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0};
constexpr double kUnchosen = 10.0;
constexpr std::size_t kMostKeptTerms = std::size_t{1} << 18U;  // of a dictionary
constexpr std::size_t kMostWeights = std::size_t{1} << 23U;    // of a dictionary, of all labels
constexpr std::size_t kStrengthFolds = 4;
/// Of more rows, half of the folds say enough.
constexpr std::size_t kManyRows = 20'000;
constexpr double kRoughly = 1e-2;
constexpr std::size_t kRoughEpochs = 10;
constexpr double kClosely = 1e-3;
constexpr std::size_t kMostEpochs = 60;

AnalyzerSettings settings_of(Analyzer analyzer, std::size_t least, std::size_t most) {
  AnalyzerSettings settings;
  settings.analyzer = analyzer;
  settings.least = least;
  settings.most = most;
  return settings;
}
AnalyzerSettings words() { return settings_of(Analyzer::words, 1, 2); }
AnalyzerSettings characters() { return settings_of(Analyzer::word_characters, 2, 5); }

/// What a trained SparseModel shows.
struct SparseMemory {
  std::array<LearnedTerms, 2> terms;
  std::vector<float> weights;  // [V, m]
  std::vector<double> bias;    // [m]

  std::size_t bytes() const {
    std::size_t bytes = weights.size() * sizeof(float) + bias.size() * sizeof(double);
    for (const LearnedTerms& each : terms) {
      bytes += each.hashes.size() * (2 * sizeof(std::uint32_t) + sizeof(double));
      bytes += each.terms.size();
    }
    return bytes;
  }
};

std::shared_ptr<SparseMemory> learn_terms(const std::vector<LabelledRow>& rows,
                                          std::size_t columns) {
  auto memory = std::make_shared<SparseMemory>();
  const std::array settings = {words(), characters()};
  const std::size_t most = std::min(kMostKeptTerms, kMostWeights / columns);
  share_work(settings.size(), [&](std::size_t i) {
    TermCounting counting(settings.at(i));
    for (const LabelledRow& row : rows) counting.read(row.input.text);
    memory->terms.at(i) = counting.learn(most);
  });
  return memory;
}

std::shared_ptr<const SparseModel> model_of(const std::shared_ptr<const SparseMemory>& memory,
                                            SparseHead head) {
  const std::array settings = {words(), characters()};
  std::vector<SparseFeatures> features;
  std::size_t first = 0;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const LearnedTerms& terms = memory->terms.at(i);
    SparseFeatures each;
    each.analyzer = settings.at(i);
    each.dictionary = terms.dictionary();
    each.steps = {{SparseStep::sublinear, SparseStep::idf, SparseStep::l2}, terms.idf};
    each.first = std::exchange(first, first + terms.hashes.size());
    features.push_back(std::move(each));
  }
  head.narrow = memory->weights;
  head.bias = memory->bias;
  return std::make_shared<const SparseModel>(std::move(features), SparseSteps{}, std::move(head),
                                             memory, memory->bytes());
}

SparseRows read_rows(const SparseModel& model, const std::vector<LabelledRow>& rows) {
  constexpr std::size_t kAtOnce = 256;
  std::vector<SparseRows> parts((rows.size() + kAtOnce - 1) / kAtOnce);
  share_work(parts.size(), [&](std::size_t part) {
    SparseScratch scratch;
    const std::size_t end = std::min(rows.size(), (part + 1) * kAtOnce);
    for (std::size_t i = part * kAtOnce; i < end; ++i) {
      model.read(rows[i].input.text, scratch);
      for (const SparseEntry& entry : scratch.entries) {
        parts[part].columns.push_back(entry.row);
        parts[part].values.push_back(static_cast<float>(entry.value));
      }
      parts[part].starts.push_back(parts[part].columns.size());
    }
  });
  const SparseFeatures& last = model.features().back();
  SparseRows all{.width = last.first + last.size()};
  for (SparseRows& part : parts) {
    const std::size_t before = all.columns.size();
    all.columns.insert(all.columns.end(), part.columns.begin(), part.columns.end());
    all.values.insert(all.values.end(), part.values.begin(), part.values.end());
    for (std::size_t i = 1; i < part.starts.size(); ++i) {
      all.starts.push_back(before + part.starts[i]);
    }
    part = {};
  }
  return all;
}

std::vector<std::uint32_t> all_numbers(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

/// Training rows without a fold, which chooses.
struct HeldFold {
  std::unique_ptr<SparseRegression> rest;
  std::vector<std::uint32_t> held;
  std::size_t epochs = 0;  // of the last fit
};

class TfidfTraining : public Training {
 public:
  TfidfTraining() {
    model_.place.name = "tfidf";
    model_.family = kSparseFamily;
  }

  Origin::Facts marks() const override { return {{"tfidf", "words 1-2, char_wb 2-5"}}; }
  TextReading reading() override {
    return {model_, /*changes=*/false, [this](const TextInput& input) { return key_of(input); },
            [](const auto& /*texts*/) {}};
  }
  const Model& model() const override { return model_; }
  void write(ModelDirectory& directory) const override {
    const auto& sparse = *model_.features_as<SparseModel>();
    directory.write("config.json", sparse_config(model_.description, sparse));
    directory.write_weights(sparse_tensors(sparse));
  }

  /// If the development rows were held out, the model is fitted again to all rows.
  Learned learn(const TrainingRun& run, LabelledRows rows) override {
    refuse(run, rows);
    options_ = {rows.labels.problem_type, rows.labels.names.size(), run.class_weights};
    Learned made{.end = FitEnd::stopped_at_once, .training = shared_from_this()};
    StrengthLog log(run.place.log, run.place);
    run.watch.begin(FitWatch::Stage::fitting, 0);
    const bool is_done = fit(run, rows, log, made);
    run.watch.end();
    if (!is_done) {
      run.watch.warn("stopped, and no model was written; the same command starts again");
      return made;
    }
    log.finish();
    made.rows = std::move(rows);
    made.end = FitEnd::finished;
    return made;
  }

 private:
  static void refuse(const TrainingRun& run, const LabelledRows& rows) {
    const auto no = [&](const std::string& what) {
      throw TrainingError(run.rows_file + ": " + what, "use --train head or all");
    };
    if (rows.labels.names.empty()) no("has no labels, which --train tfidf needs");
    if (rows.labels.problem_type == ProblemType::regression) {
      no("has numbers to predict, but --train tfidf is for labels");
    }
    for (const auto* const set : {&rows.train, &rows.dev}) {
      for (const LabelledRow& row : *set) {
        if (row.input.pair) no("has pairs of texts, but --train tfidf reads one text a row");
      }
    }
  }

  /// Of equal texts, whatever their case. Throws TextError for a text without characters.
  std::uint64_t key_of(const TextInput& input) {
    split_words(characters(), input.text, scratch_);
    if (scratch_.words.empty()) throw TextError(kNoText);
    return short_hash_of(scratch_.text.bytes());
  }

  /// Returns false if stopped.
  bool fit(const TrainingRun& run, const LabelledRows& rows, StrengthLog& log, Learned& made) {
    const std::size_t columns = options_.classes;
    auto memory = learn_terms(rows.train, columns);
    auto reader = model_of(memory, {});
    SparseRows features = read_rows(*reader, rows.train);
    auto targets = targets_of(pointers_to({&rows.train}));
    const auto chosen = choose_strength(run, rows, features, targets, log);
    if (!chosen) return false;
    const auto regress = [&](const std::vector<Gold>& of) {
      SparseRegression regression(features, of, all_numbers(of.size()), options_, run.data.seed);
      regression.fit(*chosen, kClosely, kMostEpochs, is_interrupted);
      return regression;
    };
    auto regression = std::make_unique<SparseRegression>(regress(targets));
    if (!rows.dev.empty()) {
      std::vector<float> logits;
      const SparseRows dev = read_rows(*reader, rows.dev);
      for (std::size_t i = 0; i < rows.dev.size(); ++i) {
        const std::vector<float> own = regression->logits_of(dev, i);
        logits.insert(logits.end(), own.begin(), own.end());
      }
      made.figures = development_figures(rows.labels, logits, rows.dev);
      made.is_refitted = rows.may_learn_dev;
    }
    if (made.is_refitted && !is_interrupted()) {
      const LabelledRows all = without_development(rows);
      memory = learn_terms(all.train, columns);
      reader = model_of(memory, {});
      features = read_rows(*reader, all.train);
      targets = targets_of(pointers_to({&all.train}));
      regression = std::make_unique<SparseRegression>(regress(targets));
    }
    keep(rows.labels, memory, *regression);
    made.trained = "the weights of " + counted(memory->terms[0].hashes.size(), "word") +
                   " and pairs of words and of " +
                   counted(memory->terms[1].hashes.size(), "n-gram") +
                   " of characters, by logistic regression with C = " + formatted("%g", *chosen) +
                   ", which folds of the training rows chose";
    return !is_interrupted();
  }

  /// C by the log loss of folds of the training rows. Empty if stopped.
  std::optional<double> choose_strength(const TrainingRun& run, const LabelledRows& rows,
                                        const SparseRows& features,
                                        const std::vector<Gold>& targets, StrengthLog& log) {
    std::vector<HeldFold> folds = held_folds(run, rows, features, targets);
    std::size_t scored = 0;
    for (const HeldFold& fold : folds) scored += fold.held.size();
    if (scored < kFewestChoosing) return kUnchosen;
    double best = INFINITY;
    double chosen = kUnchosen;
    for (std::size_t i = 0; i < kInverseStrengths.size(); ++i) {
      share_work(folds.size(), [&](std::size_t k) {
        folds[k].epochs =
            folds[k].rest->fit(kInverseStrengths.at(i), kRoughly, kRoughEpochs, is_interrupted);
      });
      if (is_interrupted()) return std::nullopt;
      double loss = 0.0;
      std::size_t epochs = 0;
      for (const HeldFold& fold : folds) {
        epochs += fold.epochs;
        for (const std::uint32_t row : fold.held) loss += fold.rest->loss_of(row);
      }
      loss /= static_cast<double>(scored);
      log.add({1.0 / kInverseStrengths.at(i), epochs, loss});
      run.watch.count(i + 1, static_cast<double>(i + 1) / kInverseStrengths.size());
      if (loss >= best) break;
      best = loss;
      chosen = kInverseStrengths.at(i);
    }
    return chosen;
  }

  std::vector<HeldFold> held_folds(const TrainingRun& run, const LabelledRows& rows,
                                   const SparseRows& features,
                                   const std::vector<Gold>& targets) const {
    const auto numbers = scoring_folds(rows.train, rows.labels, kStrengthFolds, run.data.seed);
    const std::size_t used = rows.train.size() > kManyRows ? kStrengthFolds / 2 : kStrengthFolds;
    std::vector<HeldFold> folds;
    for (std::size_t k = 0; k < used; ++k) {
      HeldFold fold;
      std::vector<std::uint32_t> rest;
      for (std::uint32_t i = 0; i < numbers.size(); ++i) {
        (numbers[i] == k ? fold.held : rest).push_back(i);
      }
      if (fold.held.empty() || rest.empty()) continue;
      fold.rest = std::make_unique<SparseRegression>(features, targets, std::move(rest), options_,
                                                     run.data.seed);
      folds.push_back(std::move(fold));
    }
    return folds;
  }

  void keep(const LabelSet& labels, const std::shared_ptr<SparseMemory>& memory,
            const SparseRegression& regression) {
    const std::size_t m = regression.columns();
    const std::span<const float> weights = regression.weights();
    const bool is_halved = m < options_.classes;  // the logits are −x and x
    for (const float weight : weights) memory->weights.push_back(is_halved ? weight / 2 : weight);
    memory->bias.assign(memory->weights.end() - static_cast<std::ptrdiff_t>(m),
                        memory->weights.end());
    memory->weights.resize(weights.size() - m);
    SparseHead head;
    head.labels = options_.classes;
    head.columns = m;
    head.each_label = options_.problem_type == ProblemType::multi_label;
    head.output = head.each_label ? SparseOutput::sigmoid : SparseOutput::softmax;
    const auto features = model_of(memory, head);
    Description named;
    named.labels = labels.names;
    named.problem_type = labels.problem_type;
    model_.features = features;
    model_.description = describe_sparse(parse_json(sparse_config(named, *features), ""), "");
  }

  Model model_;
  HeadFittingOptions options_;
  AnalyzerScratch scratch_;
};

std::optional<Offer> offer_tfidf(const Model& /*start*/, const TrainingSize& size,
                                 double /*seconds*/) {
  constexpr double kWeights = 8e5;  // of tokens by label, a second, with all fits
  constexpr double kRows = 30e3;    // scored a second
  if (size.is_few() || size.has_other) return std::nullopt;
  const auto labels = static_cast<double>(size.labels);
  return Offer{{static_cast<double>(size.tokens) * (8.0 + labels) / kWeights, kRows}};
}

}  // namespace

Way tfidf_way() {
  const auto way = std::make_shared<TrainingWay>();
  way->word = "tfidf";
  way->help =
      "a weight for each word, pair of words and n-gram of characters, times its tf-idf; made in "
      "seconds from the rows alone, in any language";
  way->begin = [](const FitStart& start, const auto& /*run*/) {
    if (start.model || !start.bare.config.empty()) {
      throw Error(start.model ? start.model->place.path : start.bare.config,
                  "is a model to start from, but --train tfidf starts from the rows alone",
                  "leave out -m, or use another --train");
    }
    return std::make_shared<TfidfTraining>();
  };
  way->offer = offer_tfidf;
  way->learns_words = true;
  way->starts_from_rows = true;
  return way;
}

}  // namespace headlight
