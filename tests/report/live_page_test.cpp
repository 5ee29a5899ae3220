// The page with a model in it as a file; tests/browser looks at it as people do.
#include "report/attention/live_page.h"

#include <regex>
#include <string>

#include <doctest/doctest.h>

#include "base/compression.h"
#include "base/error_of.h"
#include "base/utf8.h"
#include "model/model_files.h"
#include "report/attention/attention_page.h"
#include "report/embedded_files.h"

namespace headlight::live_page_test {
namespace {

const std::string kReversed = to_utf8(std::u32string{0x202EU});  // right-to-left override

std::string gzip(const std::string& bytes) { return compressed_member(Compression::gzip, bytes); }

const LiveModel kToy = {"toy", toy_folder(), 100};

LivePage page_with(LiveStart start, const std::vector<LiveModel>& models) {
  LivePage page(std::move(start), gzip("script </script>"), gzip("wasm"));
  for (const LiveModel& model : models) page.add(model);
  return page;
}

std::string html_of(const LivePage& page) {
  std::string html;
  page.write([&](std::string_view piece) { html += piece; });
  return html;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// The Content-Security-Policy without its hashes.
std::string policy_of(const std::string& page) {
  std::smatch found;
  REQUIRE(std::regex_search(page, found, std::regex("Security-Policy\" content=\"([^\"]*)\"")));
  return std::regex_replace(found[1].str(), std::regex("sha256-[^']*"), "HASH");
}

TEST_CASE("a live page has the module and the files of its model, and says its size before") {
  LiveStart start;
  start.text.text = "good bad";
  LiveModel toy = kToy;
  toy.layers.resize(2);
  toy.layers[0].residual = false;
  const LivePage page = page_with(start, {toy});
  const std::string html = html_of(page);
  CHECK(html.starts_with("<!DOCTYPE html>"));
  CHECK(html.ends_with("</html>\n"));
  CHECK(html.size() == page.bytes());
  CHECK(page.browser_bytes() > page.bytes());
  CHECK_FALSE(std::regex_search(html, std::regex("@[A-Z_]+@")));
  const auto files = embedded_files(html);
  CHECK(files.size() == 4);
  CHECK(files.at("module-js") == "script </script>");
  CHECK(files.at("module-wasm") == "wasm");
  for (const auto& [name, content] : kToy.files) CHECK(files.at(name) == content);
  const nlohmann::json expected = {
      {"model", "toy"},
      {"texts", {"good bad"}},
      {"opens", "attention"},
      {"method", "occlusion"},
      {"residuals", {false, true}},
      {"methods", {"occlusion", "shapley", "gradient", "integrated-gradients", "lrp"}},
      {"merged", false}};
  CHECK(live_start(html) == expected);
}

TEST_CASE("two models are the sides of a live page, with one module") {
  LiveStart start;
  start.text = {"good", "bad", {}};
  start.explained_by = "shapley";
  start.merged = true;
  const LivePage page = page_with(start, {kToy, kToy});
  const std::string html = html_of(page);
  CHECK(html.size() == page.bytes());
  const auto files = embedded_files(html);
  CHECK(files.size() == 6);
  CHECK(files.at("config.json-2") == files.at("config.json"));
  CHECK(files.at("model.safetensors-2") == files.at("model.safetensors"));
  for (const char* id : {"live", "live-2"}) {
    const nlohmann::json side = live_start(html, id);
    CHECK(side["texts"] == nlohmann::json({"good", "bad"}));
    CHECK(side["opens"] == "explanation");
    CHECK(side["method"] == "shapley");
    CHECK(side["merged"] == true);
  }
}

TEST_CASE("a live page compiles its module and starts its worker; a page of weights may not") {
  const std::string own = "default-src 'none'; script-src 'HASH'";
  const std::string rest = "; base-uri 'none'; form-action 'none'";
  CHECK(policy_of(html_of(page_with({}, {kToy}))) ==
        own + " 'wasm-unsafe-eval'; style-src 'HASH'; worker-src blob:" + rest);
  std::string page;
  write_page([&](std::string_view piece) { page += piece; }, {{"a", "b"}, "", "", ""}, "");
  CHECK(policy_of(page) == own + "; style-src 'HASH'" + rest);
  CHECK(count_of(page, "<title>Attention of a and b</title>") == 1);
}

TEST_CASE("names and texts cannot end the data or become markup, and a text keeps its characters") {
  const std::string harmless = html_of(page_with({}, {kToy}));
  for (const std::string& evil :
       {std::string("</script><script>alert(1)</script>"), std::string("<!--<script>"),
        std::string("\"'&><img src=x>"), std::string("@DATA@ @SCRIPT@"), kReversed + "evil",
        std::string("a\nb\0c", 5)}) {
    INFO(evil);
    LiveModel model = kToy;
    model.name = evil;
    LiveStart start;
    start.text = {evil, evil, {}};
    const std::string page = html_of(page_with(start, {model}));
    CHECK(count_of(page, "<script") == count_of(harmless, "<script"));
    CHECK(count_of(page, "</script") == count_of(harmless, "</script"));
    CHECK(count_of(page, "<!--") + count_of(page, "<img") + count_of(page, kReversed) == 0);
    CHECK(live_start(page)["texts"] == nlohmann::json({evil, evil}));
    CHECK(live_start(page)["model"] == printable(evil));
  }
}

TEST_CASE("a file that browsers cannot take as a string is refused, with its size") {
  LiveModel large{"large"};
  large.files["model.safetensors"].resize(401'000'000);
  LivePage page({}, gzip("script"), gzip("wasm"));
  CHECK(error_of([&] { page.add(large); }) ==
        "large: has 401 MB in model.safetensors, and browsers take at most 400; use a smaller "
        "model, or --store f16");
}

}  // namespace
}  // namespace headlight::live_page_test
