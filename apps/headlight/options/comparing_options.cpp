#include "options/comparing_options.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "options/help_group.h"

namespace headlight {

void ComparingOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  rule(add_value(command, "--by FIELD", by_,
                 "Also measure each group of rows with the same value of FIELD, the worst first; "
                 "length: by the number of tokens")
           ->check(not_empty()))
      .needs(kLabelsTexts);
  rule(add_value(command, "--compare MODEL", rival_,
                 "Also score the rows with MODEL, which has the same labels: McNemar's test, "
                 "and the rows that only one model predicts correctly")
           ->check(not_empty()))
      .excludes("--zero-shot, --attention-stats, --fit-temperature or --fit-thresholds")
      .needs(kLabelsTexts);
}

void ComparingOptions::check_columns(const RowOptions& rows, const RowReader& reader) const {
  constexpr std::size_t kListedColumns = 12;
  const auto& columns = reader.columns();
  if (!reads_fields() || !is_table(rows.format()) || columns.empty()) return;
  if (std::ranges::find(columns, by_) != columns.end()) return;
  throw Error(rows.file(), "has no column \"" + shortened(by_) + "\" for --by",
              "its columns are " + listed(columns, kListedColumns));
}

std::optional<SliceEvaluator> ComparingOptions::slices(const LabelSet& labels) const {
  if (by_.empty()) return std::nullopt;
  return SliceEvaluator(labels, by_);
}

std::optional<Model> ComparingOptions::load(const Console& console) const {
  if (!compares()) return std::nullopt;
  Model other = ModelOptions::load_other(rival_, console);
  require_text_labels(other, "--compare");
  require_head(other);
  return other;
}

std::optional<ModelComparison> ComparingOptions::comparison(
    const Model& first, const LabelSet& labels, const std::optional<Model>& second,
    const ClassifierOptions& reading) const {
  if (!compares()) return std::nullopt;
  const bool alike = first.place.name == second->place.name;
  return ModelComparison(
      {alike ? first.place.path : first.place.name, labels},
      {alike ? second->place.path : second->place.name, labels_of(*second, reading.activation)});
}

}  // namespace headlight
