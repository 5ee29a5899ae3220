#include "training/choosing/automatic.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"
#include "training/choosing/candidate_scores.h"
#include "training/ways/model_training.h"
#include "training/ways/ways.h"

namespace headlight {
namespace {

constexpr std::size_t kComparedFolds = 5;

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

/// A way that is tried.
struct Candidate {
  Way way;
  Offer offer;
  CandidateScore score = {};
  DevelopmentFigures figures = {};
  std::size_t bytes = 0;  // of the model
};

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

std::vector<LabelledRow> all_in_order(const LabelledRows& rows) {
  std::vector<LabelledRow> all = without_development(rows).train;
  std::ranges::sort(all, {}, &LabelledRow::order);
  return all;
}

/// All rows without each fold, which is to be scored.
std::vector<LabelledRows> without_folds(const LabelledRows& rows, std::uint64_t seed) {
  const std::vector<LabelledRow> all = all_in_order(rows);
  const std::vector<std::size_t> folds = scoring_folds(all, rows.labels, kComparedFolds, seed);
  std::vector<LabelledRows> splits(kComparedFolds);
  for (std::size_t fold = 0; fold < kComparedFolds; ++fold) {
    splits[fold].labels = rows.labels;
    for (std::size_t i = 0; i < all.size(); ++i) {
      (folds[i] == fold ? splits[fold].dev : splits[fold].train).push_back(all[i]);
    }
  }
  std::erase_if(splits,
                [](const LabelledRows& split) { return split.dev.empty() || split.train.empty(); });
  return splits;
}

std::vector<LabelledRow> scored_rows(const std::vector<LabelledRows>& splits) {
  std::vector<LabelledRow> rows;
  for (const LabelledRows& split : splits) {
    rows.insert(rows.end(), split.dev.begin(), split.dev.end());
  }
  return rows;
}

/// Whether no row is held out: the rows are few, and each is scored by a model without its fold.
bool scores_in_folds(const LabelledRows& rows, const DataOptions& data) {
  constexpr std::size_t kFewRows = 500;
  return rows.may_learn_dev && !rows.dev.empty() && data.dev_share == DataOptions{}.dev_share &&
         rows.train.size() + rows.dev.size() <= kFewRows &&
         std::ranges::none_of(rows.dev, &LabelledRow::is_earlier);
}

/// Some ways on the same rows.
class Competition {
 public:
  Competition(const TrainingRun& run, const Model& start, bool start_is_default,
              std::vector<Way> ways, double minutes)
      : run_(run),
        start_(start),
        start_is_default_(start_is_default),
        seconds_(60.0 * minutes),
        known_(ways),
        ways_(std::move(ways)),
        watch_(run.watch) {}

  Learned hold(LabelledRows rows) {
    has_words_ = !is_unreadable(sum_of(pointers_to({&rows.train, &rows.dev})));
    if (!has_words_) {
      std::erase_if(ways_, [](const Way& way) { return !way->learns_words; });
      note("only trainings that learn the words of the rows were tried: " +
           joined(ways_, ", ", &word_of));
    }
    std::erase_if(ways_, [&](const Way& way) { return way->starts_from_rows && !is_alone(way); });
    const TrainingSize size = size_of(rows.train, rows.labels);
    if (rows.dev.empty()) return train_unmeasured(std::move(rows), size);
    is_folded_ = scores_in_folds(rows, run_.data);
    is_held_out_ = rows.may_learn_dev;
    LabelledRows all{rows.labels, {}, {}};
    std::vector<LabelledRows> splits;
    if (is_folded_) {
      splits = without_folds(rows, run_.data.seed);
      all.train = all_in_order(rows);
      is_folded_ = !splits.empty();
      if (!is_folded_) return train_unmeasured(std::move(all), size);
    } else {
      splits.push_back(std::move(rows));
    }
    const std::vector<LabelledRow> scored = scored_rows(splits);
    note_unscored(all.train.size(), scored.size());
    if (!can_choose(scored) || 2 * scored.size() < all.train.size()) {
      ways_ = {blind_choice(size)};
      note("too few rows of each label to compare trainings; --train " + word_of(ways_.front()) +
           " was chosen by their number");
    }
    keep_layout(size);
    admit(size);
    try {
      if (is_folded_ && !choose_penalties(all)) return stopped();
    } catch (const TrainingError&) {  // said when it is tried
    }
    std::optional<Learned> best;
    std::exception_ptr failure;  // the first
    for (Candidate& each : planned_) {
      try {
        Learned made = try_out(each, splits, scored);
        if (made.end != FitEnd::finished) return stopped();
        tried_.push_back(std::move(each));
        if (best && !is_clearly_better(tried_.back().score, tried_[best_].score)) continue;
        best_ = tried_.size() - 1;
        best = std::move(made);
      } catch (const TrainingError& error) {
        if (!failure) failure = std::current_exception();
        note("--train " + word_of(each.way) + " was left out: " + error.line());
      }
    }
    if (!best) std::rethrow_exception(failure);
    if (is_folded_) best = train_on_all(std::move(all), scored);
    if (best->end != FitEnd::finished) return stopped();
    describe(*best);
    return *std::move(best);
  }

