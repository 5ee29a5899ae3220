#include "report/attention/attention_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "base/base64.h"
#include "base/compression.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "inside/attention_statistics.h"
#include "report/formats/html.h"
#include "text/token_words.h"

namespace headlight {
namespace {

constexpr std::size_t kSteps = 4000;  // between weight 0 and weight 1

/// Weights as 16-bit step numbers, compressed and in base64. All low bytes come before all high
/// bytes, which are mostly zero.
std::string packed(std::span<const float> weights) {
  std::string bytes(2 * weights.size(), '\0');
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float steps = std::round(std::clamp(weights[i], 0.0F, 1.0F) * static_cast<float>(kSteps));
    const auto number = static_cast<std::uint16_t>(steps);
    bytes[i] = static_cast<char>(number & 0xFFU);
    bytes[weights.size() + i] = static_cast<char>(number >> 8U);
  }
  return encode_base64(compressed_member(Compression::gzip, bytes));
}

/// The packed matrices of one layer.
struct LayerBlock {
  std::vector<std::string> heads;  // empty: the layer is not shown
  std::string mean;
};

LayerBlock packed_layer(const AttentionView& view, std::size_t layer) {
  const AttentionChoice& choice = view.choice();
  const std::span<const float> weights = view.traced().trace.attention[layer];
  const std::size_t size = view.traced().encoding.size() * view.traced().encoding.size();
  const bool shown = std::ranges::binary_search(choice.layers, layer);
  LayerBlock block;
  block.heads.resize(choice.heads.size());
  share_work(choice.heads.size() + 1, [&](std::size_t column) {
    if (column == choice.heads.size()) {
      const std::vector<double> mean = mean_over_heads(weights, size);
      block.mean = packed(std::vector<float>(mean.begin(), mean.end()));
    } else if (shown) {
      block.heads[column] = packed(weights.subspan(choice.heads[column] * size, size));
    }
  });
  return block;
}

/// {"layers": [{"heads": [base64 or null], "entropies": [nats], "mean": base64}],
/// "labels": base64 of [head, label, token]}
void write_matrices(JsonWriter& json, const AttentionView& view, const AttentionLook& look) {
  const TextTrace& trace = view.traced().trace;
  AttentionSums sums;
  sums.add(trace.attention, view.traced().encoding.sequences);
  const std::vector<HeadStatistics> statistics = sums.statistics();
  const std::size_t heads = statistics.size() / trace.attention.size();  // of each layer
  const std::size_t layers = view.choice().layers.back() + 1;
  json.begin_object().key("layers").begin_array();
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const LayerBlock block = packed_layer(view, layer);
    if (look.progress) look.progress(layer + 1, layers);
    json.begin_object().key("heads").begin_array();
    for (const std::string& head : block.heads) head.empty() ? json.null() : json.string(head);
    json.end_array().key("entropies").begin_array();
    for (const std::size_t head : view.choice().heads) {
      json.number(statistics[layer * heads + head].entropy);
    }
    json.end_array().field("mean", block.mean).end_object();
  }
  json.end_array();
  if (view.has_label_attention()) json.field("labels", packed(trace.label_attention));
  json.end_object();
}

