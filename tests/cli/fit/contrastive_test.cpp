// headlight fit --train contrastive.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::contrastive_program_test {
namespace {

constexpr const char* kRows =
    "text,label,topics,score\n"
    "good,up,a|b,1\nbad,down,b|c,2\ngood good,up,a|c,3\nbad bad,down,a,4\n"
    "good good good,up,a|b,5\nbad bad bad,down,c|b,6\n";

Outcome fit(const ToyPlace& place, const Arguments& more) {
  return place.run(with({"fit", "rows.csv", "--train", "contrastive", "-q"}, more));
}

TEST_CASE(
    "fit --train contrastive writes a model of its own, the same with any number of threads") {
  const ToyPlace place;
  place.files().write("rows.csv", kRows);
  for (const std::string threads : {"1", "2", "3"}) {
    const std::string made = "made" + threads;
    REQUIRE(fit(place, {"-m", "toy", "--dev-share", "0", "-o", made, "--threads", threads, "--log",
                        made + ".jsonl"})
                .status == 0);
  }
  for (const std::string other : {"made2", "made3"}) {
    CHECK(place.files().read(other + "/model.safetensors") ==
          place.files().read("made1/model.safetensors"));
    CHECK(place.files().read(other + ".jsonl") == place.files().read("made1.jsonl"));
  }
  const std::string card = place.files().read("made1/README.md");
  CHECK(card.find("contrastive loss of pairs with AdamW: 20 steps") != std::string::npos);
  CHECK(lines_of(place.files().read("made1.jsonl")).size() == 20);
  CHECK(place.files().read("made1/training.json").find("\"train\":\"all\"") != std::string::npos);
  const OrderedJson found =
      place.json({"evaluate", "rows.csv", "-m", "./made1", "--format", "json", "-q"});
  CHECK(found["accuracy"] == 1.0);
}

TEST_CASE("a contrastive training learns the rows that were held out in a second round") {
  const ToyPlace place;
  place.files().write("rows.csv", std::string(kRows) + "good bad,up,a,7\nbad good good,down,b,8\n");
  REQUIRE(fit(place, {"-m", "toy", "--dev-share", "0.3", "-o", "made"}).status == 0);
  const std::string card = place.files().read("made/README.md");
  CHECK(card.find("then it was trained on all.") != std::string::npos);
}

TEST_CASE("a contrastive training is refused where nothing says which texts belong together") {
  struct Case {
    Arguments arguments;
    int status;
    const char* reason;
  };
  const ToyPlace place;
  place.files().write("rows.csv", kRows);
  place.files().write("bare.json", place.files().read("toy/config.json"));
  const std::vector<Case> cases = {
      {{"-m", "toy", "--label", "score", "--regression"}, 2, "--train contrastive|--regression"},
      {{"-m", "toy", "--label", "topics"}, 1, "rows.csv|several labels|one label a row"},
      {{"-m", "bare.json"}, 1, "bare.json|has no weights|--train contrastive"},
      {{"-m", "toy", "--teacher-logits", "score"}, 2, "--teacher-logits|--train all"},
      {{"-m", "toy", "--keep-state", "last"}, 2, "--keep-state|--train all"},
      {{"-m", "toy", "--keep-layers", "0"}, 2, "--keep-layers|--train all"},
      {{"-m", "toy", "--label-smoothing", "0.1"}, 2, "--label-smoothing|--train all"},
      {{"-m", "toy", "--store", "f16"}, 2, "--store|--train all"}};
  for (const Case& refused : cases) {
    CAPTURE(refused.reason);
    check_refusal(fit(place, with(refused.arguments, {"-o", "made"})), refused.status,
                  refused.reason);
  }
}

}  // namespace
}  // namespace headlight::contrastive_program_test
