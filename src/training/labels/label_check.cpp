#include "training/labels/label_check.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "metrics/fitting.h"
#include "metrics/gold.h"
#include "rows/fingerprint.h"
#include "training/head/classifier_start.h"
#include "training/head/row_vectors.h"
#include "training/labels/confident_learning.h"
#include "training/labels/near_duplicates.h"
#include "training/rows/suspicious_rows.h"

namespace headlight {
namespace {

/// logits [n, c] → probabilities, at the temperature that fits the judged labels best.
void calibrate(const FittingRows& rows, const std::vector<bool>& judged, ProblemType problem,
               ScoreTable& table) {
  const bool is_single = problem == ProblemType::single_label;
  ScoreTable known{table.labels, {}};
  std::vector<std::size_t> gold;
  std::vector<bool> flags;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const auto& labels = rows.targets[i].labels;
    if (!std::ranges::all_of(labels, [&](std::size_t label) { return judged[label]; })) continue;
    known.add(table.row(i));
    if (is_single) gold.push_back(labels.front());
    const std::vector<bool> own = flags_of(labels, table.labels);
    if (!is_single) flags.insert(flags.end(), own.begin(), own.end());
  }
  const auto fit = is_single ? fit_temperature(known, gold) : fit_temperature(known, flags);
  const auto activation = is_single ? ScoreActivation::softmax : ScoreActivation::sigmoid;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    std::ranges::copy(activate_scores(activation, table.row(i), fit ? fit->temperature : 1.0),
                      table.values.data() + i * table.labels);
  }
}

void find_doubtful(const ScoreTable& table, const std::vector<Suspect>& suspects,
                   const std::vector<std::optional<std::size_t>>& near, LabelCheck& check) {
  std::set<std::size_t> listed;
  const auto probability = [&](std::size_t i, const Gold& target) {
    return probability_of(target, table.row(i), check.labels.problem_type);
  };
  const auto given = [&](std::size_t i) { return probability(i, check.rows[i].target); };
  const auto add = [&](std::size_t i, const Gold& suggested) {
    listed.insert(i);
    check.doubtful.push_back({i, suggested, given(i), probability(i, suggested), near[i]});
  };
  for (const Suspect& suspect : suspects) add(suspect.row, suspect.suggested);
  std::vector<std::size_t> pairs;
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (near[i] && !listed.contains(i)) pairs.push_back(i);
  }
  std::ranges::stable_sort(pairs, {}, given);
  for (const std::size_t i : pairs) {
    if (!listed.contains(*near[i])) add(i, check.rows[*near[i]].target);
  }
  check.suspects = suspects.size();
}

/// Returns false after a signal.
bool check_vectors(ConstMatrix vectors, HeadFittingOptions options, std::uint64_t seed,
                   FitWatch& watch, LabelCheck& check) {
  const std::size_t n = check.rows.size();
  options.problem_type = check.labels.problem_type;
  options.classes = check.labels.names.size();
  const std::vector<Gold> targets = targets_of(pointers_to({&check.rows}));
  const FittingRows rows{vectors, targets};
  const auto folds = folds_of(check.rows, check.labels, kFolds, seed);
  const auto stage = [&](FitWatch::Stage what, std::size_t parts) {
    watch.begin(what, 0);
    return [&watch, parts](double done) {
      watch.count(static_cast<std::size_t>(done * static_cast<double>(parts)), done);
      return is_interrupted();
    };
  };
  const std::vector<bool> judged = judged_labels(targets, folds, options.classes);
  const auto table =
      cross_validated(rows, folds, judged, options, stage(FitWatch::Stage::folds, kFolds));
  watch.end();
  if (!table) return false;
  const auto near = contradicting_rows(vectors, check.rows, stage(FitWatch::Stage::comparing, n));
  watch.end();
  if (is_interrupted()) return false;
  check.unread = static_cast<std::size_t>(
      std::ranges::count_if(check.rows, [](const auto& row) { return is_unreadable(row); }));
  check.unjudged = static_cast<std::size_t>(std::ranges::count(judged, false));
  auto suspects = find_suspects(options.problem_type, *table, targets, judged);
  std::erase_if(suspects, [&](const Suspect& each) { return is_unreadable(check.rows[each.row]); });
  find_doubtful(*table, suspects, near, check);
  return true;
}

