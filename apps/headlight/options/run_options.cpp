#include "options/run_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <utility>

#include <unistd.h>

#include "base/build.h"
#include "base/error.h"
#include "base/file_guard.h"
#include "base/json_writer.h"
#include "base/placing.h"
#include "base/utf8.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/output_options.h"
#include "options/provenance.h"
#include "report/predictions/prometheus.h"

namespace headlight {
namespace {

/// Whether a file is empty or its bytes begin in this way.
bool begins_with(const std::string& path, std::string_view begin) {
  constexpr std::size_t kEnough = 4096;  // of compressed bytes
  std::ifstream file(path, std::ios::binary);
  std::string bytes(kEnough, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  if (bytes.empty()) return file.eof();
  if (compression_of(path) == Compression::none) return bytes.starts_with(begin);
  std::string found(begin.size(), '\0');
  try {
    std::string_view rest = bytes;
    Decompressor(compression_of(path), path).read(rest, found);
  } catch (const Error&) {
    return false;
  }
  return found == begin;
}

struct Most {
  double number = 0.0;
  bool percent = false;
};

std::optional<Most> parse_most(std::string_view text) {
  Most most;
  most.percent = text.ends_with('%');
  if (most.percent) text.remove_suffix(1);
  const char* end = text.data() + text.size();
  const auto [stop, error] =
      std::from_chars(text.data(), end, most.number, std::chars_format::fixed);
  const bool whole = text.find('.') == std::string_view::npos;
  const bool sound = error == std::errc() && stop == end && most.number >= 0.0;
  if (!sound || (!most.percent && !whole) || (most.percent && most.number > 100.0)) {
    return std::nullopt;
  }
  return most;
}

/// The time in ISO 8601, such as "2026-07-01T02:00:59Z".
std::string utc_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, sizeof "2026-07-01T02:00:59Z"> text{};
  std::strftime(text.data(), text.size(), "%FT%TZ", &parts);
  return text.data();
}

}  // namespace

Origin::Facts given_options(const CLI::App& command) {
  Origin::Facts facts;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || declaration_of(*option).effect != Effect::result) continue;
    const bool plain = option->get_items_expected_max() > 0 && option->get_option_text() != "FILE";
    facts[option->get_name()] = plain ? joined(option->results(), ", ") : "given";
  }
  return facts;
}

const Origin::Facts& ModelMarks::get() const {
  if (!marks_) marks_ = marks_of_files(files_);
  return *marks_;
}

void add_resume(CLI::App& command, const std::string& output, bool& resume, bool& accepts_build) {
  const HelpGroup group(command, kRunGroup);
  CLI::Option* option =
      command.add_flag("--resume", resume,
                       "Continue a stopped or killed run that wrote to -o " + output +
                           "; start from the beginning if there is none, do nothing if the same "
                           "run completed " +
                           output);
  rule(mark(option, Effect::nothing)).excludes("--force");
  CLI::Option* accept = command.add_flag("--accept-build", accepts_build,
                                         "Also continue what another build of headlight wrote");
  rule(mark(accept, Effect::nothing)).needs("--resume");
}

void ResumeOptions::add_to(CLI::App& command) {
  command_ = &command;
  add_resume(command, "FILE", resume_, accepts_build_);
  rule(command.get_option("--resume")).needs("-o FILE", "the output to continue");
}

void RowOutput::add_earlier(ErrorCount& count) const {
  const WholeRows& earlier = file->earlier_rows();
  count.add_earlier(earlier.rows + earlier_errors, earlier.errors + earlier_errors);
}

Origin::Facts RowOutput::marks_of(const RowReader& rows, const ErrorCount& count) const {
  Origin::Facts marks = {{"rows", mark_of_rows(rows)}};
  add_files(rows, marks);
  const std::size_t good = rows_in_file(count);
  const bool is_elsewhere = errors && errors->ends_after(good);  // the last row
  if (rows.open_line() == 0 || rows.count() == 0 || is_elsewhere) return marks;
  marks["open_line"] = std::to_string(rows.open_line());
  marks["rows_before"] = std::to_string(good - (rows.took_last() ? 1 : 0));
  return marks;
}

void RowOutput::write(const ErrorCount& before, bool is_error, const std::string& header,
                      const std::string& row) const {
  if (errors && is_error) return errors->add(rows_in_file(before), row);
  if (errors) errors->sync();
  file->write(header);
  file->write(row);
}

void RowOutput::finish(const std::string& header) const {
  if (errors) errors->finish(header, made);
  file->finish(&made);
  if (errors) errors->remove_rows();
}

