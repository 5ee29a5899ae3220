#include "library/options.h"

#include <string>
#include <vector>

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
  *options = {sizeof(hl_run_options), 0, nullptr, 0, nullptr, 0, nullptr, 0};
}
