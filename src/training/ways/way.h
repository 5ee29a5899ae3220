// A way to train: what `headlight fit --train` names. Each is a file of this folder, and a row of
// ways.cpp; fit.h and choosing/ ask it, and know none by name.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "model/model.h"
#include "rows/origin.h"
#include "training/directory/model_directory.h"
#include "training/learned.h"
#include "training/rows/labelled_rows.h"
#include "training/rows/training_data.h"
#include "training/settings.h"
#include "training/training_run.h"
#include "training/ways/cost.h"

namespace headlight {

/// What a training begins with.
struct FitStart {
  std::optional<Model> model = {};
  /// Without a model: the config of a native one, which gets random weights. A way may do without.
  ModelPlace bare = {};
  bool is_default = false;  // nobody asked for it, so a model of the rows alone will do
  std::optional<bool> reads_windows = {};  // long texts; empty: as the start does

  void set_reading(Description& read) const {
    read.reads_windows = reads_windows.value_or(read.reads_windows);
  }
};

/// A way at work on a start: it reads the rows, then learns them, and then has the model.
class Training : public std::enable_shared_from_this<Training> {
 public:
  Training() = default;
  virtual ~Training() = default;
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// Of the files of the start.
  virtual Origin::Facts marks() const = 0;
  /// How texts become tokens.
  virtual TextReading reading() = 0;
  /// Reads rows as reading() does that were read for another start.
  virtual void read_again(LabelledRows& /*rows*/) {}
  /// A signal stops it, which is said. Throws Error; TrainingError for what another way may not
  /// mind.
  virtual Learned learn(const TrainingRun& run, LabelledRows rows) = 0;

  // Of what was learned.
  virtual const Model& model() const = 0;
  /// The config, the weights and the tokenizer.
  virtual void write(ModelDirectory& directory) const = 0;
  /// Divides the last layer, in a layout whose other readers know no temperature. Returns false in
  /// the others, and changes nothing.
  virtual bool divide_logits(float /*temperature*/) { return false; }
};

/// What options say to a way, beside those of rows and output.
struct WayTakes {
  bool penalty = false;  // HeadSettings, if the start has weights
  bool course = false;   // CourseSettings: the encoder is trained
  bool teacher = false;  // TeacherSettings::logits, and a format to store
  bool all = false;      // the rest of AllSettings
  bool minutes = false;  // it tries several ways
};

/// What a way would do with rows.
struct Offer {
  TrainingCost cost;
  std::optional<std::size_t> epochs = {};  // fewer than it takes alone
  std::optional<std::size_t> rows = {};    // so many of them, drawn at random
  double whole_seconds = 0.0;              // with all rows, if there are fewer
  bool is_repeated = false;                // in the end, with the rows that were held out
};

struct TrainingWay {
  const char* word = "";  // of --train, and in the names of files beside the output
  const char* help = "";  // what it trains, for the help of --train
  WayTakes takes = {};
  TeacherSettings teacher = {};  // what it needs of the rows
  /// Of run, only place and watch are read. Throws Error for a start that it cannot train.
  std::function<std::shared_ptr<Training>(FitStart start, const TrainingRun& run)> begin;

  // Where ways are tried on the same rows:
  /// Within `seconds` if that can be; empty if it is not for such rows.
  std::function<std::optional<Offer>(const Model& start, const TrainingSize& size, double seconds)>
      offer = {};
  const char* instead_of = "";  // the word of a way that is not tried beside it
  /// Where no rows can choose one: from how many rows of a label it is gone. Empty: never.
  std::optional<double> blind_from = {};
  /// Whether the model will have the published layout of such a start. Empty: never.
  std::function<bool(const Model& start)> keeps_layout = {};
  bool learns_words = false;      // of the rows, where the start knows too few of them
  bool starts_from_rows = false;  // it is not gone from a start that was asked for
  /// The word of the way whose folds choose the penalty of its last layer, where folds score the
  /// rows: what is best beside n-grams is far too weak without them. Empty: none is chosen.
  const char* penalty_of = "";

  // Of a way that chooses others; else empty:
  /// The way that is gone from such a start with such rows.
  std::function<const TrainingWay&(bool has_weights, bool has_labels)> for_rows = {};
  /// The folds in which all rows are scored; 0: some are held out.
  std::function<std::size_t(const LabelledRows& rows, const DataOptions& data)> folds = {};
};
using Way = std::shared_ptr<const TrainingWay>;

/// The one that is gone if this one is asked for.
inline const TrainingWay& way_for(const TrainingWay& way, bool has_weights, bool has_labels) {
  return way.for_rows ? way.for_rows(has_weights, has_labels) : way;
}

}  // namespace headlight
