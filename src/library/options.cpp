#include "library/options.h"

#include <algorithm>
#include <string>
#include <vector>

#include "classifier/among_labels.h"

namespace headlight {
namespace {

std::vector<Part> heads_in(const hl_run_options& options, const Model& model) {
  std::vector<Part> heads;
  if (options.heads_off_count > 0) required(options.heads_off, "heads_off");
  for (std::size_t i = 0; i < options.heads_off_count; ++i) {
    const std::size_t layer = options.heads_off[i] >> 16U;
    const std::size_t head = options.heads_off[i] & 0xFFFFU;
    const auto& layers = model.description.layers;
    if (layer >= layers.size() || head >= layers[layer].heads.sizes.size()) {
      throw ArgumentError("heads_off: layer " + std::to_string(layer) + " has no head " +
                          std::to_string(head));
    }
    heads.push_back({PartKind::head, layer, head});
  }
  return heads;
}

std::vector<std::string> labels_among(const hl_run_options& options, const Model& model) {
  if (options.among_count == 0) return {};
  if (options.among_count == 1) throw ArgumentError("among takes two or more labels, found 1");
  ClassifierOptions reading;
  reading.among = different_labels("among", options.among, options.among_count);
  try {
    numbers_among(model, reading);
  } catch (const Error& error) {
    throw ArgumentError("among: " + error.line());
  }
  return reading.among;
}

std::string characters(const char* text, std::size_t size) {
  if (size == HL_C_STRING) return text;
  return {text, size};
}

}  // namespace

CallOptions::CallOptions(const hl_run_options* given, const Model& model) {
  hl_run_options options{};
  hl_run_options_defaults(&options);
  take_options(given, options);
  if (options.max_tokens > 0) reading.max_length = options.max_tokens;
  if (options.long_texts != nullptr) {
    reading.long_texts = word_of("long_texts", options.long_texts, kLongTextsWords);
  }
  reading.plain_text = options.plain_text != 0;
  reading.heads_off = heads_in(options, model);
  if (options.method != nullptr) method = word_of("method", options.method, kExplanationMethods);
  seed = options.seed;
  among = labels_among(options, model);
  unknown = options.unknown;
  best = options.best;
}

ClassifierOptions CallOptions::reading_among() const {
  ClassifierOptions own = reading;
  own.among = among;
  return own;
}

std::vector<std::string> different_labels(const char* argument, const char* const* labels,
                                          std::size_t count) {
  required(labels, argument);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string label = &required(labels[i], "a label");
    if (std::ranges::find(all, label) != all.end()) {
      throw ArgumentError(std::string(argument) + " has \"" + shortened(label) + "\" twice");
    }
    if (find_bad_utf8(label)) throw ArgumentError("a label is not valid UTF-8");
    all.push_back(label);
  }
  return all;
}

TextInput input_of(const hl_text& text) {
  TextInput input;
  input.text = characters(&required(text.text, "a text"), text.size);
  if (text.pair != nullptr) input.pair = characters(text.pair, text.pair_size);
  return input;
}

}  // namespace headlight

void hl_run_options_defaults(hl_run_options* options) {
  if (options == nullptr) return;
  *options = {};
  options->struct_size = sizeof(hl_run_options);
}
