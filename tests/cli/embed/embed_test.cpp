// Sentence vectors: those of the reference for each golden folder, in NPY and in JSONL, and of
// models without modules.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "cli/vector_file.h"
#include "close_to.h"
#include "math/number_format.h"

namespace headlight::embed_test {
namespace {

namespace fs = std::filesystem;
using Vectors = std::vector<std::vector<float>>;

const std::string kSentences = std::string(HEADLIGHT_TEST_DATA) + "/golden/sentences/";
const std::string kPublished = std::string(HEADLIGHT_TEST_DATA) + "/golden/published/";

std::string json_rows(const OrderedJson& texts) {
  std::string rows;
  for (const auto& text : texts) rows += OrderedJson{{"text", text}}.dump() + "\n";
  return rows;
}

Vectors vectors_in(const std::string& lines) {
  Vectors vectors;
  for (const auto& line : lines_of(lines)) {
    vectors.push_back(OrderedJson::parse(line)["vector"].get<std::vector<float>>());
  }
  return vectors;
}

/// The vectors of "rows.jsonl" or of `rows`, by the options.
Vectors embedded(const ToyPlace& place, const Arguments& options, const std::string& rows) {
  return vectors_in(place.output(with({"embed", "-", "--format", "jsonl"}, options), rows));
}

TEST_CASE("without -m the vectors are those of the encoder that ships") {
  const ToyPlace place;
  const Arguments encoder = {"-m", HEADLIGHT_SOURCE "/data/models/encoder"};
  CHECK(embedded(place, {}, "a card\n") == embedded(place, encoder, "a card\n"));
}

TEST_CASE("the vectors of each golden folder are those of sentence-transformers") {
  const ToyPlace place;
  std::size_t compared = 0;
  for (const auto& entry : fs::directory_iterator(kSentences)) {
    const std::string folder = entry.path().string();
    const auto expected = OrderedJson::parse(content_of(folder + "/expected.json"));
    for (const auto& result : expected["results"]) {
      CAPTURE(folder);
      CAPTURE(result["prompt"].dump());
      Arguments options = {"-m", folder, "--input-format", "jsonl"};
      if (!result["prompt"].is_null()) {
        options.insert(options.end(), {"--prompt", result["prompt"].get<std::string>()});
      }
      const std::string rows = json_rows(expected["texts"]);
      const Vectors found = embedded(place, options, rows);
      CHECK(found.size() == expected["texts"].size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        const auto wanted = result["vectors"][i].get<std::vector<double>>();
        CHECK(close_to(found[i], wanted, {.absolute = 2e-5, .relative = 0.0}));
        ++compared;
      }
      place.output(with({"embed", "-", "-o", "v.npy", "--force"}, options), rows);
      CHECK(read_vectors(place.files().read("v.npy")) == found);
    }
  }
  CHECK(compared == 164);
}

TEST_CASE("--half writes the float16 that is nearest") {
  const ToyPlace place;
  const Arguments options = {"-m", kSentences + "mean-normalize"};
  const std::string rows = "a b\nA, b\n\n";
  const Vectors whole = embedded(place, options, rows);
  place.output(with({"embed", "-", "-o", "v.npy", "--half"}, options), rows);
  const std::string file = place.files().read("v.npy");
  CHECK(file.size() == 128 + 3 * 6 * 2);
  CHECK(file.find("{'descr': '<f2', 'fortran_order': False, 'shape': (3, 6), }") !=
        std::string::npos);
  for (std::size_t i = 0; i < 18; ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, file.data() + 128 + 2 * i, 2);
    CHECK(half == to_half(whole[i / 6][i % 6]));
  }
}

TEST_CASE("--half makes an error of a number that is too large") {
  const ToyPlace place;
  place.add("large", {}, [](std::vector<Tensor>& tensors) {
    Tensor& words = tensor_of(tensors, "embeddings.token.weight");
    const float large = 1e6F;
    std::memcpy(words.bytes.data() + 4 * sizeof(float), &large, sizeof large);  // good
  });
  const Arguments arguments = {"embed", "rows.txt", "-m", "large", "-o", "v.npy"};
  CHECK(place.run(arguments).status == 0);
  check_last_reason(place.run(with(arguments, {"--half", "--force"})), 3, "1 of 2|float16");
}

TEST_CASE("a row that cannot be read is NaN, counted, and status 3") {
  const ToyPlace place;
  const std::string rows = "{\"text\":\"good\"}\nnot JSON\n{\"text\":\"bad\"}\n";
  const Arguments arguments = {"embed",   "-",  "--input-format", "jsonl", "-m", "toy",
                               "--force", "-o", "v.npy"};
  check_last_reason(place.run(arguments, rows), 3, "1 of 3 rows|row 1");
  const Vectors vectors = read_vectors(place.files().read("v.npy"));
  CHECK(vectors.size() == 3);
  for (const float number : vectors[1]) CHECK(std::isnan(number));
  for (const float number : vectors[2]) CHECK(std::isfinite(number));
  CHECK(place.run(with(arguments, {"--row-errors-ok"}), rows).status == 0);
  check_last_reason(place.run(with(arguments, {"--on-error", "stop"}), rows), 1,
                    "row 1|use --resume to continue");
  const Outcome lines =
      place.run({"embed", "-", "--input-format", "jsonl", "-m", "toy", "--format", "jsonl"}, rows);
  CHECK(lines.status == 3);
  CHECK(OrderedJson::parse(lines_of(lines.out)[1]).contains("error"));
  CHECK_FALSE(OrderedJson::parse(lines_of(lines.out)[1]).contains("vector"));
}

TEST_CASE("an input without rows gives an array without rows, or no line") {
  const ToyPlace place;
  place.output({"embed", "-", "-m", "toy", "-o", "v.npy"}, "");
  const std::string file = place.files().read("v.npy");
  CHECK(file.size() == 128);
  CHECK(file.find("'shape': (0, 4)") != std::string::npos);
  CHECK(place.output({"embed", "-", "-m", "toy", "--format", "jsonl"}, "") == "");
}

TEST_CASE("the bytes do not depend on threads, other rows or shards") {
  const ToyPlace place;
  std::string rows;
  for (int i = 0; i < 3000; ++i) {
    rows += (i % 3 == 0 ? "a b ab, é" : "A ,b") +
            std::string(static_cast<std::size_t>(i % 7), 'a') + "\n";
  }
  place.files().write("many.txt", rows);
  const Arguments embed = {"embed", "many.txt", "-m", kSentences + "listed-poolings", "-o"};
  place.output(with(embed, {"one.npy", "--threads", "1"}));
  place.output(with(embed, {"two.npy", "--threads", "2"}));
  place.output(with(embed, {"odd.npy", "--shard", "1/2"}));
  CHECK((place.files().read("one.npy") == place.files().read("two.npy")));
  const Vectors all = read_vectors(place.files().read("one.npy"));
  const Vectors odd = read_vectors(place.files().read("odd.npy"));
  CHECK(odd.size() == 1500);
  for (std::size_t i = 0; i < odd.size(); ++i) CHECK((odd[i] == all[2 * i + 1]));
}

TEST_CASE("--pooling takes the vectors of the tokens that attention --hidden writes") {
  const ToyPlace place;
  const std::string model = kPublished + "bert-model";
  place.output(
      {"attention", "-m", model, "--ids", "7 8 9", "--hidden", "h.npy", "--format", "json"});
  const Vectors hidden = read_vectors(place.files().read("h.npy"));
  const Vectors tokens(hidden.end() - 3, hidden.end());  // after the last layer
  const auto pooled = [&](const std::string& kind) {
    return embedded(place, {"-m", model, "--ids", "--pooling", kind}, "7 8 9\n")[0];
  };
  CHECK(pooled("cls") == tokens[0]);
  CHECK(pooled("last") == tokens[2]);
  const std::vector<float> mean = pooled("mean");
  const std::vector<float> max = pooled("max");
  for (std::size_t j = 0; j < mean.size(); ++j) {
    const float sum = tokens[0][j] + tokens[1][j] + tokens[2][j];
    CHECK(std::abs(mean[j] - sum / 3.0F) < 1e-5F);
    CHECK(max[j] == std::max({tokens[0][j], tokens[1][j], tokens[2][j]}));
  }
}

TEST_CASE("a model without modules has its own pooling; without a head the choice is said") {
  const ToyPlace place;
  const auto pooled = [&](const std::string& model, const Arguments& options) {
    return embedded(place, with({"-m", model, "--ids"}, options), "7 8 9\n");
  };
  const std::string headed = kPublished + "bert-three-labels";
  CHECK(pooled(headed, {}) == pooled(headed, {"--pooling", "cls"}));
  const std::string headless = kPublished + "bert-model";
  CHECK(pooled(headless, {}) == pooled(headless, {"--pooling", "mean"}));
  const Outcome outcome =
      place.run({"embed", "-", "-m", headless, "--ids", "--format", "jsonl"}, "7\n");
  check_sane(outcome);
  CHECK(outcome.err.find("mean of the tokens' vectors is used; --pooling") != std::string::npos);
}

TEST_CASE("--pooling leaves out the other modules of a folder, and keeps its prompt") {
  const ToyPlace place;
  const Arguments folder = {"-m", kSentences + "prompt-not-pooled", "--pooling", "mean"};
  const Vectors prompted = embedded(place, folder, "a b\n");
  CHECK(prompted[0].size() == 6);
  CHECK(prompted ==
        embedded(place, with(folder, {"--prompt", "passage", "--prepend", "b a: "}), "a b\n"));
  CHECK(prompted != embedded(place, with(folder, {"--prompt", "passage"}), "a b\n"));
}

TEST_CASE("--long window averages the vectors of the windows before normalization") {
  const ToyPlace place;
  const Arguments windows = {"--long", "window", "--max-length", "3", "--stride", "0"};
  const std::string text = "good good good bad movie a";
  const std::string line =
      place.output(with({"embed", "-", "-m", "toy", "--format", "jsonl"}, windows), text + "\n");
  const auto row = OrderedJson::parse(line);
  CHECK(row["windows"] == 2);
  CHECK(row["tokens"] == 6);
  const Vectors parts = embedded(place, {"-m", "toy"}, "good good good\nbad movie a\n");
  for (std::size_t j = 0; j < parts[0].size(); ++j) {
    CHECK(row["vector"][j].get<float>() == (parts[0][j] + parts[1][j]) / 2.0F);
  }
  const Vectors unit =
      embedded(place, with({"-m", kSentences + "mean-normalize"}, {"--long", "window"}),
               "a b a b a b a b\n");
  CHECK(std::abs(std::inner_product(unit[0].begin(), unit[0].end(), unit[0].begin(), 0.0) - 1.0) <
        1e-6);
  const std::string prompted = kSentences + "prompt-not-pooled";
  check_refusal(
      place.run(with({"embed", "-", "-m", prompted, "--format", "jsonl"}, {"--long", "window"}),
                "a\n"),
      1, "does not pool the tokens of its prompt|--long truncate");
}

TEST_CASE("texts with too many tokens are cut and counted, or are errors with --long error") {
  const ToyPlace place;
  const Arguments folder = {"embed", "-", "-m", kSentences + "mean-normalize", "--format", "jsonl"};
  const Outcome cut = place.run(folder, "a b a b a b a\n");
  CHECK(OrderedJson::parse(cut.out)["truncated"] == 3);
  CHECK(OrderedJson::parse(cut.out)["tokens"] == 6);
  check_last_reason(place.run(with(folder, {"--long", "error"}), "a b a b a b a\n"), 3,
                    "has 9 tokens, more than the 6");
}

TEST_CASE("bf16 and int8 give vectors near those of fp32") {
  const ToyPlace place;
  const Arguments folder = {"-m", kSentences + "mean-normalize"};
  const Vectors exact = embedded(place, folder, "a b\n");
  for (const std::string precision : {"bf16", "int8"}) {
    const Vectors quick = embedded(place, with(folder, {"--precision", precision}), "a b\n");
    CHECK(exact != quick);
    for (std::size_t j = 0; j < 6; ++j) CHECK(std::abs(exact[0][j] - quick[0][j]) < 0.1F);
  }
}

TEST_CASE("other commands find the encoder in the folder of the first module") {
  const ToyPlace place;
  const std::string folder = kSentences + "all-flags-in-folders";
  CHECK(place.json({"inspect", "-m", folder, "--format", "json"})["hidden_size"] == 6);
  CHECK(place.json({"tokenize", "-m", folder, "a b", "--format", "json"})[0]["ids"].size() == 4);
  check_refusal(place.run({"classify", "-m", folder, "a"}), 1,
                "has no classification head|embed, inspect, tokenize and attention need none");
}

TEST_CASE("what cannot be written or read is refused in one line") {
  const ToyPlace place;
  const std::string folder = kSentences + "prompt-not-pooled";
  struct Row {
    Arguments arguments;
    int status;
    std::string reason;
  };
  const Row rows[] = {
      {{"-m", "toy"}, 2, "npy needs -o FILE.npy|--format jsonl"},
      {{"-m", "toy", "-o", "v.npy.gz"}, 2, "v.npy.gz|completed last"},
      {{"-m", "toy", "-o", "v.csv"}, 2, "v.csv|npy, jsonl"},
      {{"-m", "toy", "-o", "/dev/null", "--format", "npy"}, 1, "/dev/null|regular file|jsonl"},
      {{"-m", "toy", "--format", "jsonl", "--half"}, 2, "--half needs --format npy"},
      {{"-m", "toy", "--format", "jsonl", "--pooling", "first"}, 2, "--pooling|first|cls"},
      {{"-m", "toy", "--format", "jsonl", "--prompt", "q"}, 1, "toy: has no prompts"},
      {{"-m", folder, "--format", "jsonl", "--prompt", "q"}, 1, "has no prompt \"q\"|passage"},
      {{"-m", folder, "--format", "jsonl", "--ids", "--prompt", "query"}, 2, "--prompt|--ids"},
  };
  for (const Row& row : rows) {
    INFO("reason: " << row.reason);
    check_refusal(place.run(with({"embed", "rows.txt"}, row.arguments)), row.status, row.reason);
  }
  CHECK_FALSE(place.files().has("v.npy.gz"));
}

TEST_CASE("files of the modules are inputs that no output replaces") {
  const ToyPlace place;
  fs::copy(kSentences + "listed-poolings", place.files() / "m", fs::copy_options::recursive);
  const std::string dense = place.files().read("m/2_Dense/model.safetensors");
  fs::create_symlink("m/2_Dense/model.safetensors", place.files() / "link");
  const Arguments arguments = {"rows.txt", "-m", "m", "--force", "--format", "jsonl", "-o", "link"};
  check_refusal(place.run(with({"embed"}, arguments)), 1, "link|is read by this command");
  CHECK(place.files().read("m/2_Dense/model.safetensors") == dense);
}

}  // namespace
}  // namespace headlight::embed_test
