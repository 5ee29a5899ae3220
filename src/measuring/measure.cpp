#include "measuring/measure.h"

#include "base/error.h"
#include "measuring/row_measures.h"
#include "measuring/ways/ways.h"
#include "rows/scoring.h"

namespace headlight {

Measured measure(const MeasuredModels& models, RowSource& rows, const MeasuringPlan& plan,
                 MeasuringWatch& watch) {
  RowMeasures all(plan, watch);
  Measured found;
  (plan.way ? plan.way : plain_way(ClassifierOptions()))(models, rows, all, found);
  if (is_interrupted()) return found;
  if (all.rows() == 0) throw Error(plan.file, "has no rows to evaluate");
  all.add_to(found);
  if (plan.fits.any()) {
    found.fitted =
        fit_calibration(plan.fits, models.first, all.evaluator(), plan.file, found.evaluation);
  }
  return found;
}

}  // namespace headlight
