// What is asked of headlight attention, and what its modes share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/attention_modes.h"
#include "commands/live_page.h"
#include "options/attention_options.h"
#include "options/row_options.h"
#include "options/run_options.h"

namespace headlight {

struct StartedModel {
  Engine engine;
  Model model;
};

struct AttentionCommand : LiveCommand {
  AttentionOptions options;
  RowOptions rows;  // of --input
  RunOptions row_run;
  const CLI::App* command = nullptr;

  const AttentionMode& mode() const { return attention_mode(*command); }
  StartedModel start(Workload workload) const;
  /// Throws Error if the model has no attention.
  StartedModel start_with_attention(Workload workload) const;
  /// The only text. Throws UsageError if there are more, and TextError if it cannot be read.
  TextInput single_text() const;
  /// Writes the whole result.
  void write(const std::string& document) const;
};

/// What reads the texts: the model, and beside it that of --compare, or the model without the heads
/// of --ablate.
class AttentionReaders {
 public:
  /// Both must outlive this. Throws UsageError if there is no such head.
  AttentionReaders(const AttentionCommand& command, const StartedModel& first);
  AttentionReaders(const AttentionReaders&) = delete;
  AttentionReaders& operator=(const AttentionReaders&) = delete;

  /// One or two.
  const std::vector<const Classifier*>& all() const { return all_; }
  /// Throws UsageError for several texts beside two readers.
  void check(const std::vector<Row>& texts) const;

 private:
  std::string option_;  // that asks for the second; empty: none
  std::optional<Model> other_;
  Classifier first_;
  std::optional<Classifier> second_;
  std::vector<const Classifier*> all_;
};

/// The attention of a text, traced and formatted as the command asks.
struct ViewedText {
  /// Throws UsageError if a layer, head or token does not exist, and TextError if the text cannot
  /// be scored.
  ViewedText(const AttentionCommand& command, const Classifier& classifier, const TextInput& input,
             const ValueNorms* norms = nullptr);

  TracedText text;
  AttentionView view;
  AttentionLook look;
};

/// attention_rows.cpp: the options of --input.
void add_rows_to(CLI::App& command, AttentionCommand& attention);

// The modes.

/// attention_views.cpp: the attention of texts, in any format. Throws UsageError if the format has
/// no room for all texts.
int show_attention(const AttentionCommand& command);
/// attention_rows.cpp: the statistics or the arrays of the rows of a file.
int show_rows(const AttentionCommand& command);
/// attention_difference.cpp: the last text as the last model reads it, less the first. Throws
/// UsageError if they have other tokens or heads.
int show_difference(const AttentionCommand& command);
/// activations.cpp: what each layer does to the token vectors, for one model or two side by side.
int show_activations(const AttentionCommand& command);
/// patching.cpp: where in the model a verdict is decided. Both throw Error if the model labels no
/// texts.
int show_verdicts(const AttentionCommand& command);
int show_patching(const AttentionCommand& command);
/// attention_steps.cpp: how one head computes what one token attends to.
int show_steps(const AttentionCommand& command);
/// attention.cpp: a page with the model in it.
int show_live(const AttentionCommand& command);

}  // namespace headlight
