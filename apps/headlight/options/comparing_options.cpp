#include "options/comparing_options.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "metrics/slices.h"
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
                 "Also score the rows with MODEL, which has the same labels; McNemar's test, "
                 "and the rows that only one model predicts correctly")
           ->check(not_empty()))
      .needs(kLabelsTexts);
}

bool ComparingOptions::reads_fields() const { return !by_.empty() && by_ != kByLength; }

void ComparingOptions::check_columns(const RowOptions& rows, const RowReader& reader) const {
  constexpr std::size_t kListedColumns = 12;
  const auto& columns = reader.columns();
  if (!reads_fields() || !is_table(rows.format()) || columns.empty()) return;
  if (std::ranges::find(columns, by_) != columns.end()) return;
  throw Error(rows.file(), "has no column \"" + shortened(by_) + "\" for --by",
              "its columns are " + listed(columns, kListedColumns));
}

}  // namespace headlight
