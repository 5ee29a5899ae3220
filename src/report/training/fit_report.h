// The result of a training as text, as JSON and as the card of the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "training/head/head_figures.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

struct FitReport {
  std::string name;          // of the new model
  std::string directory;     // its path as given
  std::string start;         // the name of the model that it was made from
  std::string trained;       // what was trained, such as "the last layer"
  std::string layout;        // of the files
  std::string architecture;  // one line
  std::string file;          // of the rows, as given
  std::string dev_file;      // empty: held out
  double dev_share = 0.0;    // of the rows that were held out
  std::uint64_t seed = 0;
  std::string command;  // that made it
  /// The figures are those of a model without the development rows; in the end, it was fitted to
  /// all rows.
  bool is_refitted = false;
  std::size_t train_rows = 0;
  std::size_t dev_rows = 0;
  std::size_t errors = 0;  // rows that could not be used
  LabelNames labels;
  std::vector<std::size_t> train_counts;      // rows of each label; empty for a regression
  std::vector<std::size_t> dev_counts;        // the same
  std::optional<double> strength;             // of the penalty of a fitted last layer
  std::optional<DevelopmentFigures> figures;  // empty: there are no development rows
  std::optional<double> cosine;  // mean of that with the teacher's vectors; an encoder alone
  std::vector<std::string> notes;
};

/// The numbers of rows with each label.
std::vector<std::size_t> label_counts(const std::vector<LabelledText>& rows, std::size_t labels);

void write_fit(JsonWriter& json, const FitReport& report);
std::string fit_text(const FitReport& report);
/// README.md of the model.
std::string fit_card(const FitReport& report);

}  // namespace headlight
