#include "report/attention/live_page.h"

#include <utility>

#include "base/base64.h"
#include "base/compression.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "report/formats/html.h"

namespace headlight {
namespace {

constexpr std::size_t kMegabyte = 1'000'000;
/// A string of Chromium has at most 2^29 characters, and this many bytes are 4 / 3 as many in
/// base64, whether or not they can be compressed.
constexpr std::size_t kLargestFile = 400 * kMegabyte;

/// The memory of a side in a browser besides the page itself: its files once as unpacked and once
/// as the module maps them, the weights of linear layers again as they are used, in float32, and
/// what the module needs for itself and for a text of some 100 tokens.
std::size_t memory_of(const LiveModel& model) {
  constexpr std::size_t kModule = 32 * kMegabyte;
  std::size_t bytes = kModule + model.linear_weights * sizeof(float);
  for (const auto& [name, content] : model.files) bytes += 2 * content.size();
  return bytes;
}

/// The text is written as it is, so that its tokens are those of the text; in ASCII, so that
/// nothing in it changes how the file reads.
std::string start_json(const std::string& model, const LiveStart& start) {
  std::string out;
  JsonWriter json(out, /*ascii=*/true);
  json.begin_object().field("model", printable(model)).key("texts").begin_array();
  json.string(start.text.text);
  if (start.text.pair) json.string(*start.text.pair);
  const bool explains = !start.explained_by.empty();
  json.end_array().field("opens", explains ? "explanation" : "attention");
  json.field("method", explains ? start.explained_by : "occlusion");
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
  data_ += data_element("live", models_.size(), start_json(model.name, start_));
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
  write_page(write, {models_, " 'wasm-unsafe-eval'", "; worker-src blob:",
                     "The model computes in this page: what is typed stays here. "}, data_);
}

}  // namespace headlight