 private:
  static std::string word_of(const Way& way) { return way->word; }
  std::optional<double> penalty_of(const Way& way) const {
    const auto found = penalties_.find(way->penalty_of);
    return found == penalties_.end() ? std::nullopt : found->second;
  }
  /// Without the start.
  bool is_alone(const Way& way) const {
    return way->learns_words && (start_is_default_ || !has_words_);
  }

  void note_unscored(std::size_t all, std::size_t scored) {
    if (!is_folded_ || scored == all) return;
    note(counted(all - scored, "row") +
         " with a label that no row of another fold has: in all trainings, and not scored");
  }

  /// Leaves those that keep the layout of the start, if the time allows one.
  void keep_layout(const TrainingSize& size) {
    const double seconds = seconds_ / most_trainings();
    const auto keeps = [&](const Way& way) {
      return way->keeps_layout && way->keeps_layout(start_);
    };
    const auto fits = [&](const Way& way) {
      const auto offer = way->offer(start_, size, seconds);
      return offer && (offer->rows || offer->cost.seconds <= seconds);
    };
    if (std::ranges::none_of(ways_, [&](const Way& way) { return keeps(way) && fits(way); })) {
      return;
    }
    std::vector<Way> others = ways_;
    std::erase_if(others,
                  [&](const Way& way) { return keeps(way) || !way->offer(start_, size, seconds); });
    std::erase_if(ways_, [&](const Way& way) { return !keeps(way); });
    if (others.empty()) return;
    note("not tried, as they do not keep the layout of the start: --train " +
         joined(others, ", ", &word_of));
  }

  /// Those that the time allows, and at least the first. Notes the others.
  void admit(const TrainingSize& size) {
    double seconds = 0.0;
    for (const Way& way : ways_for(size)) {
      const double left = seconds_ - seconds;
      const Offer offer = *way->offer(start_, size, left / most_trainings());
      const double more = trainings(offer) * offer.cost.seconds;
      const bool fits = planned_.empty() || offer.rows || more <= left;
      if (!fits || offer.rows) {
        const double whole = trainings(offer) * offer.whole_seconds;
        note_left_out(way, seconds + (offer.rows ? whole : more), offer.rows);
      }
      if (!fits) continue;
      seconds += more;
      planned_.push_back({way, offer});
    }
  }

  /// Those that are for such rows: the fastest model first, those that train the encoder last. Of
  /// few rows of a label, what is mostly best is first: their losses say little.
  std::vector<Way> ways_for(const TrainingSize& size) {
    std::vector<std::pair<Way, double>> offered;  // with the rows a second
    for (const Way& way : ways_) {
      const auto offer = way->offer(start_, size, seconds_ / most_trainings());
      if (offer) offered.emplace_back(way, offer->cost.rows_per_second);
    }
    std::ranges::stable_sort(offered, [](const auto& a, const auto& b) {
      const bool trains_encoder = a.first->takes.course;
      if (trains_encoder != b.first->takes.course) return !trains_encoder;
      return !trains_encoder && a.second > b.second;
    });
    std::vector<Way> ways;
    for (const auto& each : offered) {
      const std::string word = word_of(each.first);
      const bool is_replaced = std::ranges::any_of(
          offered, [&](const auto& other) { return word == other.first->instead_of; });
      if (!is_replaced) ways.push_back(each.first);
    }
    if (!size.is_few()) return ways;
    const auto usual = std::ranges::find(ways, blind_choice(size));
    if (usual != ways.end()) std::rotate(ways.begin(), usual, usual + 1);
    return ways;
  }

