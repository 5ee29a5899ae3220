// attention --live and explain --live, as a person asks for them.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/live_program.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "report/embedded_files.h"

namespace headlight::live_page_test {
namespace {

using Arguments = std::vector<std::string>;

Outcome run_live(const ToyPlace& place, Arguments arguments) {
  Command command = place.command(std::move(arguments));
  command.program = live_program();
  return run(command);
}

/// The page of a run that must succeed with nothing to say.
std::string live_page(const ToyPlace& place, Arguments arguments) {
  arguments.insert(arguments.end(), {"--live", "--format", "html", "--quiet"});
  const Outcome outcome = run_live(place, std::move(arguments));
  check_sane(outcome);
  CHECK(outcome.status == 0);
  CHECK(outcome.err == "");
  return outcome.out;
}

TEST_CASE("a live page has the model, which classifies as before") {
  const ToyPlace place;
  place.add_attending();
  const std::string page = live_page(place, {"attention", "-m", "toy", "good bad"});
  auto files = embedded_files(page);
  CHECK(files.at("module-js") == kScript);
  CHECK(files.at("module-wasm") == kWasm);
  CHECK(files.at("config.json") == place.files().read("toy/config.json"));
  place.files().write("half/config.json", files.at("config.json"));
  place.files().write("half/model.safetensors", files.at("model.safetensors"));
  files = embedded_files(live_page(place, {"attention", "-m", "toy", "--store", "f32"}));
  place.files().write("whole/config.json", files.at("config.json"));
  place.files().write("whole/model.safetensors", files.at("model.safetensors"));
  const auto classified = [&](const std::string& model) {
    return place.output({"classify", "-m", model, "--format", "json", "good movie", "bad"});
  };
  CHECK(classified("whole") == classified("toy"));
  CHECK(classified("half") == classified("toy"));  // its weights are small whole numbers
  CHECK(place.files().read("half/model.safetensors").size() <
        place.files().read("whole/model.safetensors").size());
}

TEST_CASE("a live page begins as the command says") {
  const ToyPlace place;
  place.add_attending();
  using Json = nlohmann::json;
  const auto start = [](const std::string& model, const Json& texts, const std::string& opens,
                        const std::string& method, bool merged) {
    return Json{{"model", model},
                {"texts", texts},
                {"opens", opens},
                {"method", method},
                {"residuals", Json::array({true})},
                {"methods", {"occlusion", "shapley", "gradient", "integrated-gradients", "lrp"}},
                {"merged", merged}};
  };
  const Json typed = {"good", "bad plot"};
  CHECK(live_start(live_page(place, {"attention", "-m", "toy", "good", "--pair", "bad plot"})) ==
        start("toy", typed, "attention", "occlusion", false));
  CHECK(live_start(live_page(place, {"attention", "-m", "toy", "--words"})) ==
        start("toy", {"not bad at all"}, "attention", "occlusion", true));
  CHECK(live_start(live_page(place, {"attention", "-m", "toy", ""})) ==
        start("toy", {""}, "attention", "occlusion", false));
  CHECK(live_start(live_page(place, {"explain", "-m", "toy", "--method", "gradient", "bad"})) ==
        start("toy", {"bad"}, "explanation", "gradient", false));
  const std::string both =
      live_page(place, {"attention", "-m", "toy", "--compare", "attending", "good"});
  CHECK(live_start(both) == start("toy", {"good"}, "attention", "occlusion", false));
  CHECK(live_start(both, "live-2") ==
        start("attending", {"good"}, "attention", "occlusion", false));
  CHECK(embedded_files(both).contains("model.safetensors-2"));
  CHECK(both.find("<title>Attention of toy and attending</title>") != std::string::npos);
}

TEST_CASE("sizes are said, an existing page is kept, and --force replaces it") {
  const ToyPlace place;
  const Arguments write = {"attention", "-m", "toy", "--live", "-o", "page.html"};
  const Outcome written = run_live(place, write);
  check_sane(written);
  CHECK(written.status == 0);
  CHECK(written.out == "");
  const auto lines = lines_of(written.err);
  REQUIRE(lines.size() == 2);
  check_reason(lines[0], "the page has 0.1 MB; a browser needs about |MB of memory");
  check_reason(lines[1], "try: xdg-open ./page.html");
  const std::string page = place.files().read("page.html");
  CHECK(page.ends_with("</html>\n"));
  place.files().write("page.html", "mine");
  check_refusal(run_live(place, write), 1, "page.html: exists already|--force");
  CHECK(place.files().read("page.html") == "mine");
  Arguments force = write;
  force.emplace_back("--force");
  CHECK(run_live(place, force).status == 0);
  CHECK(place.files().read("page.html") == page);
}

TEST_CASE("without a module, --live says how to build one") {
  const ToyPlace place;
  for (const std::string name : {"attention", "explain"}) {
    Command command = place.command({name, "-m", "toy", "--live", "-o", "page.html"});
    command.program = program_without_module();
    check_refusal(run(command), 1, "no module for live pages|`scripts/build-page`");
    CHECK_FALSE(place.files().has("page.html"));
  }
}

TEST_CASE("what a live page does not show is refused") {
  const ToyPlace place;
  struct Row {
    std::string command;
    Arguments arguments;
    std::string reason;
  };
  const Row rows[] = {
      {"attention", {}, "--live needs --format html|-o page.html|found --format text"},
      {"explain", {"-o", "page.json"}, "--live needs --format html|found --format json"},
      {"attention", {"-o", "a.html", "good", "bad"}, "found 2 texts|begins with one text"},
      {"attention", {"-o", "a.html", "--pair", "bad"}, "--pair is the second text"},
      {"attention", {"-o", "a.html", "--layers", "0"}, "--live cannot be combined with --layers"},
      {"attention", {"-o", "a.html", "--stats"}, "--stats"},
      {"attention", {"-o", "a.html", "--query", "good"}, "--query"},
      {"attention", {"-o", "a.html", "--hidden", "v.npy"}, "--live|--hidden"},
      {"attention", {"-o", "a.html", "--long", "error"}, "--live|--long"},
      {"attention", {"-o", "a.html", "--ids", "1"}, "--live|--ids"},
      {"attention", {"-o", "a.html", "--precision", "int8"}, "--live|--precision"},
      {"explain", {"-o", "a.html", "--order", "2"}, "--live|--order"},
      {"explain", {"-o", "a.html", "--input", "rows.txt"}, "--input"},
      {"explain", {"-o", "a.html", "-k", "2"}, "--live|--top-k"},
      {"explain", {"-o", "a.html", "--zero-shot", "a,b"}, "--live|--zero-shot"},
      {"explain", {"-o", "a.html", "--faithfulness"}, "--live|--faithfulness"},
      {"explain", {"-o", "a.html", "--flip"}, "--live|--flip"},
  };
  for (const auto& [command, given, reason] : rows) {
    Arguments arguments = {command, "-m", "toy", "--live"};
    arguments.insert(arguments.end(), given.begin(), given.end());
    check_refusal(run_live(place, arguments), 2, reason);
  }
  check_refusal(run_live(place, {"attention", "-m", "toy", "--store", "f32", "good"}), 2,
                "--store|needs --live");
  Command terminal = place.command({"attention", "-m", "toy", "--live", "--format", "html"});
  terminal.program = live_program();
  terminal.own_terminal = true;
  CHECK(run(terminal).status == 2);
}

TEST_CASE("a model that a live page cannot run is one line, and no page is left") {
  const ToyPlace place;
  place.add("broken", [](OrderedJson& config) { config["hidden_size"] = 5; });
  place.add("wordless", [](OrderedJson& config) { config["tokenizer"].erase("vocabulary"); });
  place.add(
      "flat", [](OrderedJson& config) { config["num_hidden_layers"] = 0; },
      [](std::vector<Tensor>& tensors) {
        std::erase_if(tensors, [](const Tensor& one) { return one.name.starts_with("layers"); });
      });
  place.add("large", {}, [](std::vector<Tensor>& tensors) {
    const std::string name = "classifier.weight";
    tensor_of(tensors, name) = float_tensor(name, {2, 4}, {0, 1e6F, 0, 0, 0, 0, 0, 0});
  });
  const std::string tagger =
      std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-token-labels";
  struct Row {
    std::string command;
    std::string model;
    std::string text;
    int status;
    std::string reason;
  };
  const Row rows[] = {
      {"attention", "absent", "good", 1, "absent"},
      {"attention", "broken", "good", 1, "broken"},
      {"attention", "wordless", "good", 1, "wordless"},
      {"attention", "large", "good", 1, "classifier.weight: found 1e+06|--store f32"},
      {"attention", "flat", "good", 1, "flat: has no layers"},
      {"explain", tagger, "good", 1, "bert-token-labels"},
      {"attention", "toy", "\xFF", 3, "UTF-8"},
  };
  for (const auto& [command, model, text, status, reason] : rows) {
    check_refusal(run_live(place, {command, "-m", model, "--live", "-o", "page.html", text}),
                  status, reason);
    CHECK_FALSE(place.files().has("page.html"));
    CHECK_FALSE(place.files().has("page.html.partial"));
  }
}

}  // namespace
}  // namespace headlight::live_page_test
