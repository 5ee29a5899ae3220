// What a finished output was made from: the program, the options, the model and the rows, by their
// hashes. It stays with the output, in the extended attribute user.headlight, else in a file beside
// it, .NAME.headlight. So --resume knows whether there is nothing left to do.
#pragma once

#include <cstdint>
#include <string>

#include "rows/origin.h"
#include "rows/row_reader.h"

namespace headlight {

/// "12 rows, xxh3 …": the rows that were read so far.
std::string mark_of_rows(const RowReader& rows);

/// Adds a fact for each file that rows were read of.
void add_files(const RowReader& rows, Origin::Facts& input);

/// Keeps the origin with `written`, a file or directory that is complete and will be renamed to
/// `path`. Options are kept as hashes of their values. If it cannot be kept, the output has no
/// fingerprint. Throws Error if `written` cannot be read.
void keep_fingerprint(const std::string& written, const std::string& path, Origin made);

/// What is done about rows that were appended to the input of a finished output; `name_option`
/// refuses them, and names --append.
enum class Appended : std::uint8_t { refuse, name_option, accept };

struct Finished {
  Origin::Facts input;  // of the rows that the output was made from
  bool grew = false;    // rows follow these, and come next
  bool left = false;    // files that were scored are no longer in the input
  /// If the last line grew, which comes next then: the rows of the output before its row.
  std::size_t rows_before = SIZE_MAX;
};

/// Throws Error unless the output at `path` was made from `now` and was not changed. `rows` are
/// those of Origin::input, if nothing of it was read yet; they are read to their end, or to what
/// was appended if that is accepted.
Finished check_finished(const std::string& path, Origin now, RowReader* rows = nullptr,
                        Appended appended = Appended::refuse);

}  // namespace headlight
