#include "measuring/row_measures.h"
#include "measuring/ways/ways.h"
#include "rows/predict.h"

namespace headlight {

MeasuringWay attended_way(const ClassifierOptions& reading) {
  return [reading = in_one_pass(reading)](const auto& models, auto& rows, auto& all, auto& found) {
    require_one_stack(models.first, "--attention-stats");
    const Classifier classifier(models.first, reading);
    AttentionSums attention;
    const auto add = [&](const ScoredRow<AttendedPrediction>& scored) {
      attention.add(scored.result.attention);
      all.add(scored.row, scored.result);
    };
    score_all<AttendedPrediction>(all, rows, predict_with_attention(classifier), add,
                                  /*rows_at_once=*/1);
    found.evaluation.attention = attention.statistics();
  };
}

}  // namespace headlight