void refuse_uncheckable(const LabelCheck& check) {
  std::set<std::uint64_t> texts;
  for (const LabelledRow& row : check.rows) texts.insert(row.key);
  if (const TextSize read = sum_of(pointers_to({&check.rows})); is_unknown(read)) {
    throw Error(check.file,
                "has " + std::to_string(read.unknown) + " of " + counted(read.own, "token") +
                    " unknown to the encoder, so it cannot compare the texts",
                "-m takes an encoder that reads them; `headlight fit` trains on such rows");
  }
  if (texts.size() >= kFolds) return;
  throw Error(check.file, "has " + counted(texts.size(), "different text") +
                              ", too few to check labels by each other; it takes at least " +
                              std::to_string(kFolds));
}

}  // namespace

std::optional<ScoreTable> cross_validated(const FittingRows& rows,
                                          const std::vector<std::size_t>& folds,
                                          const std::vector<bool>& judged,
                                          const HeadFittingOptions& options,
                                          const std::function<bool(double done)>& stopped) {
  ScoreTable table{options.classes, std::vector<float>(folds.size() * options.classes)};
  HeadFit fit;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    const auto is_held = [&](std::size_t i) { return folds[i] == fold; };
    const CopiedRows train(rows, [&](std::size_t i) { return !is_held(i); });
    const auto halted = [&](double done) {
      return stopped((static_cast<double>(fold) + done) / kFolds);
    };
    if (fold == 0) {
      const CopiedRows held(rows, is_held);
      const auto first = fit_head(train.view(), held.view(), options, {halted, [](auto&) {}});
      if (!first) return std::nullopt;
      fit = *first;
    } else {
      // From zero: what the other heads learned of this fold must not leak into its own.
      fit.head = {std::vector<float>(fit.head.weight.size()),
                  std::vector<float>(fit.head.bias.size())};
      const auto head = refit_head(train.view(), options, fit, [&] { return halted(0.0); });
      if (!head) return std::nullopt;
      fit.head = *head;
    }
    for (std::size_t i = 0; i < folds.size(); ++i) {
      if (!is_held(i)) continue;
      std::ranges::copy(logits_of(fit.head, rows.vectors.row_range(i, 1), options.classes),
                        table.values.data() + i * options.classes);
    }
  }
  calibrate(rows, judged, options.problem_type, table);
  return table;
}

std::optional<LabelCheck> check_labels(Model loaded, RowReader& rows,
                                       const LabelCheckRequest& request, const Engine& engine,
                                       FitWatch& watch,
                                       const std::function<void(const LabelCheck&)>& begin) {
  require_vocabulary(loaded, {});
  DataOptions options = request.data;
  options.dev_share = 0.0;
  options.keeps_fields = true;
  SpelledRows spelled = read_spelled_rows(rows, options, "");
  if (is_interrupted()) return std::nullopt;
  TrainingData data = make_training_data(std::move(spelled), std::nullopt, options,
                                         {loaded, false, {}, [](const auto&) {}});
  say_problems(data, watch);
  ClassifierStart start(std::move(loaded));
  if (start.reads_otherwise()) read_tokens_again(start.model(), data.rows);
  for (const std::string& note : start.notes()) watch.note(note);
  LabelCheck check;
  check.file = rows.name();
  check.mark = mark_of_rows(rows);
  check.rows = std::move(data.rows.train);
  for (LabelledRow& row : check.rows) row.group = 0;  // similar texts may judge each other
  check.errors = data.errors;
  check.labels = std::move(data.rows.labels);
  check.alike = labels_spelled_alike(check.labels.names);
  refuse_uncheckable(check);
  begin(check);
  const RowPointers all = pointers_to({&check.rows});
  VectorFile file(request.place.directory() + ".vectors",
                  origin_of_vectors(start.model(), engine, all, ""), start.width(),
                  request.place.resume);
  start.model() = engine.ready(std::move(start.model()), Workload::many);
  if (!encode_rows(request.kept_vectors, start.model(), engine, all, file, watch))
    return std::nullopt;
  const HeadFittingOptions fitting{{}, 0, request.class_weights, start.has_bias()};
  if (check_vectors(file.map(), fitting, request.data.seed, watch, check)) return check;
  watch.warn("stopped while labels were checked; use --resume to continue");
  return std::nullopt;
}

}  // namespace headlight
