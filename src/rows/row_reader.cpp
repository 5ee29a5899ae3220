#include "rows/row_reader.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/nearest_name.h"
#include "base/outer_blanks.h"
#include "base/placing.h"
#include "base/utf8.h"
#include "rows/conll.h"
#include "rows/encoding_cure.h"
#include "rows/fasttext_line.h"
#include "rows/json_cure.h"
#include "rows/json_line.h"
#include "rows/json_row.h"
#include "rows/label_shape.h"

namespace headlight {
namespace {

/// What a first line clearly belongs to; empty: it may be text.
std::string clear_format(std::string_view line) {
  try {
    if (line.starts_with('{')) {
      const JsonLine json(line);
      const JsonLine::Field* text = json.find("text");
      return text != nullptr && text->kind == JsonLine::Kind::string ? "jsonl" : "";
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    for (const auto& [delimiter, format] : {std::pair(',', "csv"), std::pair('\t', "tsv")}) {
      const std::vector<Cell> cells = split_csv(line, std::nullopt, {delimiter});
      const auto has = [&](const char* name) { return std::ranges::count(cells, name) > 0; };
      if (has("text") && (has("label") || has("id"))) return format;
    }
  } catch (const TextError&) {
    // not a line of these formats
  }
  return "";
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
}

void refuse_datasets(const std::string& path) {
  for (const char* mark : {"dataset_dict.json", "state.json", "dataset_info.json"}) {
    if (!file_exists(path + "/" + mark)) continue;
    throw Error(path, "is a folder of the library datasets, expected a file of rows",
                R"(dataset["train"].to_json("rows.jsonl") writes one)");
  }
}

/// The descriptor of standard input for "-".
int open_input(const std::string& path) {
  if (path == "-") return STDIN_FILENO;
  refuse_datasets(path);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw Error(path, system_message(errno));
  return descriptor;
}

/// The bytes of a regular file.
std::optional<double> bytes_in(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<double>(status.st_size);
}

/// Each byte that is not UTF-8 becomes U+FFFD.
std::string with_bad_bytes_replaced(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at).value_or(Decoded{0xFFFDU, 1});
    append_utf8(out, decoded.code_point);
    at += decoded.bytes;
  }
  return out;
}

}  // namespace

std::string name_of_files(const std::vector<std::string>& paths) {
  const std::string first = paths.front() == "-" ? "standard input" : paths.front();
  return paths.size() == 1 ? first : first + " and " + counted(paths.size() - 1, "more file");
}

RowReader::RowReader(int descriptor, std::string name, RowReading reading)
    : size_(bytes_in(descriptor)), reading_(std::move(reading)), name_(std::move(name)) {
  open(descriptor, name_);
}

RowReader::RowReader(const std::string& path, RowReading reading)
    : RowReader(std::vector<std::string>{path}, std::move(reading)) {}

RowReader::RowReader(std::vector<std::string> paths, RowReading reading)
    : paths_(std::move(paths)), reading_(std::move(reading)), name_(name_of_files(paths_)) {
  if (paths_.size() > 1) check_files();
  open_file(0);
  if (paths_.size() == 1) size_ = bytes_in(descriptor_);
}

RowReader::~RowReader() {
  if (is_owner_) ::close(descriptor_);
}

void RowReader::open(int descriptor, const std::string& name) {
  descriptor_ = descriptor;
  lines_.reset();
  source_.emplace(descriptor, name, reading_.compression);
  const bool is_csv = reading_.format == RowFormat::csv;
  lines_.emplace(*source_, is_csv ? std::optional(reading_.csv) : std::nullopt,
                 reading_.format == RowFormat::jsonl);
  if (is_table(reading_.format)) table_.emplace(reading_, name);
  header_comes_ = is_table(reading_.format) && reading_.header;
}

void RowReader::open_file(std::size_t file) {
  if (source_) before_ += source_->position();
  if (rows_of_file() > 0) closed_ = files();
  hash_.emplace();
  if (is_owner_) ::close(descriptor_);
  is_owner_ = false;
  file_ = file;
  const std::string& path = paths_[file];
  reading_.compression = compression_of(path);
  const int descriptor = open_input(path);
  is_owner_ = descriptor != STDIN_FILENO;
  open(descriptor, name_of_files({path}));
  if (reading_.names_files) hash_->add(path + '\n');
}

std::size_t RowReader::rows_of_file() const {
  std::size_t rows = number_;
  for (const FileMark& file : closed_) rows -= file.rows;
  return rows;
}

