// headlight evaluate --ablate: parts of the model are taken out over a file.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::ablation_test {
namespace {

const std::string kRows =
    "{\"text\": \"good\", \"label\": \"positive\"}\n"
    "{\"text\": \"bad\", \"label\": \"negative\"}\n"
    "{\"text\": \"good plot\", \"label\": \"negative\"}\n";

std::vector<std::string> ablate(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"evaluate", "rows.jsonl", "-m", "attending", "--ablate"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Of a text whose words have the mean `x`, with gold label 1 (0: -x): the change of −ln p where
/// the logits (−s·x, s·x) become (−t·x, t·x).
double loss_change(double x, double from, double to) {
  const auto loss = [&](double scale) { return std::log1p(std::exp(-2.0 * scale * x)); };
  return loss(to) - loss(from);
}

TEST_CASE("taking out a head, or its layer, removes exactly what it adds") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  place.add_attending();
  for (const std::string threads : {"1", "3"}) {
    const OrderedJson found =
        place.json(ablate({"heads", "--format", "json", "--threads", threads}));
    REQUIRE(found["ablation"].size() == 2);
    const OrderedJson& head = found["ablation"][0];
    CHECK(head["part"] == "head");
    CHECK(head["layer"] == 0);
    CHECK(head["head"] == 0);
    CHECK(head["rows"] == 3);
    // The words' means are 1, −1 and 0.5; the logits lose half.
    CHECK(head["logit_change"].get<double>() == doctest::Approx((1 + 1 + 0.5) / 3));
    const double expected =
        (loss_change(1, 2, 1) + loss_change(1, 2, 1) + loss_change(-0.5, 2, 1)) / 3;
    CHECK(head["log_loss_change"].get<double>() == doctest::Approx(expected).epsilon(1e-5));
    CHECK(head["verdicts_changed"] == 0);
    const OrderedJson& idle = found["ablation"][1];
    CHECK(idle["logit_change"] == 0.0);
    CHECK(idle["log_loss_change"] == 0.0);
  }
  const OrderedJson layers = place.json(ablate({"layers", "--format", "json"}));
  REQUIRE(layers["ablation"].size() == 1);
  CHECK(layers["ablation"][0]["part"] == "layer");
  CHECK_FALSE(layers["ablation"][0].contains("head"));
  CHECK(layers["ablation"][0]["logit_change"].get<double>() == doctest::Approx((1 + 1 + 0.5) / 3));
}

TEST_CASE("the heads of a list are out at once") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  place.add_attending();
  const OrderedJson found = place.json(ablate({"0.1,0.0", "--format", "json"}));
  REQUIRE(found["ablation"].size() == 1);
  const OrderedJson& both = found["ablation"][0];
  CHECK(both["part"] == "heads");
  CHECK(both["heads"] == OrderedJson({"0.0", "0.1"}));
  CHECK(both["logit_change"].get<double>() == doctest::Approx((1 + 1 + 0.5) / 3));
  const double change = both["log_loss_change"].get<double>();
  CHECK(both["log_loss"].get<double>() ==
        doctest::Approx(found["log_loss"].get<double>() + change));
  CHECK(both["accuracy"] == found["accuracy"]);
  const std::string text = place.output(ablate({"0.0", "--html", "page.html"}));
  CHECK(text.find("\nWithout head 0.0, its output replaced by zeros:\n") != std::string::npos);
  CHECK(text.find("66.7 %  66.7 %, 95 % CI") != std::string::npos);
  CHECK(place.files().read("page.html").find("Without head 0.0") != std::string::npos);
}

TEST_CASE("text and page show what each part is worth") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  place.add_attending();
  const std::string text = place.output(ablate({"heads", "--html", "page.html"}));
  CHECK(text.find("\nEach head's output is replaced by zeros.") != std::string::npos);
  CHECK(text.find("\nhead 0.0  ") != std::string::npos);
  const std::string page = place.files().read("page.html");
  CHECK(page.find("<h2>Ablation</h2>") != std::string::npos);
  CHECK(page.find("change of the log loss") != std::string::npos);
}

TEST_CASE("below 10 rows there is no interval of a change, and it is said why") {
  const std::string kWhy = "fewer than 10 different rows: no confidence interval";
  const ToyPlace place;
  place.add_attending();
  for (const int thrice : {3, 4}) {
    const bool few = thrice * 3 < 10;
    std::string rows = kRows;  // repeated rows count once
    for (int i = 0; i < thrice; ++i) {
      for (const std::string word : {"good", "bad", "plot"}) {
        std::string text = word;
        for (int more = 0; more < i; ++more) text += " plot";
        rows += R"({"text": ")" + text + R"(", "label": "positive"})" + "\n";
      }
    }
    place.files().write("rows.jsonl", rows);
    for (const std::vector<std::string>& measured :
         {ablate({"heads"}), {"evaluate", "rows.jsonl", "-m", "toy", "--compare", "attending"}}) {
      std::vector<std::string> arguments = measured;
      arguments.insert(arguments.end(), {"--html", "page.html", "--force"});
      const std::string text = place.output(arguments);
      CHECK((text.find(kWhy) != std::string::npos) == few);
      CHECK((place.files().read("page.html").find(kWhy) != std::string::npos) == few);
      CHECK((text.find(" to ") == std::string::npos) == few);
      arguments.insert(arguments.end(), {"--format", "json"});
      const std::string json = place.output(arguments);
      CHECK(json.find("_change\"") != std::string::npos);
      CHECK((json.find("_change_interval") == std::string::npos) == few);
      CHECK((json.find("log_loss_interval") == std::string::npos) == few);
      CHECK(json.find("\"accuracy_interval\"") != std::string::npos);  // Wilson's holds for few
    }
  }
}

TEST_CASE("what cannot be taken out is refused") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  place.add_attending();
  check_last_reason(place.run(ablate({"feed-forwards"})), 1,
                    "attending|has no feed-forwards to take out");
  check_last_reason(place.run(ablate({"heads", "--long", "window"})), 2, "--ablate|--long window");
  check_last_reason(place.run(ablate({"tokens"})), 2, "--ablate|heads");
  check_last_reason(place.run(ablate({"0.2"})), 2, "--ablate|heads 0 to 1");
  check_last_reason(place.run(ablate({"1.0"})), 2, "--ablate|layers 0 to 0");
}

}  // namespace
}  // namespace headlight::ablation_test
