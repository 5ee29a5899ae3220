// Labelled rows: what the encoder and the losses need of the rows of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "classifier/text_reader.h"
#include "metrics/gold.h"
#include "rows/row.h"
#include "text/encoding.h"

namespace headlight {

/// These rows do not allow a training that another one may not mind.
class TrainingError : public Error {
 public:
  explicit TrainingError(const std::string& what, const std::string& hint = "")
      : Error("", what, hint) {}
};

/// Why a row whose text has no words cannot be used.
inline constexpr const char* kNoText = "has no text to learn from";

/// A row to train on or to measure.
struct LabelledRow {
  std::size_t number = 0;  // in its file, from 0; rows that are not selected or used count too
  std::size_t order = 0;   // among the selected rows
  std::size_t file = 0;    // of several, in SpelledRows::files
  std::size_t line = 0;    // of its file, from 1
  RowId id;
  TextInput input;
  TokenIds tokens;             // at least one, within the model's limit and vocabulary
  std::vector<TokenIds> more;  // the windows of a long text after `tokens`, the first; usually none
  /// TextSize::key. Until a vocabulary is learned, FreshModel's.
  std::uint64_t key = 0;
  std::uint64_t group = 0;            // group_similar_texts(): rows that are held out together; 0:
                                      // those of the same key
  std::size_t own = 0;                // as in TextSize
  std::size_t unknown = 0;            // the same
  bool is_earlier = false;            // a development row of DataOptions::earlier
  Gold target;                        // of a development row also labels that no training row has
  std::vector<float> teacher_logits;  // [c] by label; empty: none
  std::vector<KeptField> kept;        // with DataOptions::keeps_fields

  std::size_t windows() const { return 1 + more.size(); }
  std::uint64_t held_with() const { return group == 0 ? key : group; }
  const TokenIds& window(std::size_t i) const { return i == 0 ? tokens : more[i - 1]; }
  void set_windows(std::vector<TokenIds> windows);
};

struct LabelledRows {
  LabelSet labels;  // of the model; one without a name that is read for a regression
  std::vector<LabelledRow> train;
  /// For choices and figures; nothing is trained on them. The last ones may have unknown labels,
  /// and choose nothing.
  std::vector<LabelledRow> dev;
  /// `dev` was held out of the rows to train on: in the end, a training may learn them, too.
  bool may_learn_dev = false;
};

/// The number of rows without an unknown label.
std::size_t count_known(const std::vector<LabelledRow>& rows);

/// Fewer different texts choose nothing: no setting, no training, no temperature.
inline constexpr std::size_t kFewestChoosing = 20;
/// Whether these development rows may choose; those with unknown labels do not count.
bool can_choose(const std::vector<LabelledRow>& dev, std::size_t fewest = kFewestChoosing);

/// The windows of a row, for an encoder.
ReadText read_text(const LabelledRow& row);
/// All rows to train on, and no development rows.
LabelledRows without_development(const LabelledRows& rows);

/// The rows of some sets, one set after another. The sets must outlive the result.
using RowPointers = std::vector<const LabelledRow*>;
RowPointers pointers_to(std::initializer_list<const std::vector<LabelledRow>*> sets);
std::vector<Gold> targets_of(const RowPointers& rows);
/// TextSize::own and TextSize::unknown of all rows.
TextSize sum_of(const RowPointers& rows);

/// The inputs of rows, which must outlive them.
std::vector<const TextInput*> inputs_of(const std::vector<LabelledRow>& rows);

/// [c] The numbers of rows with each of `labels` labels.
std::vector<std::size_t> label_counts(const std::vector<LabelledRow>& rows, std::size_t labels);

/// One hash of all that a training reads: the labels, and the rows in their order, bit by bit.
std::string hash_of_rows(const LabelledRows& rows);

}  // namespace headlight
