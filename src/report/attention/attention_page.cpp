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
#include "inside/attention_rollout.h"
#include "inside/attention_statistics.h"
#include "report/attention/page_template.h"
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

std::vector<std::size_t> up_to(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

/// The options, with empty lists replaced by all layers and all heads.
PageOptions completed(PageOptions options, const TracedText& traced) {
  const std::size_t size = traced.encoding.size() * traced.encoding.size();
  std::size_t most = 0;
  for (const auto& layer : traced.trace.attention) most = std::max(most, layer.size() / size);
  if (options.layers.empty()) options.layers = up_to(traced.trace.attention.size());
  if (options.heads.empty()) options.heads = up_to(most);
  return options;
}

/// The packed matrices of one layer.
struct LayerBlock {
  std::vector<std::string> heads;  // empty: the layer has no such head, or is not shown
  std::string mean;
};

std::vector<LayerBlock> packed_layers(const TracedText& traced, const PageOptions& options) {
  const std::size_t size = traced.encoding.size() * traced.encoding.size();
  std::vector<LayerBlock> blocks(options.layers.back() + 1);
  for (auto& block : blocks) block.heads.resize(options.heads.size());
  for (std::size_t layer = 0; layer < blocks.size(); ++layer) {
    const std::span<const float> weights = traced.trace.attention[layer];
    const bool shown = std::ranges::binary_search(options.layers, layer);
    share_work(options.heads.size() + 1, [&](std::size_t column) {
      if (column == options.heads.size()) {
        const std::vector<double> mean = mean_over_heads(weights, size);
        blocks[layer].mean = packed(std::vector<float>(mean.begin(), mean.end()));
        return;
      }
      const std::size_t head = options.heads[column];
      if (!shown || head * size >= weights.size()) return;
      blocks[layer].heads[column] = packed(weights.subspan(head * size, size));
    });
    if (options.progress) options.progress(layer + 1, blocks.size());
  }
  return blocks;
}

/// {"layers": [{"heads": [base64 or null], "entropies": [nats or null], "mean": base64}],
/// "labels": base64 of [head, label, token]}
std::string matrices_json(const TracedText& traced, const PageOptions& options) {
  AttentionSums sums;
  sums.add(traced.trace.attention, traced.encoding.sequences);
  const std::vector<HeadStatistics> statistics = sums.statistics();
  const std::vector<LayerBlock> blocks = packed_layers(traced, options);
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("layers").begin_array();
  for (std::size_t layer = 0; layer < blocks.size(); ++layer) {
    json.begin_object().key("heads").begin_array();
    for (const std::string& head : blocks[layer].heads)
      head.empty() ? json.null() : json.string(head);
    json.end_array().key("entropies").begin_array();
    for (const std::size_t head : options.heads) {
      const auto found = std::ranges::find_if(statistics, [&](const HeadStatistics& one) {
        return one.layer == layer && one.head == head;
      });
      found == statistics.end() ? json.null() : json.number(found->entropy);
    }
    json.end_array().field("mean", blocks[layer].mean).end_object();
  }
  json.end_array();
  if (!traced.trace.label_attention.empty()) {
    json.field("labels", packed(traced.trace.label_attention));
  }
  json.end_object();
  return out;
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

void write_worth(JsonWriter& json, const HeadWorth& worth) {
  json.key("worth").begin_object().field("measure", worth.measure).field("rows", worth.rows);
  json.key("mean").raw(worth.by_mean ? "true" : "false").key("heads").begin_array();
  for (const HeadWorth::Head& head : worth.heads) {
    json.begin_object().field("layer", head.layer).field("head", head.head);
    json.field("change", head.change);
    if (head.interval) json.field("low", head.interval->low).field("high", head.interval->high);
    json.end_object();
  }
  json.end_array().end_object();
}

/// Control characters in names, tokens and texts are escaped here; the page inserts them only as
/// text.
std::string data_json(const Description& model, const TracedText& traced,
                      const PageOptions& options) {
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
  json.key("merged").raw(options.words ? "true" : "false");
  json.field("truncated", traced.prediction.truncated).field("steps", kSteps);
  json.field("layerCount", model.layers.size());
  list("layers", options.layers, number);
  list("heads", options.heads, number);
  json.field("labelHeads", traced.trace.label_attention.empty() ? std::size_t{0}
                                                                : model.label_heads.sizes.size());
  if (options.worth != nullptr) write_worth(json, *options.worth);
  write_page_verdict(json, model, traced.prediction);
  json.end_object();
  return out;
}

/// Escapes "<", which occurs only in JSON strings, so that no markup can begin.
std::string in_html(std::string_view json) {
  std::string out;
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

/// A script element with data that a script reads; `number` is that of its side.
std::string data_element(const std::string& name, std::size_t number, const std::string& json) {
  const std::string id = number == 1 ? name : name + "-" + std::to_string(number);
  return R"(<script type="application/json" id=")" + id + "\">" + json + "</script>\n";
}

PageOptions page_options(const AttentionView& view, const AttentionLook& look) {
  const AttentionChoice& choice = view.choice();
  return {choice.layers, choice.heads, choice.words, look.worth, look.progress};
}

class PageSeries : public AttentionSeries {
 public:
  explicit PageSeries(Output& output) : output_(output) {}

  void add(const AttentionView& view, const AttentionLook& look) override {
    page_.add(view.model(), view.traced(), page_options(view, look));
  }
  void add_error(const TextInput& /*input*/, const std::string& error,
                 const AttentionLook& /*look*/) override {
    throw TextError(error);
  }
  void finish() override { output_.write(page_.html()); }

 private:
  Output& output_;
  AttentionPage page_;
};

}  // namespace

void AttentionPage::add(const Description& model, const TracedText& traced,
                        const PageOptions& options) {
  if (traced.trace.attention.empty()) {
    throw Error(traced.model_name, "has no layers, so there is no attention to show");
  }
  const PageOptions shown = completed(options, traced);
  models_.push_back(traced.model_name);
  const std::size_t number = models_.size();
  data_ += data_element("data", number, in_html(data_json(model, traced, shown)));
  data_ += data_element("matrices", number, matrices_json(traced, shown));
}

std::string AttentionPage::html() const {
  std::string title = "Attention of " + models_.front();
  if (models_.back() != models_.front()) title += " and " + models_.back();
  const std::array<std::pair<std::string_view, std::string>, 3> values = {{
      {"@TITLE@", html_text(title)},
      {"@STEPS@", std::to_string(kSteps)},
      {"@DATA@", data_},
  }};
  std::string page;
  std::string_view rest = kPageTemplate;
  for (const auto& [name, value] : values) {
    const std::size_t at = rest.find(name);
    page.append(rest.substr(0, at)).append(value);
    rest.remove_prefix(at + name.size());
  }
  return page.append(rest);
}

std::string attention_page(const Description& model, const TracedText& traced,
                           const PageOptions& options) {
  AttentionPage page;
  page.add(model, traced, options);
  return page.html();
}

void write_attention_page(const AttentionView& view, const AttentionLook& look, Output& output) {
  output.write(attention_page(view.model(), view.traced(), page_options(view, look)));
}

std::unique_ptr<AttentionSeries> attention_side_by_side(Output& output) {
  return std::make_unique<PageSeries>(output);
}

}  // namespace headlight