void write_page_verdict(JsonWriter& json, const Description& model, const Prediction& prediction) {
  const char* score = model.problem_type == ProblemType::regression ? "value" : "probability";
  json.key("verdict").begin_object().field("best", prediction.best).key("labels").begin_array();
  for (std::size_t i = 0; i < prediction.logits.size(); ++i) {
    json.begin_object().field("name", printable(model.labels[i]));
    json.field("logit", prediction.logits[i]);
    if (!prediction.scores.empty()) json.field(score, prediction.scores[i]);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_words(JsonWriter& json, const TracedText& traced) {
  json.key("words").begin_array();
  for (const TokenWord& word : words_of(traced.encoding, traced.input.text, traced.input.pair)) {
    json.begin_array().number(word.begin).number(word.end).string(printable(word.text)).end_array();
  }
  json.end_array();
}

/// Control characters in names, tokens and texts are escaped here; the page inserts them only as
/// text.
std::string data_json(const AttentionView& view, const AttentionLook& look) {
  const TracedText& traced = view.traced();
  const Description& model = view.model();
  const Encoding& encoding = traced.encoding;
  std::string out;
  JsonWriter json(out);
  const auto list = [&](const char* name, const auto& items, const auto& write) {
    json.key(name).begin_array();
    for (const auto& item : items) write(item);
    json.end_array();
  };
  const auto number = [&](std::size_t value) { json.number(value); };
  const auto text = [&](const std::string& value) { json.string(printable(value)); };
  json.begin_object().field("model", printable(traced.model_name)).key("texts").begin_array();
  text(traced.input.text);
  if (traced.input.pair) text(*traced.input.pair);
  json.end_array();
  list("tokens", encoding.tokens, text);
  list("sequence", encoding.sequences, [&](Sequence sequence) {
    sequence == Sequence::none ? json.null()
                               : json.number(std::size_t{sequence == Sequence::second ? 1U : 0U});
  });
  write_words(json, traced);
  json.key("merged").raw(view.choice().words ? "true" : "false");
  json.field("truncated", traced.prediction.truncated).field("steps", kSteps);
  json.field("layerCount", model.layers.size());
  list("layers", view.choice().layers, number);
  list("heads", view.choice().heads, number);
  json.field("labelHeads",
             view.has_label_attention() ? model.label_heads.sizes.size() : std::size_t{0});
  write_residuals(json, model.layers);
  if (model.decoder) {
    std::vector<std::size_t> all(model.layers.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    list("kinds", all, [&](std::size_t layer) { json.string(kind_name(model, layer)); });
    json.field("firstTarget", printable(traced.first_target));
  }
  if (look.difference) json.key("difference").raw("true");
  write_page_verdict(json, model, traced.prediction);
  json.end_object();
  return out;
}

}  // namespace

std::string data_element(const std::string& name, std::size_t side, std::string_view json) {
  std::string element =
      R"(<script type="application/json" id=")" + name_on_side(name, side) + "\">";
  for (const char c : json) {
    if (c == '<') {
      element += "\\u003c";
    } else {
      element += c;
    }
  }
  return element + kElementEnd;
}

void write_residuals(JsonWriter& json, std::span<const LayerDescription> layers) {
  json.key("residuals").begin_array();
  for (const LayerDescription& layer : layers) json.raw(layer.residual ? "true" : "false");
  json.end_array();
}

std::string name_on_side(const std::string& name, std::size_t side) {
  return side == 1 ? name : name + "-" + std::to_string(side);
}

void write_page(const WritePiece& write, const PageFrame& frame, std::string_view data) {
  std::string title = "Attention of " + frame.models.front();
  if (frame.models.back() != frame.models.front()) title += " and " + frame.models.back();
  const std::string shown_title = html_text(title);
  const std::array<std::pair<std::string_view, std::string_view>, 5> values = {
      {{"@WASM@", frame.scripts},
       {"@WORKERS@", frame.policy},
       {"@TITLE@", shown_title},
       {"@NOTE@", frame.note},
       {"@DATA@", data}}};
  std::string_view rest = kPageTemplate;
  for (const auto& [name, value] : values) {
    const std::size_t at = rest.find(name);
    write(rest.substr(0, at));
    write(value);
    rest.remove_prefix(at + name.size());
  }
  write(rest);
}

void AttentionPage::add(const AttentionView& view, const AttentionLook& look) {
  const TracedText& traced = view.traced();
  if (traced.trace.attention.empty()) {
    throw Error(traced.model_name, "has no layers, so there is no attention to show");
  }
  models_.push_back(traced.model_name);
  const std::size_t side = models_.size();
  data_ += data_element("data", side, data_json(view, look));
  std::string matrices;
  JsonWriter json(matrices);
  write_matrices(json, view, look);
  data_ += data_element("matrices", side, matrices);
}

void AttentionPage::write(const WritePiece& write_piece) const {
  const std::string note = "Weights are stored in steps of 1/" + std::to_string(kSteps) +
                           " and shown with three decimals. ";
  write_page(write_piece, {models_, "", "", note}, data_);
}

}  // namespace headlight