std::vector<FileMark> RowReader::files() const {
  std::vector<FileMark> files = closed_;
  const std::size_t rows = rows_of_file();
  if (rows > 0) files.push_back({paths_.empty() ? name_ : paths_[file_], rows, hash_->text()});
  return files;
}

/// One hash for all files; `hash` is that of the last one.
std::string RowReader::combined(const std::string& hash) const {
  std::string all;
  for (const FileMark& file : closed_) all += file.hash;
  if (rows_of_file() > 0 || closed_.empty()) all += hash;
  return all.size() > hash.size() ? hash_of(all) : all;
}

std::optional<std::pair<std::size_t, bool>> RowReader::find_in(
    const std::string& path, const std::vector<FileMark>& scored) const {
  RowReading reading = reading_;
  reading.selection = {};
  reading.note = [](const std::string&) {};
  RowReader file(path, reading);
  file.hold_back_incomplete();
  std::size_t most = 0;
  for (const FileMark& mark : scored) most = std::max(most, mark.rows);
  std::optional<std::size_t> found;
  for (std::size_t rows = 1; rows <= most && !stop_requested(); ++rows) {
    file.pass_over(rows);
    if (file.count() < rows) break;
    for (std::size_t i = 0; i < scored.size(); ++i) {
      const bool is_named = found && scored[*found].name == path;
      if (scored[i].rows == rows && !is_named && scored[i].hash == file.hash()) found = i;
    }
  }
  if (!found) return std::nullopt;
  return std::pair(*found, file.count() > scored[*found].rows || !file.is_at_end());
}

void RowReader::go_on_with(std::vector<std::string> paths, std::vector<FileMark> before) {
  paths_ = std::move(paths);
  closed_ = std::move(before);
  number_ = 0;
  for (const FileMark& file : closed_) number_ += file.rows;
  first_ = number_;
  for (std::size_t i = 0; i < number_; ++i) selected_ += reading_.selection.takes(i) ? 1 : 0;
  size_.reset();
  over_ = paths_.empty();
  has_ended_ = false;
  if (!over_) open_file(0);
}

/// Before anything is scored: reads the beginnings of all files, and guards them.
void RowReader::check_files() {
  std::vector<std::string> columns;
  for (const std::string& path : paths_) {
    if (path == "-" || target_at(path) == Target::special) {
      size_.reset();
      continue;
    }
    RowReader file(path, reading_);
    if (size_) *size_ += file.size_.value_or(0);
    if (file.is_at_end()) continue;
    if (file.header_comes_) file.read_header();
    const std::vector<std::string>& found = file.columns();
    if (columns.empty()) columns = found;
    if (!reading_.keep || !reading_.header) continue;
    if (!std::is_permutation(found.begin(), found.end(), columns.begin(), columns.end())) {
      constexpr std::size_t kListed = 12;
      throw Error(path,
                  "has the columns " + listed(found, kListed) + ", but the files before it have " +
                      listed(columns, kListed),
                  "--keep needs the same columns in all files");
    }
  }
}

std::optional<double> RowReader::share_read() const {
  if (!size_) return std::nullopt;
  return static_cast<double>(position()) / std::max(*size_, 1.0);
}

const std::vector<std::string>& RowReader::columns() const {
  return table_ ? table_->names() : first_fields_;
}

RowFormat RowReader::format() {
  if (!std::exchange(reading_.is_guessed, false) || reading_.format != RowFormat::text) {
    return reading_.format;
  }
  // Of a pipe, more than the first line would depend on the time.
  const std::string_view line = is_piped() ? lines_->ahead() : lines_->text_ahead();
  const bool says_text = !paths_.empty() && has_ending(without_compression(paths_[file_]), ".txt");
  const std::string clear = reading_.needs_label || says_text ? "" : clear_format(line);
  if (!clear.empty()) {
    const std::string found = "looks like " + clear + ", but is read as text lines";
    const std::string remedy = "--input-format " + clear + " reads its rows";
    if (!paths_.empty()) throw Error(name_, found, remedy + ", --input-format text its lines");
    reading_.note(name_ + ": " + found + "; headlight batch " + remedy);
  }
  if (line.starts_with(kFasttextLabel)) {
    reading_.format = RowFormat::fasttext;
    if (!reading_.needs_label) {
      reading_.note(name_ + ": begins with " + std::string(kFasttextLabel) +
                    ", so labels are not read as text" +
                    (paths_.empty() ? "" : "; --input-format text reads whole lines"));
    }
  }
  return reading_.format;
}

