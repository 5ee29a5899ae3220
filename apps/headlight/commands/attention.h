// What is asked of headlight attention. Each view of the inside of a model is a file.
#pragma once

#include <string>

#include "options/attention_options.h"
#include "options/engine_options.h"
#include "options/options.h"
#include "options/text_options.h"
#include "terminal/progress.h"

namespace headlight {

struct AttentionCommand {
  Console console;
  ModelOptions model;
  TextOptions text;
  OutputOptions output;
  EngineOptions engine;
  AttentionOptions options;
  ProgressOptions progress;

  /// The only text. Throws UsageError if there are more, and TextError if it cannot be read.
  TextInput single_text() const;
  /// Writes the whole result.
  void write(const std::string& document) const;
};

/// The attention of a text, traced and formatted as the command asks.
struct ViewedText {
  /// Throws UsageError if a layer, head or token does not exist, and TextError if the text cannot
  /// be scored.
  ViewedText(const AttentionCommand& command, const Classifier& classifier, const TextInput& input);

  TracedText text;
  AttentionView view;
  AttentionLook look;
};

}  // namespace headlight
