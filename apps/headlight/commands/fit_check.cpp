#include "commands/fit_check.h"

#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "options/provenance.h"
#include "report/training/label_check_report.h"
#include "terminal/training_progress.h"
#include "training/directory/model_directory.h"
#include "training/directory/training_facts.h"

namespace headlight {

int FitCheck::run(const std::function<FitStart()>& load_start) const {
  const FitRequest& request = plan.request;
  LabelCheckRequest checked{request.place, request.data, request.class_weights,
                            plan.settings.head.kept_vectors};
  checked.place.output = plan.check_file;
  using enum OutputFormat;
  const OutputFormat format =
      format_for(checked.place.output, {automatic, jsonl, csv, tsv}, "--check");
  if (format == automatic) {
    throw UsageError("--check: \"" + shortened(checked.place.output) +
                     "\" must end with .jsonl, .csv or .tsv");
  }
  for (const Fact& fact : {kTrainsAll, kTrainsEncoder, kTrainsVectors}) {
    check_fact(command, fact, false, ", which --check does not have");
  }
  rows.check(format != jsonl);
  rows.require_labels();
  watch_signals();
  FitStart start = load_start();
  if (!start.model) {
    throw Error(start.bare.config, "has no weights, so there are no vectors to check labels by",
                "choose a model with weights");
  }
  Description& description = start.model->description;
  description.reads_windows = start.reads_windows.value_or(description.reads_windows);
  checked.data.merged = merged_labels(start.model->place);
  refuse_foreign_files(checked.place.directory(), request.place.force);
  OutputFile file(checked.place.output, request.place.force);
  const auto input = rows.open(console, /*keep=*/true);
  const DoubtfulLayout layout{table_format(format), rows.null(), rows.fields().id.value_or("id"),
                              plan.check_prefix};
  const auto rows_of = [&](const LabelCheck& check) {
    try {
      return doubtful_rows(check, input->columns(), layout);
    } catch (const TextError& clash) {
      throw UsageError("--check: field \"" + clash.line() +
                       "\" clashes with a field that --check adds; --column-prefix renames these");
    }
  };
  FitProgress watch(console, progress.style(console));
  const auto found = check_labels(*std::move(start.model), *input, checked, engine, watch, rows_of);
  if (!found) return kSignalBase + caught_signal();
  file.output().write(rows_of(*found));
  file.finish();
  remove_leftovers(checked.place.directory());
  print(plan.is_json ? with_provenance(label_check_json(*found)) : label_check_text(*found));
  console.note("wrote " + checked.place.output);
  return found->errors == 0 || plan.errors_ok ? kSuccess : kTextErrors;
}

}  // namespace headlight