LineReader::Status RowReader::read_sentence_lines(std::string& lines) {
  lines.clear();
  for (std::string line;;) {
    const LineReader::Status status = lines_->next(line);
    const bool is_end = status == LineReader::Status::end;
    if (lines.empty() ? is_end : is_end || without_outer_blanks(line).empty()) {
      return lines.empty() ? status : LineReader::Status::line;
    }
    if (status == LineReader::Status::too_long) return status;
    if (without_outer_blanks(line).empty() || is_beside_sentences(line, lines.empty())) continue;
    if (lines.empty()) line_ = lines_->line();
    lines += line + '\n';
  }
}

bool RowReader::is_no_row(std::string_view line) const {
  if (!table_) {
    // Whoever writes lines to standard input waits for as many.
    return reading_.format == RowFormat::jsonl && !is_piped() && is_blank(line);
  }
  if (table_->is_blank(line)) return true;
  return table_->repeats_header(line);
}

/// Reads a line that is no row.
void RowReader::drop_line() {
  std::string line;
  lines_->next(line);
  note_no_row(line);
}

void RowReader::note_no_row(std::string_view line) {
  if (!table_ || table_->is_blank(line) || std::exchange(repeats_header_, true)) return;
  reading_.note(name_ + ": line " + std::to_string(lines_->line()) +
                " is the header again, as cat leaves it between files; it is no row");
}

/// Waits for a line that is a row, or the end.
void RowReader::pass_over_no_rows() {
  while (!lines_->is_at_end() && !stop_requested() && is_no_row(lines_->ahead())) drop_line();
}

/// Whether the next row, or the end, is there without waiting.
bool RowReader::row_is_ready() {
  while (lines_->ready()) {
    if (lines_->is_at_end() || !is_no_row(lines_->ahead())) return true;
    drop_line();
  }
  return false;
}

LineReader::Status RowReader::read_line_of_file(std::string& line) {
  const bool is_conll = reading_.format == RowFormat::conll;
  LineReader::Status status = is_conll ? read_sentence_lines(line) : lines_->next(line);
  while (!is_conll && status == LineReader::Status::line && is_no_row(line)) {
    note_no_row(line);
    status = lines_->next(line);
  }
  if (!is_conll) line_ = lines_->line();
  if (status == LineReader::Status::end) return status;
  hash_->add(line);
  hash_->add("\n");
  open_line_ = lines_->last_ended_open() ? line.size() : 0;
  return status;
}

bool RowReader::holds_back_next() {
  if (!holds_back_ || file_ + 1 < paths_.size()) return false;
  const std::string line(lines_->ahead());
  if (line.empty() || !lines_->ends_open() || is_no_row(line)) return false;
  const bool may_go_on =
      table_ ? !table_->is_whole(line) : reading_.format != RowFormat::jsonl || !is_json_row(line);
  if (!may_go_on && !find_bad_utf8(line)) return false;
  reading_.note(name_ + ": the last line is not complete, and is left for a later run");
  return over_ = true;
}

bool RowReader::next_has_grown(std::size_t bytes, const std::string& mark) {
  pass_over_no_rows();
  const std::string_view line = lines_->ahead();
  if (line.size() < bytes || (line.size() == bytes && !line.ends_with('\r'))) return false;
  const std::string begun = std::string(line.substr(0, bytes)) + '\n';
  if (!mark.ends_with(combined(hash_->text_with(begun)))) return false;
  reading_.note(name_ + ": the line of row " + std::to_string(number_) +
                " has grown since it was scored, and is scored again");
  return true;
}

LineReader::Status RowReader::read_line(std::string& line) {
  LineReader::Status status = read_line_of_file(line);
  while (status == LineReader::Status::end && file_ + 1 < paths_.size() && !stop_requested()) {
    end_file();
    open_file(file_ + 1);
    if (header_comes_) read_header();
    status = read_line_of_file(line);
  }
  over_ = status == LineReader::Status::end;
  return status;
}

void RowReader::pass_over(std::size_t rows) {
  if (header_comes_) read_header();
  while (!is_over() && number_ < rows) step(/*needs_fields=*/false);
}

std::size_t RowReader::pass_over_selected(std::size_t rows) {
  if (header_comes_) read_header();
  std::size_t passed = 0;
  while (passed < rows && !is_over()) {
    if (step(/*needs_fields=*/false)) ++passed;
  }
  return passed;
}

