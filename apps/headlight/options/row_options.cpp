#include "options/row_options.h"

#include <charconv>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "base/utf8.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/label_map.h"
#include "options/provenance.h"
#include "training/rows/corrections.h"

namespace headlight {
namespace {

/// Parses "I/N": shard I of N, counted from 0.
std::optional<std::pair<std::size_t, std::size_t>> parse_shard(const std::string& text) {
  std::size_t shard = 0;
  std::size_t shards = 0;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, shards);
  if (second.ec != std::errc() || second.ptr != end || shard >= shards) return std::nullopt;
  return {{shard, shards}};
}

/// A character, or tab and \t for a tab.
std::optional<char> parse_delimiter(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  constexpr std::string_view kNever("\"\r\n\0", 4);
  const bool ascii = text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x80U;
  if (!ascii || kNever.find(text[0]) != std::string_view::npos) return std::nullopt;
  return text[0];
}

/// The format of a file whose name does not say it; that of a pipe is not known yet.
RowFormat guessed_format(const std::string& file, bool needs_label) {
  std::error_code failure;
  const auto kind = std::filesystem::status(file, failure).type();
  const bool is_read = kind == std::filesystem::file_type::regular ||
                       kind == std::filesystem::file_type::directory;  // which says why it is not
  if (!is_read) return RowFormat::text;
  return RowReader(file, {.is_guessed = true, .needs_label = needs_label}).format();
}

}  // namespace

void RowOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kInputGroup);
  const std::string kinds = reading_.needs_label ? "Labelled rows: .jsonl, .csv or .tsv"
                                                 : "Rows: .jsonl, .csv, .tsv, or one text per line";
  mark(add_value(command, "FILE ...", files_,
                 kinds + "; also compressed as .gz or .zst (default: -, standard input). Several "
                         "files are one after another")
           ->check(not_empty()),
       Effect::contents);
  add_reading_to(command);
}

CLI::Option* RowOptions::add_input_to(CLI::App& command) {
  const HelpGroup group(command, kInputGroup);
  files_ = {""};
  CLI::Option* input =
      add_value(command, "--input FILE", files_,
                "Rows in place of texts: .jsonl, .csv, .tsv, or one text per line; also "
                "compressed as .gz or .zst; - is standard input")
          ->allow_extra_args(false)
          ->expected(1)
          ->check(not_empty());
  return mark(input, Effect::contents);
}

