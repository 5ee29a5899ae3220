// A row of input, independent of the file format.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "classifier/text_classifier.h"

namespace headlight {

/// An id as it is spelled in the input.
struct RowId {
  std::string text;
  bool is_string = false;  // false: the JSON of a number, true, false or null
};

/// A column or field of the input that is copied to the output.
struct KeptField {
  std::string name;
  std::optional<std::string> text;  // empty: null in a table
  bool is_string = true;            // false: JSON as it is spelled
};

struct Row {
  RowId id;                // the number of the row, from 0, if the input has no id
  std::size_t number = 0;  // in its input, from 0; rows that are not selected count too
  std::size_t line = 0;    // of the file, from 1, where the row begins; 0: not from a file
  std::string file;        // its name, if there are several or RowReading::names_files asks for it
  TextInput input;
  bool is_empty = false;             // its text is empty or missing, without what is prepended
  std::optional<std::string> label;  // the expected label as spelled, or the JSON of an array
  bool has_only_ignored = false;     // labels: those of LabelShape::ignored
  std::vector<KeptField> kept;       // all fields in the order of the input; empty if not requested
  std::string error;                 // not empty: the row cannot be read
  std::string cure;                  // what makes such a file readable, if that is known
};

/// The kept field of this name, or that a path with dots leads to (JsonLine::find()).
std::optional<KeptField> kept_field(const Row& row, const std::string& name);

/// How messages name a row: its id or number, and what else it has of number, file and line:
/// "7 (line 9)", "a7 (row 7, b.csv, line 9)".
std::string name_of(const Row& row);

/// The approximate memory of the texts of a row, or of its token ids.
std::size_t bytes_of(const Row& row);

}  // namespace headlight
