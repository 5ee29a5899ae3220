// --train contrastive: the encoder of the model by contrast, then a new last layer on its vectors.

#include <filesystem>
#include <system_error>
#include <utility>

#include "training/contrastive/contrastive_training.h"
#include "training/head/head_training.h"
#include "training/ways/model_training.h"
#include "training/ways/ways.h"

namespace headlight {
namespace {

class ContrastiveTraining : public ModelTraining {
 public:
  ContrastiveTraining(FitStart start, HeadSettings head, const CourseSettings& course)
      : ModelTraining(std::move(start), "contrastive"), head_(std::move(head)), course_(course) {}

  /// If rows were held out, both are trained again on all rows.
  Learned learn(const TrainingRun& run, LabelledRows rows) override {
    if (rows.labels.problem_type != ProblemType::single_label) {
      throw Error(run.rows_file,
                  "has rows with several labels, but --train contrastive needs one label a row",
                  "use --train head or all");
    }
    Learned made{.rows = std::move(rows)};
    prepare(run, made);
    made.encoder_is_trained = true;
    const auto begin_again = [this, description = model().description, weights = model().weights] {
      start_->model().description = description;
      start_->model().weights = weights;
    };
    TrainingRun first{run};
    bool is_done = choose_penalty(first, made.rows);
    begin_again();
    is_done = is_done && move_and_fit({first, 1}, head_, made);
    if (is_done && made.is_refitted) {
      begin_again();
      TrainingRun again{run};
      again.settled.penalty = made.strength;
      again.place.log.clear();
      Learned whole{.rows = without_development(made.rows)};
      is_done = move_and_fit({again, 2}, head_, whole);
      made.trained = whole.trained;
    }
    if (!is_done) made.end = FitEnd::stopped_at_once;
    if (is_done) keep_layout(run, made);
    return made;
  }

 private:
  /// By the vectors of the start: those that have moved know the labels of all rows. Returns false
  /// if a signal stopped the work.
  bool choose_penalty(TrainingRun& run, const LabelledRows& rows) {
    const bool may_fold = rows.may_learn_dev && rows.train.size() <= kMostFoldedRows;
    if (run.settled.penalty || head_.penalty || (can_choose(rows.dev) && !may_fold)) return true;
    TrainingRun fitting{run};
    fitting.place.resume = false;  // the file may have vectors that have moved
    Learned still{.rows = {rows.labels, rows.train, {}}};
    const bool is_done = HeadTraining{fitting, head_, /*is_last=*/false}.fit(*start_, still);
    run.settled.penalty = still.strength;
    std::error_code ignored;
    std::filesystem::remove(run.place.directory() + ".vectors", ignored);
    return is_done;
  }

  /// Returns false if a signal stopped the work.
  bool move_and_fit(const PlannedCourse& course, HeadSettings head, Learned& made) {
    Model& model = start_->model();
    Parameters& parameters = parameters_.emplace(model.description, model.weights);
    made.trained = train_contrastive(parameters, made.rows, course_, course);
    if (made.trained.empty()) return false;
    model.weights = parameters.weights();
    // Vectors of an earlier run are not of the same weights.
    TrainingRun fitting{course.run};
    fitting.place.log.clear();
    fitting.place.resume = false;
    head.kept_vectors.clear();
    return HeadTraining{fitting, head, /*is_last=*/true}.fit(*start_, made);
  }

  HeadSettings head_;
  CourseSettings course_;
  std::optional<Parameters> parameters_;
};

std::optional<Offer> offer_contrast(const Model& start, const TrainingSize& size,
                                    double /*seconds*/) {
  constexpr double kMostOfALabel = 64.0;
  if (!size.has_one_label || size.of_a_label() > kMostOfALabel) return std::nullopt;
  const std::size_t batches = size.tokens / kContrastiveTokens + 1;
  return Offer{.cost = cost_of_all(start, size, contrastive_epochs(batches)), .is_repeated = true};
}

}  // namespace

Way contrastive_way(const HeadSettings& head, const CourseSettings& course) {
  const auto way = std::make_shared<TrainingWay>();
  way->word = "contrastive";
  way->help = "for few rows: bring the vectors of a label together first, then the last layer";
  way->takes = {.penalty = true, .course = true};
  way->begin = [=](FitStart start, const auto& /*run*/) {
    return std::make_shared<ContrastiveTraining>(std::move(start), head, course);
  };
  way->offer = offer_contrast;
  way->penalty_of = head.penalty ? "" : "head";
  way->keeps_layout = keeps_layout_of_head;
  way->blind_from = 1.2;  // with fewer, hardly a label has a pair of rows
  return way;
}

}  // namespace headlight
