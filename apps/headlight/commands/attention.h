// What is asked of headlight attention, and its views. Each view is a file.
#pragma once

#include <string>
#include <vector>

#include "commands/live_page.h"
#include "options/attention_options.h"
#include "options/row_options.h"
#include "options/run_options.h"

namespace headlight {

struct AttentionCommand : LiveCommand {
  AttentionOptions options;
  RowOptions rows;  // of --input
  RunOptions row_run;

  /// The only text. Throws UsageError if there are more, and TextError if it cannot be read.
  TextInput single_text() const;
  /// Writes the whole result.
  void write(const std::string& document) const;
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

// The views of the inside of a model. All return the exit status, and throw TextError if a text
// cannot be scored.

/// attention_views.cpp: the attention of texts, in any format. Throws UsageError if the format has
/// no room for all texts.
int show_attention(const AttentionCommand& command, const Engine& engine, const Model& model);
/// attention_rows.cpp: the rows of --input FILE, and its options.
int show_rows(const AttentionCommand& command, const Engine& engine, const Model& model);
void add_rows_to(CLI::App& command, AttentionCommand& attention);
/// attention_difference.cpp: the last text as the last classifier reads it, less the first. Throws
/// UsageError if they have other tokens or heads.
int show_difference(const AttentionCommand& command,
                    const std::vector<const Classifier*>& classifiers,
                    const std::vector<Row>& texts);
/// activations.cpp: what each layer does to the token vectors, for one model or two side by side.
int show_activations(const AttentionCommand& command, const Engine& engine, const Model& model);
/// patching.cpp: where in the model a verdict is decided. Both throw Error if the model labels no
/// texts.
int show_verdicts(const AttentionCommand& command, const Model& model);
int show_patching(const AttentionCommand& command, const Model& model);
/// attention_steps.cpp: how one head computes what one token attends to.
int show_steps(const AttentionCommand& command, const Model& model);

}  // namespace headlight