std::size_t RowReader::count_rows() {
  reading_.selection = {};
  pass_over(SIZE_MAX);
  return number_;
}

void RowReader::read_header() {
  std::string line;
  header_comes_ = false;
  if (read_line_of_file(line) == LineReader::Status::end) return;
  if (const auto delimiter = named_delimiter(line);
      reading_.format == RowFormat::csv && delimiter) {
    reading_.csv.delimiter = *delimiter;
    lines_->split_by(reading_.csv);
    table_->split_by(reading_.csv);
    if (read_line_of_file(line) == LineReader::Status::end) return;
  }
  table_->read_header(line);
}

std::optional<Row> RowReader::next() {
  if (header_comes_) read_header();
  while (!is_over()) {
    std::optional<Row> row = step(/*needs_fields=*/true);
    if (row && !lacks_label(*row)) return row;
  }
  if (stop_requested() || std::exchange(has_ended_, true)) return std::nullopt;
  end_file();
  note_labels();
  check_fields();
  return std::nullopt;
}

bool RowReader::lacks_label(const Row& row) {
  if (row.has_only_ignored) ++ignored_;
  const bool lacks = reading_.needs_label && reading_.format == RowFormat::fasttext && !row.label &&
                     row.error.empty();
  if (lacks) ++unlabelled_;
  return lacks;
}

void RowReader::note_labels() {
  if (const std::size_t lines = std::exchange(unlabelled_, 0); lines > 0) {
    reading_.note(name_ + ": skipped " + counted(lines, "line") + " without a label");
  }
  if (const std::size_t rows = std::exchange(ignored_, 0); rows > 0) {
    reading_.note(name_ + ": " + counted(rows, "row") + (rows == 1 ? " has" : " have") +
                  " no label but those of --ignore-label");
  }
}

void RowReader::check_fields() const {
  if (json_fields_.empty()) return;
  const RowFields& fields = reading_.fields;
  const bool has_texts = no_texts_.empty();
  if ((!has_texts || !has_pair_) && parsed_ == number_) {
    const std::string text = has_texts ? *fields.pair : no_texts_.front();
    const bool is_wrapped = number_ == 1 && !list_field_.empty();
    const std::string hint = is_wrapped  ? json_cure_of_list(list_field_, path())
                             : has_texts ? ""
                                         : "--text NAME selects the field of the text";
    const bool is_all = has_texts || no_texts_.size() == text_fields(reading_).size();
    if (!is_piped() || reading_.needs_label) refuse_without(text, hint);
    reading_.note(name_ + ": no row has the field \"" + shortened(text) +
                  (is_all ? "\", so all texts are empty" : "\", so no text has it") +
                  (hint.empty() ? "" : "; " + hint));
  }
  const std::string label = !fields.label.empty() ? fields.label.front()
                            : reading_.tagged     ? "entities"
                                                  : "label";
  if (!reading_.needs_label || labelled_ || std::ranges::count(json_fields_, label) > 0) return;
  refuse_without(label, reading_.tagged
                            ? "--label NAME selects the field of the correct entities or tags"
                            : "--label NAME selects the field of the true label");
}

void RowReader::refuse_without(const std::string& field, const std::string& hint) const {
  constexpr std::size_t kListedFields = 12;
  const RowFields& fields = reading_.fields;
  const std::string near = nearest_name(field, json_fields_);
  const bool is_named = fields.pair == field || std::ranges::count(fields.label, field) > 0 ||
                        std::ranges::count(fields.text, field) > 0;
  throw Error(name_,
              "has no field \"" + shortened(field) + "\"; its first row has " +
                  listed(json_fields_, kListedFields),
              is_named && !near.empty() ? "did you mean \"" + near + "\"?" : hint);
}

/// Says what only the end of a file shows.
void RowReader::end_file() const {
  if (table_) table_->note_words();
  if (!lines_->is_array_open()) return;
  reading_.note(name_ + ": the array is not closed by ]; rows at its end may be missing");
}

bool RowReader::ready() {
  if (header_comes_) {
    if (!row_is_ready()) return false;
    read_header();
  }
  while (!is_over() && !reading_.selection.takes(number_) && row_is_ready()) {
    step(/*needs_fields=*/false);
  }
  return is_over() || row_is_ready();
}

