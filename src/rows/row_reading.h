// How the rows of a file are read: its format, the roles of its fields, and the selection of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/compression.h"

namespace headlight {

/// fasttext: lines with labels (fasttext_line.h). conll: lines of words with tags (conll.h). hf: a
/// line of JSON as transformers' pipelines give it; only written.
enum class RowFormat : std::uint8_t { text, jsonl, csv, tsv, fasttext, conll, hf };

inline bool is_table(RowFormat format) {
  return format == RowFormat::csv || format == RowFormat::tsv;
}

inline bool is_lines(RowFormat format) {
  return format == RowFormat::text || format == RowFormat::fasttext || format == RowFormat::conll;
}

/// Selected by the file extension, without .gz or .zst; text if it is unknown.
inline RowFormat row_format_of(const std::string& path) {
  const std::string_view name = without_compression(path);
  if (has_ending(name, ".csv")) return RowFormat::csv;
  if (has_ending(name, ".tsv")) return RowFormat::tsv;
  if (has_ending(name, ".conll")) return RowFormat::conll;
  for (const std::string_view ending : {".jsonl", ".ndjson", ".json"}) {
    if (has_ending(name, ending)) return RowFormat::jsonl;
  }
  return RowFormat::text;
}

/// The roles of the fields: names, or numbers from 1 in a table without a header. A field that is
/// not given has a default name and is used if it exists.
struct RowFields {
  std::vector<std::string> text;  // several are joined with a space; empty: "text"
  std::optional<std::string> pair;
  std::optional<std::string> id;   // empty: "id" if it exists, else the number of the row
  std::vector<std::string> label;  // several: one for each label; empty: "label" if it exists
};

/// How the labels of a file are spelled (label_shape.h).
struct LabelShape {
  std::vector<std::string> names;    // of the places of multi-hot lists, or of the columns
  std::string separator;             // of several labels in a cell; empty: |
  std::vector<std::string> ignored;  // labels that stand for none
  bool is_single = false;            // one label a row: a list has it, a cell with a bar is it
};

/// Skips `skip` rows, then reads at most `limit`, and selects the rows whose number is `shard`
/// modulo `shards`.
struct RowSelection {
  std::size_t skip = 0;
  std::optional<std::size_t> limit;
  std::size_t shard = 0;
  std::size_t shards = 1;

  bool takes(std::size_t number) const {
    return number >= skip && !ends_before(number) && number % shards == shard;
  }
  bool ends_before(std::size_t number) const {
    return limit && number >= skip && number - skip >= *limit;
  }
};

/// ASCII characters, neither a quote nor a line end.
struct CsvDialect {
  char delimiter = ',';
  std::optional<char> escape = {};  // the character after it is text, also a quote
};

struct RowReading {
  RowFormat format = RowFormat::text;
  /// The name of the input does not say the format: text lines are those of fastText if the first
  /// one begins with a label.
  bool is_guessed = false;
  /// Gets a line that the user should know.
  std::function<void(const std::string&)> note = [](const std::string&) {};
  Compression compression = Compression::none;
  RowFields fields = {};
  LabelShape label_shape = {};  // with needs_label only
  RowSelection selection = {};
  CsvDialect csv = {};
  bool takes_delimiter = true;           // false: the user's is that of another file
  bool header = true;                    // tables only: the first record has the column names
  std::optional<std::string> null = {};  // tables only: the spelling of a missing value
  std::string prepend = {};              // inserted before each text
  bool missing_is_error = false;         // a missing text; else it is an empty one
  bool keep = false;                     // rows contain all their fields
  bool needs_label = false;              // an input without any label is an error
  bool names_files = false;              // rows have the name of their file, and hash() too
  /// JSONL with labels of words or entities: the text may be a list of words, which are joined by a
  /// blank. Without `fields`, it is "text", "tokens" or "words", and the label is "entities",
  /// "tags", "ner_tags", "spans", "labels" or "label".
  bool tagged = false;

  /// What the columns of RowFields::label stand for.
  const std::vector<std::string>& label_names() const {
    return label_shape.names.size() == fields.label.size() ? label_shape.names : fields.label;
  }
};

}  // namespace headlight