void ResumeOptions::add_batch_to(CLI::App& command) {
  const HelpGroup group(command, kRunGroup);
  appended_ = Appended::name_option;
  CLI::Option* append = command.add_flag_callback(
      "--append", [this] { appended_ = Appended::accept; },
      "Rows may have been appended to the input since the run completed FILE: score only these");
  rule(mark(append, Effect::nothing)).needs("--resume");
  CLI::Option* errors = add_value(
      command, "--errors FILE", errors_,
      "Write the rows that cannot be scored to this file, in the format of the output, which has "
      "only the others");
  rule(mark(errors->check(output_name()), Effect::nothing))
      .needs("-o FILE", "the output of the other rows");
}

RowOutput ResumeOptions::open(const OutputOptions& output, RowFinder& finder,
                              const Source& source) const {
  if (output.path().empty()) {
    refuse_input(STDOUT_FILENO, "standard output");
    return {std::make_unique<ResumableFile>(), nullptr, {}, 0};
  }
  Origin origin = {build_name(), given_options(*command_), source.model.get(),
                   {},           source.arithmetic,        accepts_build_};
  origin.input = source.options.marks(origin.options.contains("--file-field"));
  origin.options["--format"] = name_of(output.format());
  if (!errors_.empty()) {
    format_for(errors_, {output.format()}, "--errors");
    // The folder of both may be moved.
    std::error_code failure;
    const auto beside = std::filesystem::path(output.path()).parent_path() / ".";
    origin.options["--errors"] = std::filesystem::proximate(errors_, beside, failure).string();
  }
  origin.options.insert(source.large.facts.begin(), source.large.facts.end());
  const Earlier unasked = output.force() ? Earlier::replace : Earlier::refuse;
  const Earlier asked = appended_ == Appended::accept ? Earlier::append : Earlier::resume;
  auto file =
      std::make_unique<ResumableFile>(output.path(), resume_ ? asked : unasked, origin, finder);
  if (output.format() == OutputFormat::npz) file->keep_whole_only();
  Origin started = origin;
  // A finished file may have been renamed, and its input read from elsewhere.
  origin.options["--format"] += output.path().substr(without_compression(output.path()).size());
  origin.options["--input-format"] = std::to_string(static_cast<int>(source.options.format()));
  origin.input.clear();
  bool grew = false;
  std::size_t earlier_errors = 0;  // in a file of their own
  if (appended_ == Appended::accept) source.rows.hold_back_incomplete();
  if (file->is_finished()) {
    const Finished found = check_finished(output.path(), origin, &source.rows, appended_);
    grew = found.grew;
    if (grew && found.left) {
      // A stopped run does not go on, since the numbers of its rows follow from the finished file.
      started.input["rows before"] = found.input.at("rows");
      if (is_table(table_format(output.format())) && origin.options.contains("--keep")) {
        throw UsageError(
            "--append: a file that was scored has left the input, and --keep needs it "
            "for the columns of " +
            output.path());
      }
    }
    Origin then = origin;
    then.input = found.input;
    if (!errors_.empty()) check_finished(errors_, then);
    finder.keep_at_most(found.rows_before);
    grew ? file->extend(finder) : file->count_finished(finder);
    if (!errors_.empty()) earlier_errors = source.rows.selected() - file->earlier_rows().rows;
    if (!grew && !errors_.empty()) ErrorRows::remove_leftover(errors_);
    if (!grew) return {std::move(file), nullptr, {}, earlier_errors};
  }
  std::unique_ptr<ErrorRows> errors;
  if (!errors_.empty()) {
    const std::size_t good = grew ? 0 : file->earlier_rows().rows;
    // Of compressed rows a kill may leave none, also after the errors got their name.
    const bool replaces =
        output.force() || grew || good > 0 || (resume_ && ErrorRows::has_rows(errors_));
    errors = std::make_unique<ErrorRows>(errors_, replaces, good);
    if (grew) errors->extend(earlier_errors);
    earlier_errors = errors->earlier();
  }
  if (grew) file->describe(started);
  return {std::move(file), std::move(errors), std::move(origin), earlier_errors};
}

void ErrorOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kRunGroup);
  mark(command.add_flag("--row-errors-ok", errors_ok_, "Error rows do not change the exit status"),
       Effect::nothing);
  mark(choice(command.add_option("--on-error",
                                 "At a row that cannot be scored: write an error row, or stop "
                                 "before it with status 1"),
              on_error_, {{"continue", AtError::continue_run}, {"stop", AtError::stop}})
           ->option_text("WHAT"),
       Effect::nothing);
  mark(add_value(command, "--max-errors N|P%", most_,
                 "Stop with status 1 at more than this many error rows; a percentage counts the "
                 "rows so far and applies from the 100th row")
           ->check(readable_by(parse_most, "a whole number or a percentage from 0% to 100%")),
       Effect::nothing);
}

