#include "training/auto/automatic_training.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"
#include "metrics/confidence.h"
#include "training/auto/candidate_scores.h"
#include "training/auto/training_cost.h"
#include "training/head/label_ngrams.h"
#include "training/rows/training_data.h"
#include "training/trainings.h"
#include "training/whole/trainer.h"

namespace headlight {
namespace {

/// Passes on all but what each training would say again, or of its own end.
class CandidateWatch : public FitWatch {
 public:
  explicit CandidateWatch(FitWatch& watch) : watch_(watch) {}
  void begin(Stage stage, std::size_t before) override { watch_.begin(stage, before); }
  void count(std::size_t done, double share) override { watch_.count(done, share); }
  void step(const TrainingReport& report) override { watch_.step(report); }
  void end() override { watch_.end(); }

 private:
  FitWatch& watch_;
};

struct Candidate {
  TrainedPart part;
  TrainingCost cost;
  CandidateScore score = {};
  DevelopmentFigures figures = {};
  std::size_t bytes = 0;  // of the model
  std::optional<std::size_t> epochs = {};
  std::optional<std::size_t> rows = {};  // to train on; empty: all
};

bool has_few_of_each_label(const TrainingSize& size) {
  constexpr std::size_t kFewOfALabel = 32;
  return size.rows <= kFewOfALabel * size.labels;
}

/// All weights for as many epochs as take these seconds at most, or one of fewer rows. Empty if
/// these would be too few to learn from.
std::optional<Candidate> all_weights(const Model& start, TrainingSize size, double seconds) {
  constexpr double kLeastShare = 0.2;
  for (std::size_t epochs = options_for_tuning(start.description).epochs; epochs > 0; --epochs) {
    const TrainingCost cost = cost_of_all(start, size, epochs);
    if (cost.seconds > seconds) continue;
    return Candidate{.part = TrainedPart::all, .cost = cost, .epochs = epochs};
  }
  const double share = seconds / cost_of_all(start, size, 1).seconds;
  if (share < kLeastShare) return std::nullopt;
  const auto part_of = [&](std::size_t count) {
    return static_cast<std::size_t>(share * static_cast<double>(count));
  };
  size.rows = part_of(size.rows);
  size.tokens = part_of(size.tokens);
  return Candidate{.part = TrainedPart::all,
                   .cost = cost_of_all(start, size, 1),
                   .epochs = 1,
                   .rows = size.rows};
}

/// Leaves `count` rows, drawn at random.
void draw_rows(std::size_t count, std::uint64_t seed, std::vector<LabelledRow>& rows) {
  const auto number = [&](const LabelledRow& row) {
    return std::pair(mixed_bits(mixed_bits(seed) ^ row.order), row.order);
  };
  std::ranges::sort(rows, {}, number);
  rows.resize(std::min(count, rows.size()));
  std::ranges::sort(rows, {}, &LabelledRow::order);
}

/// The same model, which a training may change.
Model another_start(const Model& start) {
  Model other = load_model(start.place);
  other.description = start.description;
  return other;
}

/// All rows without each fold, which is to be scored.
std::vector<LabelledRows> without_folds(const LabelledRows& rows, std::uint64_t seed) {
  std::vector<LabelledRow> all = without_development(rows).train;
  std::ranges::sort(all, {}, &LabelledRow::order);
  const std::vector<std::size_t> folds = folds_of(all, rows.labels, kComparedFolds, seed);
  std::vector<LabelledRows> splits(kComparedFolds);
  for (std::size_t fold = 0; fold < kComparedFolds; ++fold) {
    splits[fold].labels = rows.labels;
    for (std::size_t i = 0; i < all.size(); ++i) {
      (folds[i] == fold ? splits[fold].dev : splits[fold].train).push_back(all[i]);
    }
  }
  std::erase_if(splits, [](const LabelledRows& split) { return split.dev.empty(); });
  return splits;
}

std::vector<LabelledRow> scored_rows(const std::vector<LabelledRows>& splits) {
  std::vector<LabelledRow> rows;
  for (const LabelledRows& split : splits) {
    rows.insert(rows.end(), split.dev.begin(), split.dev.end());
  }
  return rows;
}

/// Some trainings of the same rows.
class Competition {
 public:
  Competition(const TrainingRun& run, const Model& start, const Fit& made)
      : run_(run), start_(start), made_(made), watch_(run.watch) {}