void RowOptions::add_reading_to(CLI::App& command) {
  command_ = &command;
  const HelpGroup group(command, kInputGroup);
  std::vector<Choice<std::optional<RowFormat>>> formats = {{"auto", std::nullopt}};
  if (!reading_.needs_label) formats.push_back({"text", RowFormat::text});
  formats.insert(formats.end(), {{"jsonl", RowFormat::jsonl},
                                 {"csv", RowFormat::csv},
                                 {"tsv", RowFormat::tsv},
                                 {"fasttext", RowFormat::fasttext},
                                 {"conll", RowFormat::conll}});
  choice(command.add_option(
             "--input-format",
             "Input format; auto: by the ending of the file's name, or fasttext if lines of "
             "text begin with __label__"),
         input_format_, formats)
      ->option_text("FORMAT");
  rule(command
           .add_option_function<std::string>(
               "--delimiter",
               [this](const std::string& text) { delimiter_ = parse_delimiter(text); },
               "What separates the columns: one character, or tab (default: a comma)")
           ->check(readable_by(parse_delimiter, "one ASCII character, or tab"))
           ->option_text("CHAR"))
      .needs(kReadsCsv);
  rule(command
           .add_option_function<std::string>(
               "--escape", [this](const std::string& text) { escape_ = parse_delimiter(text); },
               R"(What makes text of the character behind it: '\' reads \" as a quote)")
           ->check(readable_by(parse_delimiter, "one ASCII character"))
           ->option_text("CHAR"))
      .needs(kReadsCsv);
  rule(add_value(command, "--text NAME", reading_.fields.text,
                 "Field of the text (default: text); several fields are joined by a space")
           ->allow_extra_args(false)
           ->group(kOftenGroup))
      .needs(kReadsFields);
  rule(add_value(command, has_queries_ ? "--query NAME" : "--pair-text NAME", reading_.fields.pair,
                 has_queries_ ? "Field of a row's query, with --queries (default: query)"
                              : "Field of the second text of a pair"))
      .needs(kReadsFields)
      .needs(kLabelsTexts);
  rule(add_value(command, "--id NAME", reading_.fields.id,
                 "Field of the id (default: id if it exists, else the row's number)"))
      .needs(kReadsFields);
  rule(
      command.add_flag("--no-header", no_header_, "There is no header; fields are numbered from 1"))
      .needs(kReadsTable);
  rule(add_value(command, "--null TEXT", reading_.null,
                 "A cell with this text is missing, such as NA, also in the output"))
      .needs(kReadsOrWritesTable);
  if (!reading_.missing_is_error) {
    rule(choice(command.add_option("--missing",
                                   "A text that is null, absent or an empty cell is an empty text, "
                                   "or an error"),
                reading_.missing_is_error, {{"empty", false}, {"error", true}})
             ->option_text("WHAT"))
        .needs(kReadsFields);
  }
  rule(add_value(command, "--prepend TEXT", reading_.prepend, "Put TEXT before each text"))
      .needs(kLabelsTexts);
  add_value(command, "--skip N", reading_.selection.skip, "Skip the first N rows")
      ->check(whole_number(0, UINT64_MAX));
  add_value(command, "--limit N", reading_.selection.limit,
            "Read at most N rows after the skipped ones")
      ->check(whole_number(0, UINT64_MAX));
  add_value(command, "--shard I/N", shard_,
            "Score only rows whose number is I modulo N, such as 0/4 … 3/4")
      ->check(readable_by(parse_shard, "I/N with I from 0 to N - 1 and N below 2^64"));
}

void RowOptions::add_label_to(CLI::App& command) {
  reading_.needs_label = true;
  const HelpGroup group(command, kInputGroup);
  LabelShape& shape = reading_.label_shape;
  rule(add_value(command, "--label NAME", reading_.fields.label,
                 "Field of the true label (default: label); several labels are separated by |, or "
                 "a list; given several times: a column of 0 and 1 for each label; for a "
                 "regression it is a number")
           ->allow_extra_args(false)
           ->group(kOftenGroup))
      .needs(kReadsFields);
  rule(
      add_value(command, "--label-names LIST|FILE", label_names_,
                "Names of the places of multi-hot lists; such as [1, 0, 1]; FILE has a name a line")
          ->check(not_empty()))
      .needs(kReadsFields);
  rule(add_value(command, "--label-separator TEXT", shape.separator,
                 "What separates several labels in a cell, such as \", \" (default: |)")
           ->check(not_empty()))
      .needs(kReadsFields);
  command.add_flag("--single-label", shape.is_single,
                   "A list has the one label of its row: train, or expect, one label a row");
  add_value(command, "--ignore-label NAME", shape.ignored,
            "This label stands for none; a row with no other has no label, and is left out where "
            "each row has one; may be repeated")
      ->allow_extra_args(false);
}

Origin::Facts RowOptions::marks(bool by_name) const {
  Origin::Facts marks;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const std::string which = i == 0 ? "" : " of file " + std::to_string(i + 1);
    for (const auto& [name, mark] : marks_of_input(files_[i])) marks[name + which] = mark;
    if (by_name) marks["name" + which] = files_[i];
  }
  return marks;
}

RowFormat RowOptions::format() const { return format_of(files_.front()); }

/// With --delimiter, TSV is CSV with tabs, or what is said: it may have quotes.
RowFormat RowOptions::format_of(const std::string& file) const {
  const RowFormat format = input_format_.value_or(row_format_of(file));
  if (format == RowFormat::text && !input_format_)
    return guessed_format(file, reading_.needs_label);
  return delimiter_ && is_table(format) ? RowFormat::csv : format;
}

