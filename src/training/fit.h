// From labelled rows and a request to the directory of a trained model. START HERE in this room.
//
// Rows, request and start determine every byte of the directory, whatever the number of threads,
// and whether the run was stopped and resumed.
//
// Example:
//   RowReader rows("reviews.csv", {.format = RowFormat::csv, .needs_label = true});
//   FitRequest request;
//   request.place.output = "my-model";
//   request.way = head_way({});  // automatic_way() tries several
//   FitStart start{load_model(locate_model("data/models/encoder", ""))};
//   FitWatch watch;  // derive from it to see how far the training is
//   const Fit made = fit(std::move(start), {rows}, request, Engine({}), watch);
//   const std::vector<Measure> found = made.figures->evaluation.measures;  // of rows held out
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rows/row_reader.h"
#include "training/choosing/automatic.h"
#include "training/ways/ways.h"

namespace headlight {

/// Open files, of which no row has been read yet.
struct FitRows {
  RowReader& train;
  RowReader* dev = nullptr;      // without: some rows of `train` are held out
  RowReader* checked = nullptr;  // corrections.h
};

/// The rows of a training, as its card names them.
struct FitRowFacts {
  std::string file;       // as given
  std::string file_mark;  // mark_of_rows()
  std::string file_hash;  // of its bytes; empty: not known
  /// The names of several files, with the numbers of rows that were used of them.
  std::vector<std::pair<std::string, std::size_t>> files;
  std::string dev_file;    // empty: held out
  double dev_share = 0.0;  // of the rows that were held out
  std::uint64_t seed = 0;
  std::size_t train_rows = 0;
  std::size_t dev_rows = 0;
  std::size_t errors = 0;  // rows that could not be used
  TextSize read;           // all texts, as the model reads them; 0 tokens without a tokenizer
  LabelSet labels;
  std::vector<std::size_t> train_counts;  // rows of each label; empty for a regression
  std::vector<std::size_t> dev_counts;    // the same
  std::optional<EarlierModel> earlier;    // as in the request
};

/// What the new model was made from, and how.
struct FitProvenance {
  std::string name;                      // of the new model
  std::string directory;                 // its path as given
  std::string start;                     // the name of the model that it was made from
  bool had_weights = true;               // the start
  std::string start_hash;                // model_hash() of the start's files
  std::string architecture;              // of the new model, one line
  std::string program;                   // the version that trained
  std::string command;                   // that made it
  std::vector<std::string> card_fields;  // as in the request
  double divisor = 1.0;                  // of the last layer, after it was fitted
};

/// What was made, of which rows.
struct Fit : Learned, FitRowFacts, FitProvenance {};

/// How a model is trained, and where it goes.
struct FitRequest {
  OutputPlace place;
  DataOptions data;
  bool reads_pairs = false;  // the rows have pairs
  ClassWeights class_weights = ClassWeights::none;
  Way way;
  Origin origin;             // of the model, without files; a run of another cannot be resumed
  std::string command_line;  // that makes the same model, for its card
  std::vector<std::string> card_fields;              // "key=value", which the card begins with
  std::function<std::string(const Fit& made)> card;  // README.md of the model; may be empty
};

/// Throws Error if the model cannot be written where the request says. fit() checks it too, but
/// after a model was loaded.
void check_output(const FitRequest& request);

/// Deletes what a run keeps beside its directory, also of another way that was killed.
void remove_files_beside(const OutputPlace& place);

/// Trains a model and writes its directory, which appears whole or not at all. A signal
/// (base/interrupt.h) stops the run. Throws Error if the rows, the start or files of an earlier run
/// cannot be used, or if the written model does not compute what the trained one does.
Fit fit(FitStart start, const FitRows& rows, const FitRequest& request, const Engine& engine,
        FitWatch& watch);

}  // namespace headlight