  TrainedModel hold(LabelledRows rows) {
    const FitPlan& plan = run_.plan;
    has_words_ = !is_unreadable(sum_of(rows));
    if (!has_words_) {
      note("only --train static, which learns the words of the rows, was tried");
    }
    if (rows.dev.empty()) return train_unmeasured(std::move(rows));
    is_folded_ = scores_in_folds(plan, rows);
    admit(size_of(rows.train, rows.labels), rows.labels.problem_type);
    std::vector<LabelledRows> splits;
    if (is_folded_) {
      splits = without_folds(rows, plan.data.seed);
    } else {
      splits.push_back(std::move(rows));
    }
    try {
      if (is_folded_ && has_words_ && !plan.penalty && !choose_penalty(splits)) return stopped();
    } catch (const TrainingError&) {  // said when it is tried
    }
    const std::vector<LabelledRow> scored = scored_rows(splits);
    std::optional<TrainedModel> best;
    std::exception_ptr failure;  // the first
    for (Candidate& each : planned_) {
      try {
        TrainedModel trained = try_out(each, splits, scored);
        if (trained.made.end != FitEnd::finished) return stopped();
        tried_.push_back(std::move(each));
        if (best && !is_clearly_better(tried_.back().score, tried_[best_].score)) continue;
        best_ = tried_.size() - 1;
        best = std::move(trained);
      } catch (const TrainingError& error) {
        if (!failure) failure = std::current_exception();
        note(std::string("--train ") + word_for(each.part, kTrainedPartWords) +
             " was left out: " + error.line());
      }
    }
    if (!best) std::rethrow_exception(failure);
    if (is_folded_) best = train_on_all(splits);
    if (best->made.end != FitEnd::finished) return stopped();
    describe(scored.size(), best->made);
    return *std::move(best);
  }

 private:
  /// Those that the time allows, the fastest model first, and at least that one. Notes the others.
  void admit(const TrainingSize& size, ProblemType problem) {
    const double allowed = 60.0 * run_.plan.minutes / trainings();
    const bool has_few = problem == ProblemType::single_label && has_few_of_each_label(size);
    const bool is_alone =
        has_few || size.labels > kMostNgramLabels || start_.description.reads_windows;
    last_layer_ = is_alone ? TrainedPart::head : TrainedPart::label_ngrams;
    std::vector<Candidate> others = {{TrainedPart::no_layers, cost_of_static(size)},
                                     {last_layer_, is_alone ? cost_of_last_layer(start_, size)
                                                            : cost_of_label_ngrams(start_, size)}};
    if (!has_words_) others.pop_back();
    std::ranges::stable_sort(others, std::greater<>(),
                             [](const Candidate& each) { return each.cost.rows_per_second; });
    if (has_few && has_words_) {
      others.push_back({TrainedPart::contrastive, cost_of_contrast(start_, size)});
    }
    double seconds = 0.0;
    for (Candidate& candidate : others) {
      const double more = candidate.cost.seconds;
      if (!planned_.empty() && seconds + more > allowed) {
        note_left_out(candidate.part, seconds + more);
        continue;
      }
      seconds += more;
      planned_.push_back(std::move(candidate));
    }
    if (has_few || !has_words_) return;  // too few rows for all weights
    const double whole = seconds + cost_of_all(start_, size, 1).seconds;
    auto all = all_weights(start_, size, allowed - seconds);
    if (!all || all->rows) note_left_out(TrainedPart::all, whole, all ? all->rows : std::nullopt);
    if (all) planned_.push_back(*std::move(all));
  }

  /// What is best without development rows.
  TrainedModel train_unmeasured(LabelledRows rows) {
    FitPlan plan = run_.plan;
    if (has_words_) return train_last_layer(run_, another_start(start_), std::move(rows), made_);
    plan.part = TrainedPart::no_layers;
    TrainedModel trained = train(plan, std::move(rows));
    trained.made.notes.insert(trained.made.notes.end(), notes_.begin(), notes_.end());
    return trained;
  }

  /// How often each is run to be scored.
  double trainings() const { return is_folded_ ? static_cast<double>(kComparedFolds) : 1.0; }

  /// `seconds` with all that was tried before. `rows`: it is tried on so many.
  void note_left_out(TrainedPart part, double seconds, std::optional<std::size_t> rows = {}) {
    note(std::string("--train ") + word_for(part, kTrainedPartWords) + " was " +
         (rows ? "tried on " + counted(*rows, "row") + " alone" : "not tried") + "; --minutes " +
         formatted("%.0f", std::ceil(trainings() * seconds / 60.0)) + " has time for it");
  }

  void note(std::string line) {
    run_.watch.note(line);
    notes_.push_back(std::move(line));
  }

  TrainedModel try_out(Candidate& candidate, const std::vector<LabelledRows>& splits,
                       const std::vector<LabelledRow>& scored) {
    const FitPlan plan = plan_of(candidate, /*resumes=*/!is_folded_);
    std::vector<float> logits;
    std::optional<TrainedModel> trained;
    for (LabelledRows split : splits) {
      if (candidate.rows) draw_rows(*candidate.rows, plan.data.seed, split.train);
      trained = train(plan, std::move(split));
      if (trained->made.end != FitEnd::finished) return *std::move(trained);
      const std::vector<float>& found = trained->made.figures->logits;
      logits.insert(logits.end(), found.begin(), found.end());
    }
    candidate.figures = is_folded_ ? development_figures(splits.front().labels, logits, scored)
                                   : *trained->made.figures;
    candidate.score = candidate_score(candidate.figures, scored);
    candidate.bytes = weight_bytes(*trained->model, start_);
    run_.watch.note(std::string("--train ") + word_for(candidate.part, kTrainedPartWords) + ": " +
                    score_text(candidate.score));
    return *std::move(trained);
  }

