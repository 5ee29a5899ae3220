// headlight evaluate --attribute: what parts of the model are worth over a file.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::attribution_test {
namespace {

const std::string kRows =
    "{\"text\": \"good\", \"label\": \"positive\"}\n"
    "{\"text\": \"bad\", \"label\": \"negative\"}\n"
    "{\"text\": \"good plot\", \"label\": \"negative\"}\n"
    "{\"text\": \"good plot\", \"label\": \"unheard of\"}\n";

std::vector<std::string> evaluate(const std::vector<std::string>& more,
                                  const std::string& model = "attending") {
  std::vector<std::string> arguments = {"evaluate", "rows.jsonl", "-m", model};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_CASE("where logits are linear in a head, its worth is what taking it out costs") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  place.add_attending();
  for (const std::string kind : {"heads", "layers"}) {
    const OrderedJson measured = place.json(evaluate({"--ablate", kind, "--format", "json"}));
    std::string first;
    for (const std::string threads : {"1", "3"}) {
      const std::string text =
          place.output(evaluate({"--attribute", kind, "--format", "json", "--threads", threads}));
      if (first.empty()) first = text;
      CHECK(text == first);
    }
    const OrderedJson found = OrderedJson::parse(first);
    REQUIRE(found["attribution"].size() == measured["ablation"].size());
    for (std::size_t i = 0; i < measured["ablation"].size(); ++i) {
      const OrderedJson& part = found["attribution"][i];
      const OrderedJson& exact = measured["ablation"][i];
      CHECK(part["part"] == exact["part"]);
      CHECK(part["layer"] == exact["layer"]);
      CHECK(part.contains("head") == (kind == "heads"));
      CHECK(part["worth"].get<double>() ==
            doctest::Approx(exact["log_loss_change"].get<double>()).epsilon(1e-5));
    }
    CHECK(found["ablation"][0]["rows"] == 3);  // the sample; the fourth label is unknown
    CHECK(found["unknown_label_rows"] == 1);
    CHECK(found["accuracy"] == measured["accuracy"]);
    CHECK(found.contains("correlation_with_ablation") == (kind == "heads"));
  }
}

TEST_CASE("text and page show what was estimated, and the page what was measured") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  place.add_attending();
  const std::string text = place.output(evaluate({"--attribute", "heads", "--html", "page.html"}));
  CHECK(text.find("\nWithout each head, estimated by one backward pass per row.") !=
        std::string::npos);
  CHECK(text.find("\nhead 0.0  ") != std::string::npos);
  CHECK(text.ends_with("\ncorrelation with ablation on 3 rows: 1.0000\n"));
  const std::string page = place.files().read("page.html");
  CHECK(page.find("<h2>Attribution</h2>") != std::string::npos);
  CHECK(page.find("<h3>rise of the loss without the part</h3>") != std::string::npos);
  CHECK(page.find("<h2>Ablation</h2>") != std::string::npos);
  CHECK(place.run(evaluate({"--attribute", "heads"})).err.find("attribution took ") !=
        std::string::npos);
}

TEST_CASE("neurons are numbered, and few of many are taken out") {
  const ToyPlace place;
  place.files().write("rows.jsonl",
                      "{\"text\": \"not bad\", \"label\": \"positive\"}\n"
                      "{\"text\": \"a dull film\", \"label\": \"negative\"}\n");
  const OrderedJson found =
      place.json(evaluate({"--attribute", "neurons", "--format", "json"}, "sentiment"));
  REQUIRE(found["attribution"].size() > 500);
  CHECK(found["attribution"][1]["part"] == "neuron");
  CHECK(found["attribution"][1]["neuron"] == 1);
  CHECK_FALSE(found["attribution"][1].contains("head"));
  REQUIRE(found["ablation"].size() == 64);
  CHECK(found["ablation"][1]["neuron"] == 14);
  CHECK(found["ablation"][1]["rows"] == 2);
  CHECK(found["correlation_with_ablation"] > 0.7);
  const std::string text =
      place.output(evaluate({"--attribute", "neurons", "--html", "page.html"}, "sentiment"));
  CHECK(text.find(" more …\n") != std::string::npos);
}

TEST_CASE("what cannot be attributed is refused") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  place.add_attending();
  check_last_reason(place.run(evaluate({"--attribute", "neurons"})), 1,
                    "attending|has no neurons to take out");
  check_last_reason(place.run(evaluate({"--attribute", "heads", "--ablate", "heads"})), 2,
                    "--attribute|--ablate");
  check_last_reason(place.run(evaluate({"--attribute", "heads", "--long", "window"})), 2,
                    "--attribute|--long window");
  check_last_reason(place.run(evaluate({"--attribute", "tokens"})), 2, "--attribute|heads");
}

}  // namespace
}  // namespace headlight::attribution_test