  /// What is mostly best for so many rows of a label, within the time.
  const Way& blind_choice(const TrainingSize& size) const {
    const Way* best = &ways_.front();
    double from = -1.0;
    for (const Way& way : ways_) {
      const auto offer = way->offer(start_, size, seconds_);
      if (!way->blind_from || *way->blind_from > size.of_a_label() || *way->blind_from < from ||
          !offer)
        continue;
      if (from >= 0.0 && trainings(*offer) * offer->cost.seconds > seconds_) continue;
      best = &way;
      from = *way->blind_from;
    }
    return *best;
  }

  Learned train_unmeasured(LabelledRows rows, const TrainingSize& size) {
    Learned made = train(blind_choice(size), run_, std::move(rows));
    made.notes.insert(made.notes.end(), notes_.begin(), notes_.end());
    return made;
  }

  /// How often one is run if it is kept.
  double trainings(const Offer& offer) const {
    if (is_folded_) return most_trainings();
    return offer.is_repeated && is_held_out_ ? 2.0 : 1.0;
  }
  double most_trainings() const {
    return is_folded_ ? static_cast<double>(kComparedFolds + 1) : 1.0;
  }

  /// `seconds` with all that was tried before. `rows`: it is tried on so many.
  void note_left_out(const Way& way, double seconds, std::optional<std::size_t> rows) {
    note("--train " + word_of(way) + " was " +
         (rows ? "tried on " + counted(*rows, "row") + " alone" : "not tried") + "; --minutes " +
         formatted("%.0f", std::ceil(seconds / 60.0)) + " has time for it");
  }

  void note(std::string line) {
    run_.watch.note(line);
    notes_.push_back(std::move(line));
  }

  Learned try_out(Candidate& candidate, const std::vector<LabelledRows>& splits,
                  const std::vector<LabelledRow>& scored) {
    const TrainingRun run = run_of(candidate, /*resumes=*/!is_folded_);
    std::vector<float> logits;
    Learned made;
    for (LabelledRows split : splits) {
      if (candidate.offer.rows) draw_rows(*candidate.offer.rows, run.data.seed, split.train);
      made = train(candidate.way, run, std::move(split));
      if (made.end != FitEnd::finished) return made;
      const std::vector<float>& found = made.figures->logits;
      logits.insert(logits.end(), found.begin(), found.end());
    }
    candidate.figures =
        is_folded_ ? development_figures(splits.front().labels, logits, scored) : *made.figures;
    candidate.score = candidate_score(candidate.figures, scored);
    candidate.bytes = weight_bytes(made.training->model(), start_);
    run_.watch.note("--train " + word_of(candidate.way) + ": " + score_text(candidate.score));
    return made;
  }

  Learned train(const Way& way, const TrainingRun& run, LabelledRows rows) const {
    FitStart start;
    if (!is_alone(way)) start.model = another_start(start_);
    const auto training = way->begin(std::move(start), run);
    training->read_again(rows);
    return training->learn(run, std::move(rows));
  }

  /// Those of the last layers, by the words of the ways that chose them. Returns false if stopped.
  bool choose_penalties(const LabelledRows& all) {
    for (const Candidate& each : planned_) {
      const std::string word = each.way->penalty_of;
      if (word.empty() || penalties_.contains(word)) continue;
      const Way& chooser = *std::ranges::find(known_, word, &word_of);
      const Learned made = train(chooser, run_of({chooser, {}}, /*resumes=*/false), all);
      if (made.end != FitEnd::finished) return false;
      penalties_.emplace(word, made.strength);
    }
    return true;
  }

  /// What was tried is lost; only where rows are held out, some of it is in files beside the
  /// output.
  Learned stopped() const {
    run_.watch.warn(std::string("stopped, and no model was written; ") +
                    (is_folded_ ? "the same command starts again" : "use --resume to continue"));
    return {.end = FitEnd::stopped_at_once};
  }

