#include "rows/delimited.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"

namespace headlight {
namespace {

CsvState after(CsvState state, char c, const CsvDialect& dialect) {
  switch (state) {
    case CsvState::quoted:
      if (c == '"') return CsvState::quote_seen;
      return c == dialect.escape ? CsvState::quoted_escaped : CsvState::quoted;
    case CsvState::quoted_escaped:
      return CsvState::quoted;
    case CsvState::escaped:
      return CsvState::plain;
    case CsvState::quote_seen:
    case CsvState::cell_start:
      if (c == '"') return CsvState::quoted;
      [[fallthrough]];
    case CsvState::plain:
      break;
  }
  if (c == dialect.delimiter) return CsvState::cell_start;
  return c == dialect.escape ? CsvState::escaped : CsvState::plain;
}

/// The character that a backslash and `c` encode in TSV, or NUL.
char escaped(char c) {
  switch (c) {
    case 't':
      return '\t';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case '\\':
      return '\\';
    default:
      return '\0';
  }
}

std::string tsv_text(std::string_view cell) {
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const char meant = cell[i] == '\\' && i + 1 < cell.size() ? escaped(cell[i + 1]) : '\0';
    text += meant == '\0' ? cell[i] : meant;
    if (meant != '\0') ++i;
  }
  return text;
}

}  // namespace

std::size_t CsvRecordEnd::find(std::string_view bytes, std::size_t from, char line_end) {
  CsvState state = state_;  // not a member that bytes could be
  const CsvDialect dialect = dialect_;
  std::size_t i = from;
  for (; i < bytes.size(); ++i) {
    if (bytes[i] == line_end && state < CsvState::quoted) break;
    state = after(state, bytes[i], dialect);
  }
  state_ = state;
  return i < bytes.size() ? i : std::string_view::npos;
}

std::vector<Cell> split_csv(std::string_view record, const std::optional<std::string>& null,
                            CsvDialect dialect) {
  std::vector<std::string> cells(1);
  CsvState state = CsvState::cell_start;
  for (std::size_t i = 0; i < record.size(); ++i) {
    const bool is_text = state == CsvState::plain || state == CsvState::quoted;
    if (is_text && !dialect.escape) {
      const char end = state == CsvState::plain ? dialect.delimiter : '"';
      const std::size_t stop = std::min(record.find(end, i), record.size());
      cells.back().append(record, i, stop - i);
      if (stop == record.size()) break;
      i = stop;
    }
    const char c = record[i];
    const CsvState next = after(state, c, dialect);
    const bool opens = state == CsvState::cell_start && next == CsvState::quoted;
    if (next == CsvState::cell_start) {
      cells.emplace_back();
    } else if (!opens && next != CsvState::quote_seen && next < CsvState::escaped) {
      cells.back() += c;
    }
    state = next;
  }
  if (state >= CsvState::quoted) throw TextError("a quoted cell is not closed");
  std::vector<Cell> found(std::make_move_iterator(cells.begin()),
                          std::make_move_iterator(cells.end()));
  for (Cell& cell : found) {
    if (null && cell == null) cell.reset();
  }
  return found;
}

bool has_escaped_quote(std::string_view record, CsvDialect dialect) {
  CsvState state = CsvState::cell_start;
  for (std::size_t i = 0; i < record.size(); ++i) {
    const CsvState next = after(state, record[i], dialect);
    const bool goes_on = state == CsvState::quote_seen && next == CsvState::plain;
    if (goes_on && i > 1 && record[i - 2] == '\\') return true;
    state = next;
  }
  return false;
}

std::vector<Cell> split_tsv(std::string_view record, const std::optional<std::string>& null) {
  std::vector<Cell> cells;
  while (true) {
    const std::string_view spelled = record.substr(0, record.find('\t'));
    cells.push_back(null && spelled == *null ? Cell() : tsv_text(spelled));
    if (spelled.size() == record.size()) return cells;
    record.remove_prefix(spelled.size() + 1);
  }
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

std::string tsv_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    switch (c) {
      case '\t':
        cell += "\\t";
        break;
      case '\n':
        cell += "\\n";
        break;
      case '\r':
        cell += "\\r";
        break;
      case '\\':
        cell += "\\\\";
        break;
      default:
        cell += c;
    }
  }
  return cell;
}

std::string delimited_line(RowFormat format, const std::vector<Cell>& cells,
                           std::string_view absent) {
  const bool csv = format == RowFormat::csv;
  std::string line;
  for (const Cell& cell : cells) {
    if (&cell != cells.data()) line += csv ? ',' : '\t';
    if (cell) {
      line += csv ? csv_cell(*cell) : tsv_cell(*cell);
    } else {
      line += absent;
    }
  }
  return line;
}

std::optional<char> named_delimiter(std::string_view line) {
  if (line.size() > 2 && line.front() == '"' && line.back() == '"') {
    line = line.substr(1, line.size() - 2);
  }
  constexpr std::string_view kName = "sep=";
  if (line.size() != kName.size() + 1 || !line.starts_with(kName)) return std::nullopt;
  const char delimiter = line.back();
  const bool can_delimit = delimiter != '"' && static_cast<unsigned char>(delimiter) < 0x80U;
  return can_delimit ? std::optional(delimiter) : std::nullopt;
}

}  // namespace headlight