bool ErrorOptions::too_many(std::size_t errors, std::size_t rows) const {
  const std::optional<Most> most = parse_most(most_);
  if (!most) return false;
  const double share = most->percent ? static_cast<double>(rows) / 100.0 : 1.0;
  return static_cast<double>(errors) > most->number * share;
}

std::string ErrorOptions::reason_to_stop(const ErrorCount& so_far, const Row& row,
                                         const std::string& error) const {
  if (error.empty()) return "";
  std::string what =
      "row " + name_of(row) + ": " + error + (row.cure.empty() ? "" : "; " + row.cure);
  if (on_error_ == AtError::stop) return what;
  constexpr std::size_t kFewRows = 100;
  const bool judged = !most_.ends_with('%') || so_far.rows() + 1 >= kFewRows;
  if (!judged || !too_many(so_far.errors() + 1, so_far.rows() + 1)) return "";
  return "more error rows than --max-errors " + most_ + " allows; last error: " + what;
}

void ErrorOptions::check(const ErrorCount& all, const std::string& hint) const {
  if (!too_many(all.errors(), all.rows())) return;
  throw Error("",
              std::to_string(all.errors()) + " of " + counted(all.rows(), "row") +
                  " could not be scored, more than --max-errors " + most_ + " allows",
              hint);
}

void SummaryOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kOutputGroup);
  mark(add_value(command, "--summary FILE", path_,
                 "Write counts as JSON to this file, - is standard error: rows and errors of the "
                 "whole output; as text of Prometheus if it ends with .prom; tokens, truncated, "
                 "empty, answered, seconds, counts of the best "
                 "labels, mean confidence and entropy of this run")
           ->check(not_empty())
           ->check(ends_like(OutputFormat::json)),
       Effect::nothing);
}

void PredictionSums::add(const Prediction& prediction) {
  if (prediction.no_label) return;
  if (labels == nullptr || !labels->probabilities || prediction.scores.empty()) return;
  ++rows_;
  counts_.resize(labels->names.size());
  ++counts_[prediction.best];
  confidence_ += static_cast<double>(prediction.scores[prediction.best]);
  entropy_ += entropy_of(*labels, prediction.scores);
}

void PredictionSums::write(JsonWriter& json) const {
  if (rows_ == 0) return;
  json.key("labels").begin_object();
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0) json.field(labels->names[i], counts_[i]);
  }
  json.end_object().field("mean_confidence", confidence_ / static_cast<double>(rows_));
  json.field("mean_entropy", entropy_ / static_cast<double>(rows_));
}

void check_summary(const std::string& path, std::string_view begin, const OutputOptions& output) {
  if (path.empty() || path == "-") return;
  claim_output(path, {});
  refuse_folder_of(path);
  if (target_at(path) != Target::file || output.force() || begins_with(path, begin)) return;
  throw Error(path, "exists already and is not a summary", "--force replaces it");
}

void write_summary(const std::string& path, const std::string& text) {
  if (target_at(path) == Target::special) {
    OutputFile file(path, /*force=*/true);
    file.output().write(text);
    file.finish();
  } else {
    const Compression compression = compression_of(path);
    write_whole(path,
                compression == Compression::none ? text : compressed_member(compression, text));
  }
}

void SummaryOptions::check(const OutputOptions& output) const {
  check_summary(path_, is_prometheus() ? kPrometheusSummary : kJsonSummary, output);
}

void SummaryOptions::write(const Run& run) const {
  if (path_.empty()) return;
  std::string line;
  JsonWriter json(line);
  json.begin_object();
  json.field("rows", run.count.rows()).field("errors", run.count.errors());
  json.field("truncated", run.count.truncated()).field("tokens", run.count.read().tokens);
  json.field("unknown", run.count.read().unknown);
  json.field("empty", run.count.empty());
  json.field("seconds", run.seconds).field("model", printable(run.models[0]));
  const std::string hash = model_hash(run.marks.get());
  note_model_hash(hash);
  json.field("model_hash", hash);
  if (!run.models[1].empty()) {
    const auto& [by_small, by_large] = run.count.answered();
    json.key("answered").begin_object().field(printable(run.models[0]), by_small);
    json.field(printable(run.models[1]), by_large).end_object();
  }
  run.sums.write(json);
  json.field("resumed", run.count.resumed());
  json.field("rows_this_run", run.count.rows() - run.count.resumed()).field("time", utc_time());
  json.key("finished").raw(run.finished ? "true" : "false").field("headlight", HEADLIGHT_VERSION);
  json.end_object();
  line = is_prometheus() ? prometheus_text(line) : with_provenance(line + '\n');
  if (path_ == "-") {
    std::cerr << line;
  } else {
    write_summary(path_, line);
  }
}

void RunOptions::add_to(CLI::App& command) {
  resume.add_to(command);
  errors.add_to(command);
  progress.add_to(command);
  summary.add_to(command);
}

}  // namespace headlight
