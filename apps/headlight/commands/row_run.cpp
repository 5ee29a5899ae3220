#include "commands/row_run.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "rows/fingerprint.h"
#include "terminal/progress.h"

namespace headlight {

bool RowRun::open(RowReader& input, const Model& model, RowFinder& finder,
                  const LargeModel& large) {
  begun_ = std::chrono::steady_clock::now();
  input_ = &input;
  models_ = {model.place.name, large.name};
  marks_.emplace(model);
  options_.summary.check(output_);
  const ResumeOptions::Source source = {rows_, input, *marks_, engine_.arithmetic(), large};
  written_ = options_.resume.open(output_, finder, source);
  watch_signals();
  written_.add_earlier(count_);
  if (!written_.file->is_finished()) return true;
  console_.note(output_.path() + " is already complete");
  if (status() != kSuccess) count_.say(console_, "row");
  if (count_.rows() == input.selected()) write_summary(/*finished=*/true);  // they were counted
  return false;
}

const RowsAhead& RowRun::read_ahead(RowSource& rows) {
  begun_ = std::chrono::steady_clock::now();
  return ahead_.emplace(rows, kFewTexts, input_);
}

int RowRun::run(RowSerializer& serializer, const ScoreAll& score_all) {
  if (count_.rows() > 0) console_.note("resuming after " + counted(count_.rows(), "row"));
  bool finished = false;
  try {
    finished = score_and_finish(serializer, score_all);
  } catch (...) {
    write_summary(/*finished=*/false);
    throw;
  }
  write_summary(finished);
  if (!finished) {
    say_stopped();
    return kSignalBase + caught_signal();
  }
  console_.note(counted(count_.rows(), "row") + " scored");
  count_.say(console_, "row");
  return status();
}

bool RowRun::score_and_finish(RowSerializer& serializer, const ScoreAll& score_all) {
  ResumableFile& file = *written_.file;
  try {
    const BeforeForcedEnd forced([this] { save_by_force(); });
    ahead_->pass_over(count_.rows());
    Progress progress(options_.progress.style(console_, file.is_standard()), "row", count_.rows());
    score_all([&] { progress.update(*ahead_, count_); });
  } catch (const ClosedPipe&) {
    if (caught_signal() == 0) throw;  // otherwise the signal is reported
    return false;
  }
  if (caught_signal() != 0) {
    file.write_buffered();
    return false;
  }
  options_.errors.check(count_, written_.file->how_to_continue());
  const bool is_empty = written_.rows_in_file(count_) == 0;
  const std::string table =
      is_empty || written_.errors ? serializer.without_rows(*input_) : std::string();
  if (is_empty) file.write(table);
  file.write(serializer.ending());
  const std::string header = serializer.final_header(count_.rows());
  if (!header.empty()) file.write_beginning(header);
  written_.made.input = written_.marks_of(*input_, count_);
  written_.finish(table);
  return true;
}

void RowRun::write(const Row& row, const TextResult& result, const RowSerializer& serializer,
                   const std::string& bytes) {
  const std::lock_guard lock(writing_);
  const std::string reason = options_.errors.reason_to_stop(count_, row, result.error);
  if (!reason.empty()) {
    written_.file->write_buffered();
    throw Error("", reason, written_.file->how_to_continue());
  }
  const bool is_first = written_.rows_in_file(count_) == 0;
  written_.write(count_, !result.error.empty(), is_first ? serializer.header() : "", bytes);
  count_.add(row, result);
}

void RowRun::flush() {
  const std::lock_guard lock(writing_);
  written_.file->flush();
}

/// A text takes too long. What was scored until now is kept.
void RowRun::save_by_force() {
  constexpr std::chrono::milliseconds kPatience{300};  // as Output has with a reader
  if (!writing_.try_lock_for(kPatience)) return;       // it stays locked until the end
  try {
    written_.file->write_buffered();
    write_summary(/*finished=*/false);
  } catch (const Error& error) {
    complain(error.line());
  } catch (const ClosedPipe&) {
  }
  say_stopped();
}

void RowRun::write_summary(bool finished) const {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun_;
  options_.summary.write({count_, finished, seconds.count(), models_, *marks_, sums_});
}

void RowRun::say_stopped() const {
  const std::string hint = written_.file->how_to_continue();
  complain("stopped after " + counted(count_.rows(), "row") + (hint.empty() ? "" : "; " + hint));
}

}  // namespace headlight
