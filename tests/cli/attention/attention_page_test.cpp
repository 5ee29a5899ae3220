// attention --format html, as a person asks for it.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::attention_page_test {
namespace {

/// The JSON that a page holds of a side: "data" or "data-2".
OrderedJson data_of(const std::string& page, const std::string& id = "data") {
  const std::string opening = R"(<script type="application/json" id=")" + id + "\">";
  REQUIRE(page.find(opening) != std::string::npos);
  const std::size_t begin = page.find(opening) + opening.size();
  return OrderedJson::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST_CASE("attention --format html writes a page with what --format json says") {
  const ToyPlace place;
  const std::vector<std::vector<std::string>> commands = {
      {"attention", "-m", "toy", "good bad"},
      {"attention", "-m", "toy", "good", "--pair", "bad plot"},
      {"attention", "-m", "toy", "--ids", "0 1 2"},
      {"attention", "-m", "toy", "--activation", "none", "good"}};
  for (const auto& command : commands) {
    INFO("options: " << command[3]);
    const auto with_format = [&](const std::string& format) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--format", format});
      return arguments;
    };
    const OrderedJson json = place.json(with_format("json"));
    const std::string page = place.output(with_format("html"));
    CHECK(page.starts_with("<!DOCTYPE html>"));
    CHECK(page.ends_with("</html>\n"));
    const OrderedJson data = data_of(page);
    CHECK(data["model"] == json["model"]);
    CHECK(data["texts"][0] == json["text"]);
    CHECK(data["texts"].size() == (json.contains("pair") ? 2 : 1));
    CHECK(data["tokens"] == json["tokens"]);
    CHECK(data["sequence"] == json["sequence"]);
    CHECK(data["layers"] == json["layers"]);
    CHECK(data["heads"] == json["heads"]);
    const OrderedJson& labels = data["verdict"]["labels"];
    CHECK(labels[data["verdict"]["best"].get<std::size_t>()]["name"] == json["label"]);
    for (const auto& label : labels) {
      const std::string name = label["name"];
      CHECK(label["logit"] == json["logits"][name]);
      REQUIRE(label.contains("probability") == json.contains("probabilities"));
      if (json.contains("probabilities"))
        CHECK(label["probability"] == json["probabilities"][name]);
    }
  }
}

TEST_CASE("a page goes with vectors, and is not taken for a large JSON") {
  const ToyPlace place;
  CHECK(place.output({"attention", "-m", "toy", "--format", "html", "-o", "page.html", "--hidden",
                      "vectors.npy", "good"}) == "");
  CHECK(place.files().read("page.html").starts_with("<!DOCTYPE html>"));
  CHECK(place.files().read("vectors.npy").starts_with("\x93NUMPY"));
  check_refusal(
      place.run({"attention", "-m", "toy", "--format", "html", "-o", "page.html", "good"}), 1,
      "page.html: exists already|--force");
}

TEST_CASE("two texts, or two models, are the sides of one page") {
  const ToyPlace place;
  place.add_attending();
  const std::string texts =
      place.output({"attention", "-m", "toy", "--format", "html", "good", "bad plot"});
  CHECK(data_of(texts)["texts"] == OrderedJson({"good"}));
  CHECK(data_of(texts, "data-2")["texts"] == OrderedJson({"bad plot"}));
  CHECK(texts.find("id=\"matrices-2\"") != std::string::npos);
  const std::string models = place.output(
      {"attention", "-m", "toy", "--compare", "attending", "--format", "html", "good bad"});
  CHECK(models.find("<title>Attention of toy and attending</title>") != std::string::npos);
  const OrderedJson first = data_of(models);
  const OrderedJson second = data_of(models, "data-2");
  CHECK(first["model"] == "toy");
  CHECK(second["model"] == "attending");
  CHECK(first["texts"] == second["texts"]);
  const OrderedJson alone =
      place.json({"attention", "-m", "attending", "--format", "json", "good bad"});
  for (const auto& label : second["verdict"]["labels"]) {
    CHECK(label["logit"] == alone["logits"][label["name"].get<std::string>()]);
  }
}

TEST_CASE("what two sides cannot show is refused") {
  const ToyPlace place;
  const auto refused = [&](std::vector<std::string> arguments, const std::string& reason) {
    arguments.insert(arguments.begin(), {"attention", "-m", "toy"});
    check_refusal(place.run(arguments), 2, reason);
  };
  refused({"--compare", "toy", "--format", "html", "good", "bad"}, "--compare shows one text");
  refused({"--compare", "toy", "--format", "npy", "-o", "a.npy", "good"},
          "--compare|--format html|--activations");
  refused({"--compare", "toy", "--patch", "bad", "good"}, "--compare|--patch");
  refused({"--compare", "toy", "--format", "html", "--hidden", "v.npy", "good"}, "--hidden");
  check_last_reason(place.run({"attention", "-m", "toy", "--format", "html", "--long", "error",
                               "--max-length", "1", "good", "good bad"}),
                    3, "tokens");
}

}  // namespace
}  // namespace headlight::attention_page_test
