// Norms and cosines of vectors as JSON, as bars and as a picture.
#include "report/activations/activation_report.h"

#include <string>

#include <doctest/doctest.h>

#include "report/activations/activation_picture.h"

namespace headlight::activation_report_test {
namespace {

/// Two tokens, an embedding and one layer.
TextActivations small_report() {
  TextActivations report;
  report.text.model_name = "toy";
  report.text.input = {"a b", {}, {}};
  report.text.encoding.tokens = {"a", "b"};
  report.activations.norms = {{1.0, 0.5}, {2.0, 0.0}};
  report.activations.change = {{0.25, -0.5}};
  report.activations.similarity = {{1.0, -0.75, -0.75, 1.0}, {1.0, 0.5, 0.5, 1.0}};
  return report;
}

const std::string kSmall =
    R"({"model":"toy","text":"a b","tokens":["a","b"],"norms":[[1,0.5],[2,0]],)"
    R"("change":[[0.25,-0.5]],"similarity":[[[1,-0.75],[-0.75,1]],[[1,0.5],[0.5,1]]]})";

TEST_CASE("activations have their fields in order, and two models are a list of them") {
  CHECK(activation_json({small_report()}, false) == kSmall + '\n');
  CHECK(activation_json({small_report(), small_report()}, false) ==
        R"({"models":[)" + kSmall + "," + kSmall + "]}\n");
}

TEST_CASE("a pair and a layer that changes the width are said") {
  TextActivations report = small_report();
  report.text.input.pair = "c";
  report.activations.change = {{}};
  const std::string json = activation_json({report}, false);
  CHECK(json.find(R"("text":"a b","pair":"c","tokens")") != std::string::npos);
  CHECK(json.find(R"("change":[null])") != std::string::npos);
  CHECK(activation_text({report}).find("layer 0  norm              others") != std::string::npos);
}

TEST_CASE("bars show norms beside the longest and cosines beside 1") {
  CHECK(activation_text({small_report()}) ==
        "toy: a b\n"
        "norm: length of the token's vector; before: its cosine with the vector before the layer;\n"
        "others: its mean cosine with the vectors of the other tokens\n"
        "\n"
        "embedding  norm              others\n"
        "a          1.00  █████        -0.75\n"
        "b          0.50  ██▌          -0.75\n"
        "\n"
        "layer 0  norm              before              others\n"
        "a        2.00  ██████████    0.25  ██▌           0.50  █████\n"
        "b        0.00               -0.50                0.50  █████\n");
}

TEST_CASE("two models stand side by side, state by state") {
  TextActivations longer = small_report();
  longer.text.model_name = "other";
  longer.text.encoding.tokens = {"[CLS]", "a", "b"};
  longer.activations.norms = {{1.0, 1.0, 1.0}};
  longer.activations.change.clear();
  longer.activations.similarity = {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
  CHECK(activation_text({small_report(), longer}) ==
        "a b\n"
        "norm: length of the token's vector; before: its cosine with the vector before the layer;\n"
        "others: its mean cosine with the vectors of the other tokens\n"
        "\n"
        "toy                                                 other\n"
        "\n"
        "embedding  norm         others                      embedding  norm         others\n"
        "a          1.00  ██▌     -0.75                      [CLS]      1.00  █████    0.00\n"
        "b          0.50  █▌      -0.75                      a          1.00  █████    0.00\n"
        "                                                    b          1.00  █████    0.00\n"
        "\n"
        "layer 0  norm         before         others\n"
        "a        2.00  █████    0.25  █▌       0.50  ██▌\n"
        "b        0.00          -0.50           0.50  ██▌\n");
}

TEST_CASE("a picture has every token's bars and map, and what others wrote is harmless in it") {
  TextActivations report = small_report();
  report.text.encoding.tokens[0] = "<script>\x1b";
  report.text.model_name = "</text><script>";
  report.text.input.text = "<script>";
  for (const std::string& picture :
       {activation_picture({report}), activation_picture({report, report})}) {
    CHECK(picture.starts_with("<?xml"));
    CHECK(picture.find("<script>") == std::string::npos);
    CHECK(picture.find('\x1b') == std::string::npos);
    CHECK(picture.find("&lt;script&gt;\\x1b 0.2500") != std::string::npos);
    CHECK(picture.find("layer 0") != std::string::npos);
    CHECK(picture.find("cosine with input") != std::string::npos);
  }
  CHECK(activation_text({report}).find('\x1b') == std::string::npos);
}

}  // namespace
}  // namespace headlight::activation_report_test
