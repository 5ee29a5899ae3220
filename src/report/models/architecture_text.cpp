#include "report/models/architecture_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "base/utf8.h"

namespace headlight {
namespace {

constexpr int kBaseDigits = 4;  // the base follows from float32 frequencies

std::string heads_text(const Description& model) {
  const std::vector<std::size_t>& sizes = model.label_heads.sizes;
  std::string text = std::to_string(sizes.size()) + " of size ";
  const auto differs = [&](std::size_t size) { return size != sizes.front(); };
  if (std::none_of(sizes.begin(), sizes.end(), differs)) {
    text += std::to_string(sizes.front());
  } else {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
    }
  }
  if (model.layers.empty() || model.layers.front().heads.group == 1) return text;
  const std::size_t key_heads = model.layers.front().heads.key_heads();
  return text + "; " + std::to_string(key_heads) + (key_heads == 1 ? " head" : " heads") +
         " of keys and values";
}

std::string feed_forward_text(const Description& model) {
  if (model.layers.empty()) return "0";
  const LayerDescription& layer = model.layers.front();
  return std::to_string(layer.intermediate_size) + (layer.gated ? ", gated" : "");
}

std::string norms_text(const Description& model) {
  if (model.layers.empty()) return "";
  std::vector<std::string> parts;
  const LayerDescription& layer = model.layers.back();
  if (model.layer_norm_form == LayerNormForm::rms) parts.emplace_back("root mean square");
  if (layer.norm_order == NormOrder::pre) parts.emplace_back("before each sublayer");
  if (layer.norm_order == NormOrder::sandwich) {
    parts.emplace_back("before and after each sublayer");
  }
  if (layer.norm_order == NormOrder::none) parts.emplace_back("none in the layers");
  if (layer.heads.query_key_norm) parts.emplace_back("of queries and keys");
  return joined(parts);
}

/// The base of the frequencies, base^(-k/p) for k from 0 to p - 1, with its first digits.
std::string base_of(const Rotary& rotary) {
  const auto& frequencies = rotary.frequencies;
  const double ratio = static_cast<double>(frequencies[0]) / frequencies[1];
  const double base = std::pow(ratio, static_cast<double>(frequencies.size()));
  const double unit = std::pow(10.0, std::floor(std::log10(base)) + 1 - kBaseDigits);
  return grouped(static_cast<std::size_t>(std::llround(std::round(base / unit) * unit)));
}

std::string rotary_text(const Description& model) {
  std::vector<std::string> bases;
  bool scaled = false;
  for (const Rotary& rotary : model.rotary) {
    if (rotary.frequencies.size() > 1) bases.push_back(base_of(rotary));
    scaled = scaled || rotary.frequencies.front() != 1.0F;
  }
  std::string text = "rotary";
  if (!bases.empty()) text += bases.size() == 1 ? ", base " : ", bases ";
  return text + joined(bases, " and ") + (scaled ? ", scaled" : "");
}

std::string positions_text(const Description& model) {
  const bool biased = !model.relative_biases.empty();
  switch (model.embedding.positions) {
    case PositionKind::sinusoidal:
      return "sinusoidal";
    case PositionKind::absolute:
      return biased ? "learned, and a learned bias by distance" : "learned";
    case PositionKind::rotary:
      return rotary_text(model);
    case PositionKind::none:
      break;
  }
  return biased ? "a learned bias by distance" : "none";
}

std::string windows_text(const Description& model) {
  std::map<std::size_t, std::size_t> layers;  // how many have this window
  for (const LayerDescription& layer : model.layers) {
    if (layer.heads.window) ++layers[*layer.heads.window];
  }
  std::vector<std::string> parts;
  for (const auto& [window, count] : layers) {
    const bool causal = model.layers.front().heads.mask == AttentionMask::causal;
    parts.push_back(std::to_string(window) + (causal ? " tokens back" : " tokens to each side") +
                    " in " + std::to_string(count) + " of " + std::to_string(model.layers.size()) +
                    " layers");
  }
  return joined(parts);
}

/// "distances up to 256 in 512 embeddings, content to position and position to content, …"
std::string relative_text(const Description& model) {
  if (!model.relative_attention) return "";
  const RelativeAttention& relative = *model.relative_attention;
  std::vector<std::string> parts;
  if (relative.content_to_position) parts.emplace_back("content to position");
  if (relative.position_to_content) parts.emplace_back("position to content");
  std::string span = "span " + std::to_string(relative.span);
  if (relative.farthest) {
    span += ", logarithmic from " + std::to_string(relative.span / 2) + " to " +
            std::to_string(*relative.farthest);
  }
  parts.push_back(span);
  if (relative.shared) parts.emplace_back("shared projections");
  if (relative.norm) parts.emplace_back("normed embeddings");
  return joined(parts);
}

std::string convolution_text(const Description& model) {
  if (!model.convolution) return "";
  const ConvolutionDescription& convolution = *model.convolution;
  std::string text = std::to_string(convolution.kernel) + " tokens beside the first layer";
  if (convolution.groups > 1) text += ", " + std::to_string(convolution.groups) + " groups";
  return text;
}

/// "2 and 3 tokens, 65,536 vectors"
std::string ngrams_text(const NgramDescription& ngrams) {
  std::vector<std::string> sizes;
  for (const std::size_t size : ngrams.sizes) sizes.push_back(std::to_string(size));
  return joined(sizes, " and ") + " tokens, " + grouped(ngrams.buckets) + " vectors";
}

}  // namespace

Facts architecture_facts(const Description& model) {
  Facts lines = {{"heads", heads_text(model)}, {"feed-forward", feed_forward_text(model)}};
  const std::string norms = norms_text(model);
  if (!norms.empty()) lines.emplace_back("norms", norms);
  lines.emplace_back("positions", positions_text(model));
  const std::string windows = windows_text(model);
  if (!windows.empty()) lines.emplace_back("windows", windows);
  const std::string relative = relative_text(model);
  if (!relative.empty()) lines.emplace_back("relative", relative);
  const std::string convolution = convolution_text(model);
  if (!convolution.empty()) lines.emplace_back("convolution", convolution);
  if (model.ngrams) lines.emplace_back("n-grams", ngrams_text(*model.ngrams));
  if (model.label_ngrams) lines.emplace_back("label n-grams", ngrams_text(*model.label_ngrams));
  return lines;
}

}  // namespace headlight