std::optional<Row> RowReader::step(bool needs_fields) {
  std::string line;
  format();
  if (holds_back_next()) return std::nullopt;
  const LineReader::Status status = read_line(line);
  if (over_) return std::nullopt;
  const std::size_t number = number_++;
  const bool taken = reading_.selection.takes(number);
  if (taken) ++selected_;
  // The first row that can be read tells the columns, also to a shard that does not take it.
  const bool tells = table_ ? table_->names().empty() : number == first_;
  if (!taken && !tells) return std::nullopt;
  Row row;
  row.id.text = std::to_string(number);
  row.number = number;
  row.line = line_;
  if (reading_.names_files || paths_.size() > 1) row.file = paths_[file_];
  if (needs_fields || tells) parse(status, std::move(line), row);
  if (number == first_) {
    for (const KeptField& field : row.kept) first_fields_.push_back(field.name);
  }
  if (!taken) return std::nullopt;
  return row;
}

void RowReader::parse_json(const std::string& text, Row& row) {
  if (is_blank(text)) throw TextError("the line is empty");
  std::string fault;
  const JsonLine line(text, fault);
  if (!fault.empty()) {
    read_id_beside_fault(line, reading_.fields, row);
    throw TextError(fault);
  }
  if (json_fields_.empty()) {
    for (const JsonLine::Field& field : line.fields()) {
      json_fields_.push_back(field.name);
      const std::string_view value = field.text;
      const bool is_list =
          field.kind == JsonLine::Kind::nested && value.starts_with('[') &&
          value.substr(std::min(value.find_first_not_of(' ', 1), value.size())).starts_with('{');
      if (is_list && list_field_.empty()) list_field_ = field.name;
    }
    no_texts_ = text_fields(reading_);
  }
  std::erase_if(no_texts_, [&](const auto& name) { return line.find(name) != nullptr; });
  const std::optional<std::string>& pair = reading_.fields.pair;
  has_pair_ = has_pair_ || !pair || line.find(*pair) != nullptr;
  read_json_row(line, reading_, row);
  labelled_ = labelled_ || row.label.has_value();
}

void RowReader::fill_missing(Row& row) const {
  if (row.is_empty) row.input.text.clear();
  if (reading_.missing_is_error) {
    throw TextError(row.is_empty ? "the text is missing" : "the second text is missing");
  }
  if (reading_.fields.pair && !row.input.pair) row.input.pair = "";
}

void RowReader::read_fields(std::string& line, Row& row) {
  if (table_) {
    table_->read(line, row);
  } else if (reading_.format == RowFormat::jsonl) {
    parse_json(line, row);
  } else if (reading_.format == RowFormat::conll) {
    read_sentence(line, row);
  } else if (reading_.format == RowFormat::fasttext) {
    FasttextLine read = read_fasttext_line(line);
    row.label = std::move(read.label);
    row.input.text = std::move(read.text);
  } else {
    row.input.text = std::move(line);
  }
  if (reading_.keep && is_lines(reading_.format)) row.kept.push_back({"text", row.input.text});
  if (reading_.tagged) name_tags(reading_.label_shape.names, row);
  if (reading_.needs_label && !reading_.tagged) shape_label(reading_.label_shape, row);
  if (row.is_empty || (reading_.fields.pair && !row.input.pair)) fill_missing(row);
  row.is_empty = row.is_empty || row.input.text.empty();
  row.input.text.insert(0, reading_.prepend);
}

void RowReader::read_beside_bad_bytes(const std::string& line, Row& row) {
  if (table_ && table_->names().empty()) return;  // only a good row tells the columns
  std::string readable = with_bad_bytes_replaced(line);
  try {
    read_fields(readable, row);
  } catch (const TextError&) {
    // The bytes are what is said of the row.
  }
}

void RowReader::parse(LineReader::Status status, std::string line, Row& row) {
  ++parsed_;
  try {
    if (status == LineReader::Status::too_long) {
      throw TextError("the line is longer than " + std::to_string(LineReader::kLongestLine) +
                      " bytes");
    }
    if (const auto bad = find_bad_utf8(line)) {
      row.cure = encoding_cure(line, path());
      read_beside_bad_bytes(line, row);
      throw TextError("not valid UTF-8 at byte " + std::to_string(*bad));
    }
    read_fields(line, row);
  } catch (const TextError& error) {
    row.error = error.line();
    const bool tells = reading_.format == RowFormat::jsonl && row.number == first_;
    if (tells && row.cure.empty()) row.cure = json_cure(line, path());
  }
}

}  // namespace headlight