void RowOptions::check(bool writes_table) const {
  const RowFormat read = format();
  for (const std::string& other : files_) {
    if (format_of(other) == read) continue;
    throw UsageError(other + " has another format than " + files_.front() +
                     "; --input-format says how to read both");
  }
  check_fact(*command_, kReadsFields, !is_lines(read),
             ", but " + file() + " is read as text lines; use --input-format jsonl, csv or tsv");
  check_fact(*command_, kReadsCsv, read == RowFormat::csv, "; use --input-format csv");
  check_fact(*command_, kReadsTable, is_table(read));
  check_fact(*command_, kReadsOrWritesTable, is_table(read) || writes_table);
}

bool RowOptions::may_begin_with_label() const {
  const bool is_piped = files_.front() == "-" && ::isatty(STDIN_FILENO) == 0;
  return is_piped && !input_format_ && !reading_.fields.pair;
}

void RowOptions::require_labels(RowFormat read) const {
  const bool has_pair = reading_.fields.pair.has_value();
  if (has_pair ? !is_lines(read) : read != RowFormat::text) return;
  const std::string formats = has_pair ? "csv or tsv" : "csv, tsv or fasttext";
  throw UsageError(file() + " is read as text lines, which have no " +
                   (has_pair ? "queries" : "labels") + "; use --input-format jsonl, " + formats);
}

std::unique_ptr<RowReader> RowOptions::open(const Console& console, bool keep,
                                            bool names_files) const {
  RowReading reading = reading_;
  reading.keep = keep;
  reading.names_files = names_files;
  return open(std::move(reading), console);
}

RowOptions RowOptions::of_file(const std::string& file) const {
  RowOptions other = *this;
  other.files_ = {file};
  if (row_format_of(file) != RowFormat::text) other.input_format_.reset();
  other.reading_.selection = {};
  other.shard_.clear();
  return other;
}

RowOptions RowOptions::in_file(const std::string& file) const {
  RowOptions other = *this;
  other.files_ = {file};
  return other;
}

RowOptions RowOptions::of_queries(const std::string& file, const std::string& label) const {
  RowOptions other = in_file(file);
  other.reading_.fields.label = {label};
  if (!other.reading_.fields.pair) other.reading_.fields.pair = "query";
  return other;
}

RowOptions RowOptions::of_checked(const std::string& file) const {
  RowOptions other = of_file(file);
  other.reading_.fields = {};
  other.reading_.fields.text = {kCheckedField};
  other.reading_.prepend.clear();
  other.delimiter_.reset();
  other.reading_.takes_delimiter = false;
  other.no_header_ = false;
  return other;
}

RowOptions RowOptions::without_labels() const {
  RowOptions other = *this;
  other.reading_.needs_label = false;
  return other;
}

std::unique_ptr<RowReader> RowOptions::open_tagged(const Console& console) const {
  if (format() != RowFormat::jsonl && format() != RowFormat::conll) {
    throw UsageError(
        "entities and tags of words are read from JSONL and CoNLL files; use --input-format jsonl "
        "or conll");
  }
  RowReading reading = reading_;
  reading.tagged = true;
  return open(std::move(reading), console);
}

std::unique_ptr<RowReader> RowOptions::open(RowReading reading, const Console& console) const {
  reading.format = format();
  reading.is_guessed =
      !input_format_ && is_lines(reading.format) && reading.format != RowFormat::conll;
  if (reading.format == RowFormat::conll && reading.needs_label && !reading.tagged) {
    throw UsageError(
        file() + " has a label for each word; evaluate reads it with a model that labels tokens");
  }
  if (reading.is_guessed) reading.format = RowFormat::text;
  reading.note = [&console](const std::string& line) { console.note(line); };
  if (!label_names_.empty()) reading.label_shape.names = names_in_list(label_names_);
  reading.csv = {delimiter_.value_or(','), escape_};
  reading.header = !no_header_;
  if (const auto shard = parse_shard(shard_)) {
    std::tie(reading.selection.shard, reading.selection.shards) = *shard;
  }
  auto rows = std::make_unique<RowReader>(files_, reading);
  note_files(files_);
  say_if_terminal(rows->descriptor(), console);
  if (reading.needs_label) require_labels(rows->format());
  return rows;
}

}  // namespace headlight
