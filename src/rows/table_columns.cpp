#include "rows/table_columns.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/nearest_name.h"
#include "base/utf8.h"
#include "rows/encoding_cure.h"
#include "rows/label_shape.h"

namespace headlight {
namespace {

constexpr std::size_t kListedColumns = 12;

/// Names in quotes where their ends would not be seen.
std::vector<std::string> shown(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  shown.reserve(names.size());
  for (const std::string& name : names) {
    const bool is_plain = !name.empty() && name.front() != ' ' && name.back() != ' ';
    shown.push_back(is_plain ? name : '"' + name + '"');
  }
  return shown;
}

}  // namespace

TableColumns::TableColumns(RowReading reading, std::string name)
    : reading_(std::move(reading)), name_(std::move(name)) {}

std::vector<Cell> TableColumns::cells_of(std::string_view record) const {
  return reading_.format == RowFormat::csv ? split_csv(record, reading_.null, reading_.csv)
                                           : split_tsv(record, reading_.null);
}

std::optional<std::size_t> TableColumns::find(const std::string& name) const {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at == names_.end()) return std::nullopt;
  if (std::find(at + 1, names_.end(), name) != names_.end()) {
    throw Error(name_, "the header has \"" + shortened(name) + "\" twice", "rename one of them");
  }
  return static_cast<std::size_t>(at - names_.begin());
}

std::size_t TableColumns::found(const std::string& name, const std::string& otherwise) const {
  if (const auto column = find(name)) return *column;
  std::string hint = delimiter_hint(name);
  if (!reading_.header) {
    throw Error(name_,
                "has no column " + shortened(name) + "; its rows have " +
                    std::to_string(names_.size()) +
                    (names_.size() == 1 ? " column" : " columns, counted from 1"),
                hint.empty() ? otherwise : hint);
  }
  if (hint.empty() && name.find(',') != std::string::npos) {
    hint = "give the option once for each column";
  }
  if (const std::string near = nearest_name(name, names_); hint.empty() && !near.empty()) {
    hint = "did you mean \"" + near + "\"?";
  }
  if (hint.empty()) hint = otherwise;
  throw Error(
      name_,
      "has no column \"" + shortened(name) + "\"; it has " + listed(shown(names_), kListedColumns),
      hint);
}

std::string TableColumns::delimiter_hint(const std::string& wanted) const {
  struct Delimiter {
    char character;
    const char* spelled;  // as in a shell
  };
  constexpr std::array<Delimiter, 4> kDelimiters = {
      {{';', "';'"}, {'\t', "tab"}, {'|', "'|'"}, {',', ","}}};
  if (first_record_.find('\r') != std::string::npos) {
    return R"(tr '\r' '\n' <FILE ends its lines with LF)";
  }
  std::size_t most = names_.size();
  std::string hint;
  for (const Delimiter& delimiter : kDelimiters) {
    std::vector<Cell> cells;
    try {
      cells = split_csv(first_record_, std::nullopt, {delimiter.character});
    } catch (const TextError&) {
      continue;
    }
    const bool named = std::find(cells.begin(), cells.end(), Cell(wanted)) != cells.end();
    if (reading_.format == RowFormat::tsv && delimiter.character == '\t' && named)
      return "--delimiter tab reads cells in quotes";
    if (cells.size() <= most || (names_.size() > 1 && !named)) continue;
    most = cells.size();
    hint = !reading_.takes_delimiter ? "save it with commas between the cells"
                                     : std::string("--delimiter ") + delimiter.spelled + " makes " +
                                           std::to_string(most) + " columns of it";
  }
  return hint;
}

void TableColumns::find_columns() {
  const RowFields& fields = reading_.fields;
  for (const auto& name : fields.text) text_.push_back(found(name));
  if (text_.empty() && reading_.header)
    text_ = {found("text", "--text NAME selects the column of the text")};
  if (text_.empty() && names_.size() > 1) {
    throw Error(name_, "has " + std::to_string(names_.size()) + " columns and no header",
                "--text N selects the text column");
  }
  if (text_.empty()) text_ = {0};
  if (fields.pair) pair_ = found(*fields.pair);
  id_ = fields.id ? found(*fields.id) : find("id");
  for (const std::string& name : fields.label) label_.push_back(found(name));
  if (reading_.needs_label && label_.empty()) {
    label_ = {found("label", "--label NAME selects the column of the true label")};
  } else if (const auto column = label_.empty() ? find("label") : std::nullopt) {
    label_ = {*column};
  }
  std::set<std::string_view> seen;
  for (const auto& name : names_) {
    if (reading_.keep && !seen.insert(name).second) find(name);  // throws
  }
}

void TableColumns::read_header(const std::string& record) {
  try {
    if (const auto bad = find_bad_utf8(record)) {
      throw TextError("not valid UTF-8 at byte " + std::to_string(*bad));
    }
    first_record_ = record;
    for (Cell& cell : cells_of(record)) names_.push_back(cell ? std::move(*cell) : "");
  } catch (const TextError& error) {
    const bool is_bad = find_bad_utf8(record).has_value();
    throw Error(name_ + ": header", error.line(), is_bad ? encoding_cure(record, name_) : "");
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!names_[i].empty()) {
      named_ = i + 1;
    } else if (std::string number = std::to_string(i + 1); !std::ranges::count(names_, number)) {
      names_[i] = std::move(number);
    }
  }
  find_columns();
}

void TableColumns::count_word(const Cell& cell) {
  constexpr std::size_t kLongest = 4;
  ++counted_cells_;
  if (reading_.null || !cell || cell->empty() || cell->size() > kLongest) return;
  static const std::set<std::string_view> kWords = {"NA",  "N/A", "n/a",  "#N/A", "<NA>", "NaN",
                                                    "nan", "NaT", "NULL", "null", "None", "\\N"};
  if (kWords.contains(*cell)) ++words_[*cell];
}

