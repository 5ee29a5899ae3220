#include "report/attention/live_page.h"

#include <utility>

#include "base/base64.h"
#include "base/compression.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "inside/explanation.h"
#include "report/formats/html.h"

namespace headlight {
namespace {

constexpr std::size_t kMegabyte = 1'000'000;
/// A string of Chromium has at most 2^29 characters, and this many bytes are 4 / 3 as many in
/// base64, whether or not they can be compressed.
constexpr std::size_t kLargestFile = 400 * kMegabyte;

/// The memory of a side in a browser besides the page itself: its files, and two modules, for
/// attention and for explanations. Each has the files once as given and once as it maps them, the
/// weights of linear layers as they are used, in float32, and what it needs for itself and a text
/// of some 200 tokens. Gradients take a copy of the weights and as much again.
std::size_t memory_of(const LiveModel& model) {
  constexpr std::size_t kModule = 64 * kMegabyte;
  std::size_t files = 0;
  for (const auto& [name, content] : model.files) files += content.size();
  const std::size_t module = 2 * files + model.linear_weights * sizeof(float) + kModule;
  return files + 2 * module + 2 * model.weights * sizeof(float);
}

/// The text is written as it is, so that its tokens are those of the text; in ASCII, so that
/// nothing in it changes how the file reads.
std::string start_json(const LiveModel& model, const LiveStart& start) {
  std::string out;
  JsonWriter json(out, /*ascii=*/true);
  json.begin_object().field("model", printable(model.name)).key("texts").begin_array();
  json.string(start.text.text);
  if (start.text.pair) json.string(*start.text.pair);
  const bool explains = !start.explained_by.empty();
  json.end_array().field("opens", explains ? "explanation" : "attention");
  json.field("method", explains ? start.explained_by : "occlusion");
  write_residuals(json, model.layers);
  json.key("methods").begin_array();
  for (const auto& method : kExplanationMethods) {
    // A page has models with layers.
    if (method.value != ExplanationMethod::exact) json.string(method.name);
  }
  json.end_array();
  json.key("merged").raw(start.merged ? "true" : "false").end_object();
  return out;
}

}  // namespace

LivePage::LivePage(LiveStart start, std::string_view script, std::string_view wasm)
    : start_(std::move(start)) {
  embed(R"(id="module-js")", script);
  embed(R"(id="module-wasm")", wasm);
}

void LivePage::embed(const std::string& attributes, std::string_view gzip) {
  data_ += R"(<script type="application/gzip" )" + attributes + '>';
  data_ += encode_base64(gzip);
  data_ += kElementEnd;
}

void LivePage::add(const LiveModel& model) {
  models_.push_back(model.name);
  data_ += data_element("live", models_.size(), start_json(model, start_));
  const std::string side = "data-side=\"" + name_on_side("", models_.size()) + "\" data-file=\"";
  for (const auto& [name, content] : model.files) {
    if (content.size() > kLargestFile) {
      throw Error(model.name,
                  "has " + std::to_string(content.size() / kMegabyte) + " MB in " + name +
                      ", and browsers take at most " + std::to_string(kLargestFile / kMegabyte),
                  "use a smaller model, or --store f16");
    }
    embed(side + html_text(name) + '"', compressed_member(Compression::gzip, content));
  }
  memory_ += memory_of(model);
}

std::size_t LivePage::bytes() const {
  std::size_t bytes = 0;
  write([&](std::string_view piece) { bytes += piece.size(); });
  return bytes;
}

void LivePage::write(const WritePiece& write) const {
  write_page(write,
             {models_, " 'wasm-unsafe-eval'",
              "; worker-src blob:", "The model computes in this page: what is typed stays here. "},
             data_);
}

}  // namespace headlight
