#include "row_run.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "command.h"

namespace headlight {
namespace {

/// Reads rows that were scored by an earlier run, unless a stop is requested.
void pass_over(const RowSupply& supply, std::size_t rows) {
  for (std::size_t passed = 0; passed < rows; ++passed) {
    if (supply.next()) continue;
    if (stop_requested()) return;
    throw Error(
        "the input",
        "has " + counted(passed, "row") + ", and " + std::to_string(rows) + " are scored already",
        "--force starts over");
  }
}

/// Scores and writes; false where a signal ended it.
bool score(const RunOptions& options, const Console& console, RowResult& result, const RowJob& job,
           ErrorCount& count) {
  Progress progress(options.progress.style(console));
  const RowSupply supply = progress.watch(job.rows, job.done);
  const auto write = [&](const ScoredRow& row) {
    const std::string reason = options.errors.reason_to_stop(count, row);
    if (!reason.empty()) {
      result.hand_over();
      throw Error("", reason, result.way_on());
    }
    if (count.rows() == 0) result.write(job.header());
    result.write(job.line(row));
    count.add(row);
    progress.update(count);
  };
  try {
    pass_over(supply, count.rows());
    progress.begin(count);
    score_rows(job.classifier, job.threads, supply, {write, [&] { result.flush(); }});
  } catch (const ClosedPipe&) {
    if (caught_signal() == 0) throw;  // else its reader takes nothing, and the signal counts
    return false;
  }
  if (caught_signal() != 0) {
    result.hand_over();
    return false;
  }
  options.errors.check(count, result.way_on());
  if (count.rows() == 0) result.write(job.nothing());
  result.finish();
  return true;
}

}  // namespace

int run_rows(const RunOptions& options, const Console& console, RowResult& result,
             const RowJob& job) {
  ErrorCount count;
  count.add_earlier(result.there().rows, result.there().errors);
  if (count.rows() > 0) console.note("goes on after " + counted(count.rows(), "row"));
  bool finished = false;
  const auto sum_up = [&] {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - job.begun;
    options.summary.write({count, finished, seconds.count(), job.model, job.marks});
  };
  try {
    finished = score(options, console, result, job, count);
  } catch (...) {
    sum_up();
    throw;
  }
  sum_up();
  if (!finished) {
    const std::string way_on = result.way_on();
    complain("stopped after " + counted(count.rows(), "row") +
             (way_on.empty() ? "" : "; " + way_on));
    return kSignalBase + caught_signal();
  }
  console.note(counted(count.rows(), "row") + " scored");
  count.say(console, "row");
  return options.errors.status(count);
}

}  // namespace headlight