  /// The best one.
  Learned train_on_all(LabelledRows all, const std::vector<LabelledRow>& scored) {
    const Candidate& best = tried_[best_];
    Learned made = train(best.way, run_of(best, /*resumes=*/false), std::move(all));
    if (penalty_of(best.way)) made.chosen.emplace_back("the strength of the penalty");
    made.figures = best.figures;
    made.is_refitted = true;
    made.folds = kComparedFolds;
    made.scored = scored;
    return made;
  }

  /// A run of one of them, whose files have names of their own beside the output.
  TrainingRun run_of(const Candidate& candidate, bool resumes) {
    TrainingRun run{.place = run_.place.of_way(candidate.way->word),
                    .data = run_.data,
                    .engine = run_.engine,
                    .watch = watch_,
                    .origin = run_.origin,
                    .rows_file = run_.rows_file,
                    .class_weights = run_.class_weights};
    run.place.resume = run.place.resume && resumes;
    // A fold is too small to choose a state.
    run.settled = {candidate.offer.epochs, penalty_of(candidate.way), /*keeps_last=*/is_folded_};
    return run;
  }

  void describe(Learned& made) const {
    for (const Candidate& each : tried_) {
      const bool is_best = &each == &tried_[best_];
      const double times = trainings(each.offer) - (is_folded_ && !is_best ? 1.0 : 0.0);
      made.candidates.push_back({each.way->word, each.score.name, each.score.value,
                                 each.score.interval, each.score.log_loss,
                                 times * each.offer.cost.seconds, each.bytes,
                                 each.offer.cost.rows_per_second, is_best});
    }
    if (tried_.size() > 1) made.chosen.insert(made.chosen.begin(), "the training");
    made.notes.insert(made.notes.end(), notes_.begin(), notes_.end());
  }

  const TrainingRun& run_;
  const Model& start_;
  bool start_is_default_;
  double seconds_;  // that all may take
  const std::vector<Way> known_;
  std::vector<Way> ways_;  // of these, what may be tried
  CandidateWatch watch_;
  bool is_folded_ = false;
  bool is_held_out_ = false;  // rows, which may be learned in the end
  bool has_words_ = true;     // the start, for the rows: see is_unreadable()
  std::map<std::string, std::optional<double>> penalties_;  // of rows that are scored by folds
  std::vector<Candidate> planned_;
  std::vector<Candidate> tried_;  // those that could be made
  std::size_t best_ = 0;
  std::vector<std::string> notes_;
};

/// All of them on a start.
class Choosing : public ModelTraining {
 public:
  Choosing(FitStart start, bool is_default, std::vector<Way> ways, double minutes)
      : ModelTraining(std::move(start), "auto"),
        is_default_(is_default),
        ways_(std::move(ways)),
        minutes_(minutes) {}

  Learned learn(const TrainingRun& run, LabelledRows rows) override {
    return Competition(run, loaded_, is_default_, ways_, minutes_).hold(std::move(rows));
  }

 private:
  bool is_default_;
  std::vector<Way> ways_;
  double minutes_;
};

}  // namespace

Way automatic_way(const std::vector<Way>& ways, double minutes) {
  const auto chooses = std::make_shared<TrainingWay>();
  chooses->word = "auto";
  chooses->help =
      "try these and keep the best on the development rows; all of a config without "
      "weights";
  chooses->takes = {.penalty = true, .minutes = true};
  chooses->begin = [=](FitStart start, const auto& /*run*/) {
    const bool is_default = start.is_default;
    return std::make_shared<Choosing>(std::move(start), is_default, ways, minutes);
  };
  chooses->folds = [](const LabelledRows& rows, const DataOptions& data) {
    return scores_in_folds(rows, data) ? kComparedFolds : 0;
  };
  const Way all = *std::ranges::find_if(ways, [](const Way& way) { return way->takes.all; });
  chooses->for_rows = [all, self = chooses.get()](bool has_weights,
                                                  bool has_labels) -> const TrainingWay& {
    return has_weights && has_labels ? *self : *all;
  };
  return chooses;
}

std::vector<Way> all_ways(const AllSettings& settings, double minutes) {
  std::vector<Way> ways = ways_of(settings);
  ways.insert(ways.begin(), automatic_way(ways, minutes));
  return ways;
}

}  // namespace headlight
