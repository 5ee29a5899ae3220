// headlight inspect --positions and --mask.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::inspect_pictures_test {
namespace {

/// The numbers of an array whose header holds `shape`.
std::vector<float> numbers_of(const std::string& npy, const std::string& shape) {
  CHECK(npy.find("'descr': '<f4'") != std::string::npos);
  CHECK(npy.find("'shape': " + shape) != std::string::npos);
  const std::size_t begin = npy.find('\n') + 1;
  std::vector<float> numbers((npy.size() - begin) / sizeof(float));
  std::memcpy(numbers.data(), npy.data() + begin, numbers.size() * sizeof(float));
  return numbers;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST_CASE("positions and masks are arrays for a notebook") {
  const ToyPlace place;
  place.add("sines", [](OrderedJson& config) {
    config["position_embedding_type"] = "sinusoidal";
    config["attention_mask"] = "causal";
  });
  const auto positions = numbers_of(
      place.output({"inspect", "-m", "sines", "--positions", "--format", "npy", "--length", "3"}),
      "(3, 4)");
  REQUIRE(positions.size() == 12);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto position = static_cast<double>(i);
    CHECK(std::abs(positions.at(4 * i) - std::sin(position)) < 1e-6);
    CHECK(std::abs(positions.at(4 * i + 3) - std::cos(position / 100.0)) < 1e-6);
  }
  const auto mask = numbers_of(
      place.output({"inspect", "-m", "sines", "--mask", "--format", "npy", "--length", "2"}),
      "(2, 2)");
  CHECK(mask == std::vector<float>{1, 0, 1, 1});
}

TEST_CASE(
    "positions and masks are pictures, a cell a number, and the chosen dimensions are curves") {
  const ToyPlace place;
  place.add("sines", [](OrderedJson& config) { config["position_embedding_type"] = "sinusoidal"; });
  for (const std::string format : {"svg", "html"}) {
    CAPTURE(format);
    const std::string positions =
        place.output({"inspect", "-m", "sines", "--positions", "--dimensions", "1", "--length", "5",
                      "--format", format});
    CHECK(positions.find("4 → 1 -0.6536") != std::string::npos);  // cos 4
    CHECK(positions.find("<title>dimension 1</title>") != std::string::npos);
    CHECK(positions.find("<title>dimension 0</title>") == std::string::npos);
    const std::string mask =
        place.output({"inspect", "-m", "toy", "--mask", "--length", "5", "--format", format});
    CHECK(count_of(mask, " 1.0000</title>") == 25);
    CHECK(mask.find("Bidirectional mask") != std::string::npos);
    CHECK(mask.find("class=\"grid\"") != std::string::npos);
    CHECK(positions.find("class=\"grid\"") == std::string::npos);
    for (const std::string& picture : {mask, positions}) {
      CHECK(picture.find("prefers-color-scheme: dark") != std::string::npos);
      CHECK(picture.find("style=\"--dark:#") != std::string::npos);
    }
  }
}

TEST_CASE("what cannot be drawn is said") {
  struct Row {
    std::vector<std::string> arguments;
    int status;
    const char* reason;
  };
  const Row rows[] = {
      {{"--positions"}, 2, "--positions|svg, html or npy"},
      {{"--mask", "--format", "json"}, 2, "--mask|svg, html or npy"},
      {{"--format", "svg"}, 2, "--positions or --mask"},
      {{"--positions", "--mask", "--format", "svg"}, 2, "cannot be combined with"},
      {{"--length", "3"}, 2, "--length"},
      {{"--mask", "--dimensions", "0", "--format", "svg"}, 2, "--dimensions"},
      {{"--mask", "--length", "4096", "--format", "svg"}, 2, "more than the model's"},
      {{"--mask", "--length", "0", "--format", "svg"}, 2, "--length"},
      {{"--positions", "--format", "svg"}, 1, "toy|no positions"},
  };
  const ToyPlace place;
  for (const Row& row : rows) {
    std::vector<std::string> arguments = {"inspect", "-m", "toy"};
    arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
    check_refusal(place.run(arguments), row.status, row.reason);
  }
  place.add("sines", [](OrderedJson& config) { config["position_embedding_type"] = "sinusoidal"; });
  check_refusal(place.run({"inspect", "-m", "sines", "--positions", "--dimensions", "0,4",
                           "--format", "svg"}),
                2, "--dimensions|found \"4\"|0 to 3");
}

TEST_CASE("a config alone has a mask and positions that need no weights; learned ones need them") {
  const ToyPlace place;
  const auto config = [](const std::string& positions) {
    return R"({"model_type": "headlight", "vocab_size": 2, "hidden_size": 4, )"
           R"("num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 0, )"
           R"("attention_mask": "causal", "position_embedding_type": ")" +
           positions + "\"}";
  };
  place.files().write("sines.json", config("sinusoidal"));
  place.files().write("learned.json", config("absolute"));
  const auto inspect = [](const std::string& model, const std::string& what) {
    return std::vector<std::string>{"inspect",  "-m", model,      what,
                                    "--length", "3",  "--format", "svg"};
  };
  for (const std::string model : {"sines.json", "learned.json"}) {
    CHECK(place.output(inspect(model, "--mask")).find("Causal mask") != std::string::npos);
  }
  CHECK(place.output(inspect("sines.json", "--positions")).find("Sinusoidal positions") !=
        std::string::npos);
  check_refusal(place.run(inspect("learned.json", "--positions")), 1,
                "learned.json|no weights beside it");
}

}  // namespace
}  // namespace headlight::inspect_pictures_test
