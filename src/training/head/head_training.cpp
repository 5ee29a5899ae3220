#include "training/head/head_training.h"

#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "training/head/label_ngrams.h"
#include "training/head/row_vectors.h"
#include "training/head/strength_log.h"

namespace headlight {
namespace {

/// Puts n-grams beside the vectors of both.
LabelNgrams ngrams_beside(const Model& model, const LabelledRows& rows, FittingRows& train,
                          FittingRows& dev) {
  const RowPointers counted = pointers_to({&rows.train});
  LabelNgrams ngrams(label_ngrams_for(model, rows.labels.names.size(), rows.train), counted, train);
  ngrams.put_beside(pointers_to({&rows.dev}), dev);
  return ngrams;
}

void give_head(ClassifierStart& start, HeadFit fit, const std::optional<LabelNgrams>& ngrams,
               const LabelSet& labels) {
  std::vector<float> table;
  if (ngrams) table = ngrams->table(fit.head, labels.names.size());
  start.set_head(std::move(fit.head), labels);
  if (ngrams) start.set_label_ngrams(ngrams->description(), std::move(table));
}

void warn_stopped(FitWatch& watch) {
  watch.warn("stopped while the last layer was fitted; use --resume to continue");
}

constexpr std::size_t kFolds = 5;

/// The folds of rows that can choose the strength by themselves; empty: the default is as good as
/// so few rows, or a choice takes too long.
std::vector<std::size_t> choosing_folds(const LabelledRows& rows, std::uint64_t seed) {
  if (rows.train.size() > kMostFoldedRows) return {};
  auto folds = scoring_folds(rows.train, rows.labels, kFolds, seed);
  std::vector<LabelledRow> scored;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    if (folds[i] < kFolds) scored.push_back(rows.train[i]);
  }
  if (!can_choose(scored)) folds.clear();
  return folds;
}

/// `folds` of the training rows choose the strength, or if it is empty, the development rows.
/// Returns nothing if a signal stopped the work, which was said.
std::optional<HeadFit> fit_logged(const FittingRows& train, const FittingRows& dev,
                                  HeadFittingOptions options, const std::vector<std::size_t>& folds,
                                  StrengthLog& log, FitWatch& watch) {
  std::size_t tried = 0;
  const FittingWatch each{[&](double done) {
                            watch.count(tried, done);
                            return is_interrupted();
                          },
                          [&](const StrengthTrial& trial) {
                            ++tried;
                            log.add(trial);
                          }};
  watch.begin(FitWatch::Stage::fitting, 0);
  std::optional<HeadFit> fit;
  if (!folds.empty()) options.strength = strength_by_folds(train, folds, kFolds, options, each);
  if (folds.empty() || options.strength) fit = fit_head(train, dev, options, each);
  watch.end();
  if (!fit) warn_stopped(watch);
  return fit;
}

}  // namespace

bool HeadTraining::fit(ClassifierStart& start, Learned& made) const {
  const auto& [place, data, engine, watch, origin, rows_file, class_weights, settled] = run;
  const LabelledRows& rows = made.rows;
  const RowPointers both = pointers_to({&rows.train, &rows.dev});
  const std::vector<Gold> targets = targets_of(both);
  StrengthLog log(is_last ? place.log : "", place);
  VectorFile file(keeps_vectors ? place.directory() + ".vectors" : "",
                  origin_of_vectors(start.model(), engine, both, cut), start.width(), place.resume);
  start.model() = engine.ready(std::move(start.model()), Workload::many);
  if (!encode_rows(settings.kept_vectors, start.model(), engine, both, file, watch)) return false;
  FittingRows all{file.map(), targets};
  const std::size_t n = rows.train.size();
  FittingRows train{all.vectors.row_range(0, n), all.targets.first(n)};
  FittingRows dev{all.vectors.row_range(n, rows.dev.size()), all.targets.subspan(n)};
  std::optional<LabelNgrams> ngrams;
  if (with_ngrams) ngrams = ngrams_beside(start.model(), rows, train, dev);
  const HeadFittingOptions fitting{rows.labels.problem_type, rows.labels.names.size(),
                                   class_weights, start.has_bias(),
                                   settled.penalty ? settled.penalty : settings.penalty};
  const std::size_t known = can_choose(rows.dev) ? count_known(rows.dev) : 0;
  const FittingRows choosing{dev.vectors.row_range(0, known), dev.targets.first(known), dev.beside};
  std::vector<std::size_t> folds;
  const bool may_fold = known == 0 || (is_last && rows.may_learn_dev);
  if (!fitting.strength && may_fold) folds = choosing_folds(rows, data.seed);
  auto fit = fit_logged(train, choosing, fitting, folds, log, watch);
  if (!fit) return false;
  log.finish();
  made.strength = fit->strength;
  made.penalty = fit->strength;
  round_head(start.format(), fit->head);
  if (!rows.dev.empty()) {
    if (!fitting.strength && folds.empty() && known > 0)
      made.chosen.emplace_back("the strength of the penalty");
    made.figures = development_figures(
        rows.labels, logits_of(fit->head, dev.vectors, fitting.classes, dev.beside), rows.dev);
  }
  made.is_refitted = is_last && rows.may_learn_dev && !rows.dev.empty();
  if (made.is_refitted) {
    if (ngrams) {
      ngrams = LabelNgrams(ngrams->description(), both, all);
      fit->head.beside.clear();
    }
    auto refitted = refit_head(all, fitting, *fit, is_interrupted);
    if (!refitted) {
      warn_stopped(watch);
      return false;
    }
    fit->head = *std::move(refitted);
    round_head(start.format(), fit->head);
  }
  give_head(start, *std::move(fit), ngrams, rows.labels);
  return true;
}

}  // namespace headlight