void TableColumns::note_words() const {
  for (const auto& [word, count] : words_) {
    if (100 * count <= counted_cells_) continue;
    const bool is_plain = word.find_first_of("<#\\") == std::string::npos;
    reading_.note(name_ + ": " + std::to_string(count) + " of " + std::to_string(counted_cells_) +
                  (label_.size() == 1 && reading_.needs_label ? " texts and labels" : " texts") +
                  " are \"" + word + "\", read as text; --null " +
                  (is_plain ? word : '\'' + word + '\'') + " makes them missing");
  }
}

bool TableColumns::is_blank(std::string_view record) const {
  const char delimiter = reading_.format == RowFormat::csv ? reading_.csv.delimiter : '\t';
  const bool may_be_text = names_.size() == 1;
  return std::ranges::all_of(
      record, [&](char c) { return c == delimiter || (!may_be_text && (c == ' ' || c == '\t')); });
}

bool TableColumns::repeats_header(std::string_view record) const {
  return reading_.header && named_ > 1 && record == first_record_;
}

/// Rows after such a header would have their cells in wrong columns.
void TableColumns::refuse_other_header(const std::string& record, const std::vector<Cell>& cells,
                                       std::size_t line) const {
  if (!reading_.header || named_ < 2 || record.size() != first_record_.size()) return;
  if (!std::ranges::is_permutation(cells, cells_of(first_record_))) return;
  throw Error(name_,
              "line " + std::to_string(line) + " is a header with other places of its columns",
              "give the files that were joined one by one");
}

bool TableColumns::fit(std::vector<Cell>& cells) const {
  const auto is_empty = [](const Cell& cell) { return !cell || cell->empty(); };
  if (cells.size() > names_.size() &&
      !std::all_of(cells.begin() + static_cast<std::ptrdiff_t>(names_.size()), cells.end(),
                   is_empty)) {
    return false;
  }
  if (cells.size() < names_.size() && (cells.size() < named_ || !reading_.header)) return false;
  cells.resize(names_.size(), "");
  return true;
}

/// Once: quotes that are text, or escapes that are none, as the file is read.
void TableColumns::note_quotes(const std::string& record, const std::vector<Cell>& cells,
                               std::size_t line) {
  const auto is_quoted = [](const Cell& cell) {
    if (!cell || !cell->starts_with('"')) return false;
    return (cell->size() > 1 && cell->ends_with('"')) || std::ranges::count(*cell, '"') % 2 == 1;
  };
  std::string found;
  if (reading_.format == RowFormat::tsv) {
    if (!std::ranges::any_of(cells, is_quoted)) return;
    found = "has quotes around a cell, which are text; --delimiter tab reads cells in quotes";
  } else {
    if (reading_.csv.escape || record.find("\\\"") == std::string::npos) return;
    if (cells.size() == names_.size() && !has_escaped_quote(record, reading_.csv)) return;
    found = R"(has \" in a cell in quotes; --escape '\' reads it as a quote)";
  }
  noted_quotes_ = true;
  reading_.note(name_ + ": line " + std::to_string(line) + ' ' + found);
}

bool TableColumns::is_whole(const std::string& record) const {
  try {
    std::vector<Cell> cells = cells_of(record);
    return names_.empty() || fit(cells);
  } catch (const TextError&) {
    return false;
  }
}

void TableColumns::read_id(const std::vector<Cell>& cells, Row& row) const {
  if (id_ && *id_ < cells.size() && cells[*id_]) row.id = {*cells[*id_], /*is_string=*/true};
}

void TableColumns::read(const std::string& record, Row& row) {
  std::vector<Cell> cells;
  try {
    cells = cells_of(record);
  } catch (const TextError&) {
    if (!noted_quotes_) note_quotes(record, cells, row.line);
    cells = cells_of(std::string_view(record).substr(0, record.find('"')));
    cells.pop_back();  // the rest of it is in quotes
    read_id(cells, row);
    throw;
  }
  if (names_.empty()) {
    first_record_ = record;
    for (std::size_t i = 1; i <= cells.size(); ++i) names_.push_back(std::to_string(i));
    find_columns();
  }
  refuse_other_header(record, cells, row.line);
  if (!noted_quotes_) note_quotes(record, cells, row.line);
  read_id(cells, row);
  if (!fit(cells)) {
    throw TextError("has " + std::to_string(cells.size()) +
                    (cells.size() == 1 ? " cell, expected " : " cells, expected ") +
                    std::to_string(names_.size()) +
                    (reading_.header ? " as in the header" : " as in the first row"));
  }
  for (std::size_t i = 0; reading_.keep && i < cells.size(); ++i) {
    row.kept.push_back({names_[i], cells[i]});
  }
  row.is_empty = std::ranges::all_of(
      text_, [&](std::size_t column) { return !cells[column] || cells[column]->empty(); });
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (i > 0) row.input.text += ' ';
    row.input.text += cells[text_[i]].value_or("");
    count_word(cells[text_[i]]);
  }
  if (pair_ && cells[*pair_] && !cells[*pair_]->empty()) row.input.pair = cells[*pair_];
  if (reading_.needs_label && label_.size() == 1) count_word(cells[label_.front()]);
  if (label_.size() == 1) row.label = cells[label_.front()];
  if (label_.size() < 2) return;
  std::vector<Cell> labels;
  for (const std::size_t column : label_) labels.push_back(cells[column]);
  row.label = label_of_columns(reading_.label_names(), labels);
}

}  // namespace headlight
