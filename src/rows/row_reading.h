// How the rows of a file are read: its format, which fields are what, which rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/compression.h"

namespace headlight {

enum class RowFormat : std::uint8_t { text, jsonl, csv, tsv };

inline bool is_table(RowFormat format) {
  return format == RowFormat::csv || format == RowFormat::tsv;
}

/// By the file's ending, the one before .gz or .zst; text where it says nothing.
RowFormat row_format_of(const std::string& path);

/// Which fields are what: names, or numbers from 1 in a table without a header. Those that were not
/// given are used where they exist.
struct RowFields {
  std::vector<std::string> text;  // several are joined with a blank; none: "text"
  std::optional<std::string> pair;
  std::optional<std::string> id;     // nothing: "id" where it exists, else the row's number
  std::optional<std::string> label;  // nothing: "label" where it exists
};

/// Of `limit` rows after the first `skip`, those whose number is `shard` modulo `shards`.
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

struct RowReading {
  RowFormat format = RowFormat::text;
  Compression compression = Compression::none;
  RowFields fields;
  RowSelection selection;
  bool header = true;               // of a table
  std::optional<std::string> null;  // a table's cell of this spelling is not there
  std::string prepend;              // before each text
  bool keep = false;                // rows carry all their fields
};

}  // namespace headlight