  TrainedModel train(const FitPlan& plan, LabelledRows rows) {
    const TrainingRun run{plan, run_.engine, watch_, run_.origin};
    Fit made = made_;
    made.train_rows = rows.train.size();
    if (!made.train_counts.empty()) {
      made.train_counts = label_counts(rows.train, made.train_counts.size());
    }
    if (plan.part == TrainedPart::contrastive) {
      return train_by_contrast(run, another_start(start_), std::move(rows), std::move(made));
    }
    if (plan.part == TrainedPart::head || plan.part == TrainedPart::label_ngrams) {
      return train_last_layer(run, another_start(start_), std::move(rows), std::move(made));
    }
    if (plan.part == TrainedPart::all) {
      return train_all(run, another_start(start_), std::move(rows), std::move(made));
    }
    const bool is_own = plan.start_is_default || !has_words_;
    StaticStart start = is_own ? static_start() : start_of_student(start_);
    start.rows = std::move(rows);
    if (start.fresh.needs_words()) start.fresh.learn_words(inputs_of(start.rows.train));
    read_tokens_again(start.fresh.model(), start.rows);
    return is_own ? train_static(run, std::move(start), std::move(made))
                  : train_student(run, start_, std::move(start), std::move(made));
  }

  /// The penalty of all last layers: half of the folds choose less. Returns false if stopped.
  bool choose_penalty(const std::vector<LabelledRows>& splits) {
    const FitPlan plan = plan_of({last_layer_, {}}, /*resumes=*/false);
    std::vector<double> strengths;
    for (const LabelledRows& split : splits) {
      const TrainedModel trained = train(plan, split);
      if (trained.made.end != FitEnd::finished) return false;
      strengths.push_back(*trained.made.strength);
    }
    std::ranges::sort(strengths);
    penalty_ = strengths[strengths.size() / 2];
    return true;
  }

  /// What was tried is lost; only where rows are held out, some of it is in files beside the
  /// output.
  TrainedModel stopped() const {
    run_.watch.warn(std::string("stopped, and no model was written; ") +
                    (is_folded_ ? "the same command starts again" : "use --resume to continue"));
    TrainedModel none{made_, {}, nullptr, {}};
    none.made.end = FitEnd::stopped_at_once;
    return none;
  }

  /// The best one.
  TrainedModel train_on_all(const std::vector<LabelledRows>& splits) {
    const Candidate& best = tried_[best_];
    LabelledRows rows{splits.front().labels, scored_rows(splits), {}};
    std::ranges::sort(rows.train, {}, &LabelledRow::order);
    TrainedModel trained = train(plan_of(best, /*resumes=*/false), std::move(rows));
    if (penalty_) trained.made.chosen.emplace_back("the strength of the penalty");
    trained.made.figures = best.figures;
    trained.made.is_refitted = true;
    trained.made.folds = kComparedFolds;
    return trained;
  }

  /// A plan for one of them, whose files have names of their own beside the output.
  FitPlan plan_of(const Candidate& candidate, bool resumes) const {
    FitPlan plan = run_.plan;
    plan.part = candidate.part;
    plan.epochs = candidate.epochs;
    if (penalty_) plan.penalty = penalty_;
    plan.keep_last = plan.keep_last || is_folded_;  // a fold is too small to choose a state
    plan.output = plan.files_of(candidate.part);
    plan.resume = plan.resume && resumes;
    plan.log.clear();
    return plan;
  }

  void describe(std::size_t scored, Fit& made) const {
    made.dev_rows = scored;
    if (is_folded_) made.dev_counts = made.train_counts;
    for (const Candidate& each : tried_) {
      made.candidates.push_back({word_for(each.part, kTrainedPartWords), each.score.name,
                                 each.score.value, each.score.interval, each.score.log_loss,
                                 each.cost.seconds, each.bytes, each.cost.rows_per_second,
                                 &each == &tried_[best_]});
    }
    if (tried_.size() > 1) made.chosen.insert(made.chosen.begin(), "the training");
    made.notes.insert(made.notes.end(), notes_.begin(), notes_.end());
  }

  const TrainingRun& run_;
  const Model& start_;
  const Fit& made_;
  CandidateWatch watch_;
  bool is_folded_ = false;
  bool has_words_ = true;                       // the start, for the rows: see is_unreadable()
  TrainedPart last_layer_ = TrainedPart::head;  // alone, or beside n-grams
  std::optional<double> penalty_;               // of rows that are scored by folds
  std::vector<Candidate> planned_;
  std::vector<Candidate> tried_;  // those that could be made
  std::size_t best_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace

bool scores_in_folds(const FitPlan& plan, const LabelledRows& rows) {
  constexpr std::size_t kFewRows = 500;
  return rows.may_learn_dev && !rows.dev.empty() &&
         plan.data.dev_share == DataOptions{}.dev_share &&
         rows.train.size() + rows.dev.size() <= kFewRows &&
         std::ranges::none_of(rows.dev, &LabelledRow::is_earlier);
}

TrainedModel train_automatically(const TrainingRun& run, const Model& start, LabelledRows rows,
                                 const Fit& made) {
  return Competition(run, start, made).hold(std::move(rows));
}

}  // namespace headlight
