// The page of attention as a file; tests/browser looks at it as people do.
#include "report/attention/attention_page.h"

#include <cmath>
#include <cstddef>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/compression.h"
#include "base/error.h"
#include "base/utf8.h"

namespace headlight::attention_page_test {
namespace {

using Json = nlohmann::json;

using Strings = std::vector<std::string>;

const std::string kReversed = to_utf8(std::u32string{0x202EU});   // right-to-left override
const std::string kSeparated = to_utf8(std::u32string{0x2028U});  // line separator

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

Description model_of(std::size_t layers, std::size_t heads) {
  Description model;
  model.labels = {"no", "yes"};
  LayerDescription layer;
  layer.heads.sizes.assign(heads, 1);
  model.label_heads = layer.heads;
  model.layers.assign(layers, layer);
  return model;
}

/// Softmax of normal scores with the standard deviation 2: heads that neither look at one token
/// alone nor at all alike.
TracedText random_text(std::size_t layers, std::size_t heads, std::size_t n) {
  std::mt19937 random(7);
  std::normal_distribution<double> scores(0.0, 2.0);
  TracedText traced;
  traced.model_name = "random";
  for (std::size_t i = 0; i < n; ++i) {
    traced.encoding.ids.push_back(1);
    traced.encoding.type_ids.push_back(0);
    traced.encoding.tokens.push_back("t" + std::to_string(i));
    traced.encoding.offsets.push_back({2 * i, 2 * i + 1});
    traced.encoding.sequences.push_back(Sequence::first);
    traced.input.text += "t ";
  }
  traced.prediction.logits = {1.0F, -1.0F};
  traced.prediction.scores = {0.875F, 0.125F};
  for (std::size_t layer = 0; layer < layers; ++layer) {
    std::vector<float>& weights = traced.trace.attention.emplace_back();
    for (std::size_t row = 0; row < heads * n; ++row) {
      std::vector<double> exponentials;
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i)
        sum += exponentials.emplace_back(std::exp(scores(random)));
      for (const double value : exponentials) weights.push_back(static_cast<float>(value / sum));
    }
  }
  return traced;
}

std::string page_of(const AttentionView& view) {
  AttentionPage page;
  page.add(view, {});
  std::string html;
  page.write([&](std::string_view piece) { html += piece; });
  return html;
}

/// The page of all layers and heads.
std::string page_of(const Description& model, const TracedText& traced) {
  return page_of(AttentionView(model, traced, whole_attention(model, traced.encoding)));
}

Json block_of(const std::string& page, const std::string& id) {
  const std::string opening = R"(<script type="application/json" id=")" + id + "\">";
  const std::size_t begin = page.find(opening) + opening.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

/// Numbers of 16 bits, all low bytes first, as the page's contract says.
std::vector<double> weights_of(const std::string& packed, double steps) {
  const std::string member = decode_base64(packed).value();
  std::string_view in = member;
  std::string bytes;
  std::string piece(1 << 16, '\0');
  Decompressor decompressor(Compression::gzip, "page");
  while (!in.empty()) bytes.append(piece, 0, decompressor.read(in, piece));
  while (const std::size_t more = decompressor.read(in, piece)) bytes.append(piece, 0, more);
  std::vector<double> weights;
  for (std::size_t i = 0; i < bytes.size() / 2; ++i) {
    const auto low = static_cast<unsigned char>(bytes[i]);
    const auto high = static_cast<unsigned char>(bytes[bytes.size() / 2 + i]);
    weights.push_back((low + 256 * high) / steps);
  }
  return weights;
}

TEST_CASE("a page of 12 layers with 12 heads and 64 tokens is under 1 MB") {
  const std::string page = page_of(model_of(12, 12), random_text(12, 12, 64));
  CHECK(page.size() < 1'000'000);
  CHECK(page.size() > 144 * 64 * 64 / 2);  // all heads are there
}

TEST_CASE("the weights, the means and the entropies of a page are those of the trace") {
  const TracedText traced = random_text(2, 3, 9);
  const std::string page = page_of(model_of(2, 3), traced);
  const double steps = block_of(page, "data")["steps"];
  const Json layers = block_of(page, "matrices")["layers"];
  REQUIRE(layers.size() == 2);
  for (std::size_t layer = 0; layer < 2; ++layer) {
    std::vector<double> mean(81, 0.0);
    for (std::size_t head = 0; head < 3; ++head) {
      const std::vector<double> kept = weights_of(layers[layer]["heads"][head], steps);
      REQUIRE(kept.size() == 81);
      double entropy = 0.0;
      for (std::size_t i = 0; i < 81; ++i) {
        const double exact = traced.trace.attention[layer][head * 81 + i];
        CHECK(std::abs(kept[i] - exact) <= 0.5 / steps + 1e-9);
        mean[i] += exact / 3.0;
        entropy -= exact * std::log(exact) / 9.0;
      }
      CHECK(layers[layer]["entropies"][head].get<double>() == doctest::Approx(entropy));
    }
    const std::vector<double> kept = weights_of(layers[layer]["mean"], steps);
    for (std::size_t i = 0; i < 81; ++i) CHECK(std::abs(kept[i] - mean[i]) <= 0.5 / steps + 1e-6);
  }
}

TEST_CASE("a page of some layers and heads has these alone, and all means up to the last") {
  Description model = model_of(4, 3);
  model.layers[1].residual = false;
  const TracedText traced = random_text(4, 3, 5);
  AttentionChoice choice = whole_attention(model, traced.encoding);
  choice.layers = {1, 2};
  choice.heads = {0, 2};
  choice.words = true;
  const std::string page = page_of(AttentionView(model, traced, choice));
  const Json data = block_of(page, "data");
  CHECK(data["layers"] == Json({1, 2}));
  CHECK(data["heads"] == Json({0, 2}));
  CHECK(data["layerCount"] == 4);
  CHECK(data["residuals"] == Json({true, false, true, true}));
  CHECK(data["merged"] == true);
  const Json layers = block_of(page, "matrices")["layers"];
  REQUIRE(layers.size() == 3);
  const std::vector<bool> has_heads = {false, true, true};
  for (std::size_t layer = 0; layer < 3; ++layer) {
    CHECK(layers[layer]["mean"].is_string());
    REQUIRE(layers[layer]["heads"].size() == 2);
    for (const Json& head : layers[layer]["heads"]) CHECK(head.is_string() == has_heads[layer]);
  }
}

TEST_CASE("a model without layers has no page") {
  TracedText traced = random_text(1, 1, 2);
  traced.trace.attention.clear();
  CHECK_THROWS_AS(page_of(model_of(0, 0), traced), Error);
}

TEST_CASE("names, labels, texts and tokens cannot end the data or become markup") {
  for (const std::string& evil :
       Strings{"</script><script>alert(1)</script>", "<!--", "<!--<script>", "\"'&><img src=x>",
               "]]>", "@DATA@ @MATRICES@ @SCRIPT@", kReversed + "evil" + kSeparated}) {
    INFO(evil);
    TracedText traced = random_text(1, 1, 2);
    traced.model_name = evil;
    traced.input.text = evil;
    traced.input.pair = evil;
    traced.encoding.tokens = {evil, "b"};
    Description model = model_of(1, 1);
    model.labels = {evil, "yes"};
    const std::string page = page_of(model, traced);
    CHECK(count_of(page, "<script") == 4);
    CHECK(count_of(page, "</script") == 4);
    CHECK(count_of(page, "<!--") == 0);
    CHECK(count_of(page, "<img") == 0);
    CHECK(count_of(page, kReversed) + count_of(page, kSeparated) == 0);
    const Json data = block_of(page, "data");
    const std::string seen =
        evil.starts_with(kReversed) ? std::string(R"(\u202eevil\u2028)") : evil;
    CHECK(data["tokens"][0] == seen);
    CHECK(data["texts"] == Json({seen, seen}));
    CHECK(data["model"] == seen);
    CHECK(data["verdict"]["labels"][0]["name"] == seen);
  }
}

TEST_CASE("a page asks for nothing: no address, no file, no style or script but its own") {
  const std::string page = page_of(model_of(1, 2), random_text(1, 2, 3));
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.ends_with("</html>\n"));
  CHECK(count_of(page, "default-src 'none'") == 1);
  CHECK(count_of(page, "<style>") == 1);
  CHECK(count_of(page, "<script>") == 1);
  for (const char* part : {" src=", " href=", "url(", "@import", "fetch(", "import("}) {
    CHECK_MESSAGE(count_of(page, part) == 0, part);
  }
  CHECK_FALSE(std::regex_search(page, std::regex("@[A-Z_]+@")));
}

}  // namespace
}  // namespace headlight::attention_page_test
