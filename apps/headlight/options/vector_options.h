// How vectors of texts are made and written: options of embed, and of rank.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "model/sentence_modules.h"
#include "options/options.h"

namespace headlight {

/// Makes `model` read texts as the modules do; their files are some of its own.
void use_modules(const SentenceModules& modules, Model& model, const Console& console);

/// --pooling
void add_pooling(CLI::App& command, std::optional<TokenPooling>& pooling);

/// --pooling, --prompt, --half
struct VectorOptions {
  std::optional<TokenPooling> pooling;
  std::optional<std::string> prompt;
  bool is_half = false;

  void add_to(CLI::App& command);
  /// Throws Error if npy would go to a device.
  static void check(const OutputOptions& output);
};

}  // namespace headlight
