// What attention shows: views, formats, and what it refuses.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/utf8.h"
#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::attention_test {
namespace {

const std::string kConfigs = std::string(HEADLIGHT_SOURCE) + "/configs/";
const std::string kApples = "I prefer apple over orange because it is less acidic";

const Arguments kFourHeads = {"attention", "-m", kConfigs + "four-heads.json"};

/// "[CLS] good ##ness bad [SEP]" by a model of two heads.
class PlaceOfPieces : public ToyPlace {
 public:
  PlaceOfPieces() { add("pieces", use_word_pieces); }
};

const Arguments kPieces = {"attention", "-m", "pieces", "goodness bad"};

TEST_CASE("the coreference head lets it look at both fruits more than at any other word") {
  const ToyPlace place;
  const auto json =
      place.json(with(kFourHeads, {"--heads", "3", "--query", "it", "--format", "json", kApples}));
  CHECK(json["queries"] == OrderedJson({6}));
  CHECK(json["heads"] == OrderedJson({3}));
  const auto row = json["attention"][0][0][0].get<std::vector<double>>();
  const auto tokens = json["tokens"].get<std::vector<std::string>>();
  REQUIRE(row.size() == 10);
  REQUIRE(tokens[2] == "apple");
  REQUIRE(tokens[4] == "orange");
  for (std::size_t key = 0; key < row.size(); ++key) {
    if (key == 2 || key == 4 || key == 6) continue;
    CAPTURE(tokens[key]);
    CHECK(row[2] > row[key]);
    CHECK(row[4] > row[key]);
  }
  const std::string text =
      place.output(with(kFourHeads, {"--heads", "3", "--query", "it", kApples}));
  CHECK(text.find("layer 0, head 3\nit  it 0.") != std::string::npos);
}

TEST_CASE("the picture of the coreference head is what the program draws") {
  const ToyPlace place;
  const std::string picture =
      place.output(with(kFourHeads, {"--heads", "3", "--format", "svg", kApples}));
  std::ostringstream committed;
  committed << std::ifstream(kConfigs + "pictures/coreference.svg", std::ios::binary).rdbuf();
  CHECK(picture == committed.str());
}

TEST_CASE("text is what is shown where no format is named, narrow as the terminal says") {
  const ToyPlace place;
  const std::string text = place.output(with(kFourHeads, {kApples}));
  CHECK(text.find("layer 0, mean of its heads\n") != std::string::npos);
  CHECK(text.find("attends to") != std::string::npos);
  CHECK(text.find("░░") != std::string::npos);
  CHECK(text == place.output(with(kFourHeads, {"--format", "text", kApples})));
  const auto in_columns = [&](const std::string& columns) {
    Command command = place.command(with(kFourHeads, {"--heads", "3", "--numbers", kApples}));
    command.environment = {"COLUMNS=" + columns};
    return run(command).out;
  };
  CHECK(in_columns("200").find("\nit       0.08 0.08 0.11 ") != std::string::npos);
  CHECK(in_columns("1").find("\nit       it 0.19  apple 0.11\n") != std::string::npos);
  const std::string coloured = place.output(with(kFourHeads, {"--color", "always", kApples}));
  CHECK(coloured.find("\x1b[48;5;") != std::string::npos);
}

TEST_CASE("the overview of a sentence fits a screen, and --all shows every head in order") {
  const ToyPlace place;
  const Arguments sentence = {"attention", "-m", "sentiment", "not bad at all"};
  const std::vector<std::string> lines = lines_of(place.output(sentence));
  CHECK(lines.size() <= 28);
  const auto begin = std::ranges::find(lines, "layer  head  attends to          weight  entropy");
  REQUIRE(lines.end() - begin > 8);
  CHECK(begin[1] == "0      2     the previous token    0.83     0.00");
  CHECK(begin[3] == "2      4     bad                   0.45     0.76");
  CHECK(begin[6].starts_with("1      7     [CLS]                 0.97"));
  CHECK(begin[7] == "and 30 other heads, weaker or on special tokens; --all shows them");
  const std::string all = place.output(with(sentence, {"--all"}));
  CHECK(lines_of(all).size() == lines.size() + 29);
  CHECK(all.find("entropy\n0      0     [CLS] ") != std::string::npos);
  CHECK(all.find("--all") == std::string::npos);
}

TEST_CASE("a picture has axes, a title, names of heads, a scale of its own, and several texts") {
  const ToyPlace place;
  place.files().write("names.txt", "0.3 coreference <it>\r\n\n0.0\tcategory\n");
  const Arguments svg = {"attention", "-m", kConfigs + "four-heads.json", "--format", "svg"};
  const std::string plain = place.output(with(svg, {kApples}));
  CHECK(plain.find(">query</text>") != std::string::npos);
  CHECK(plain.find(">key</text>") != std::string::npos);
  const std::string named = place.output(
      with(svg, {"--title", "Two & four", "--head-names", "names.txt", "--scale", "max", kApples}));
  for (const std::string part :
       {">Two &amp; four</text>", ">layer 0, head 3: coreference &lt;it&gt;</text>",
        ">layer 0, head 0: category</text>", ">layer 0, head 1</text>"}) {
    CAPTURE(part);
    CHECK(named.find(part) != std::string::npos);
  }
  const auto scales = [](const std::string& text) {  // a number at each end
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("font-size=\"10\"", at)) != std::string::npos; ++at) {
      ++count;
    }
    return count;
  };
  CHECK(scales(plain) == 2);
  CHECK(scales(named) == 8);
  const std::string two = place.output(with(svg, {"I prefer apple", "it is acidic"}));
  CHECK(two.find(">I prefer apple</text>") < two.find(">it is acidic</text>"));
  CHECK(two.find("<svg", two.find("<svg") + 1) == std::string::npos);
  place.files().write("broken.txt", "0.3 a\n0.4 b\n");
  check_refusal(place.run(with(svg, {"--head-names", "broken.txt", kApples})), 2,
                "broken.txt, line 2|head|4");
  place.files().write("broken.txt", "0.3\n");
  check_refusal(place.run(with(svg, {"--head-names", "broken.txt", kApples})), 2,
                "broken.txt, line 1|such as 1.3 negation");
}

TEST_CASE("the picture of label attention has a row for each label") {
  const ToyPlace place;
  place.output({"init", kConfigs + "label-attention.json", "-o", "labels", "-q"});
  const std::string svg =
      place.output({"attention", "-m", "labels", "--format", "svg", "not bad at all"});
  for (const std::string part :
       {">label attention, head 0</text>", ">label attention, head 3</text>", ">praise</text>",
        ">blame</text>", ">irony</text>"}) {
    CAPTURE(part);
    CHECK(svg.find(part) != std::string::npos);
  }
}

TEST_CASE("the picture of the steps has all heads of a layer, their concatenation and projection") {
  const ToyPlace place;
  place.output({"init", kConfigs + "four-by-four.json", "-o", "four", "--seed", "3", "-q"});
  const Arguments steps = {
      "attention", "-m", "four", "--steps", "--query", "cat", "the cat sat down quietly"};
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const std::string svg = place.output(with(steps, {"--format", "svg", "--title", "Cat"}));
  for (const std::string part :
       {">Cat</text>", ">layer 0, head 0</text>", ">layer 0, head 3</text>", ">q: cat</text>",
        ">softmax</text>", ">× 0.5</text>", ">concatenation: ", ">projection: "}) {
    CAPTURE(part);
    CHECK(has(svg, part));
  }
  // The weights of head 3, as the text has them.
  const auto json = place.json(with(steps, {"--format", "json", "--head", "0.3"}));
  for (const auto& weight : json["weights"]) {
    CHECK(has(svg, '>' + formatted("%.2f", weight.get<double>()) + "</text>"));
  }
  const std::string one = place.output(with(steps, {"--format", "svg", "--head", "0.3"}));
  CHECK_FALSE(has(one, ">layer 0, head 0</text>"));
  CHECK_FALSE(has(one, ">concatenation: "));
  const std::string page = place.output(with(steps, {"--format", "html"}));
  CHECK(has(page, "<h1>The steps of attention of cat in layer 0</h1>"));
  CHECK(has(page, "<td>" + formatted("%.4f", json["weights"][0].get<double>()) + "</td>"));
  check_refusal(place.run(with(steps, {"--layers", "0"})), 2, "--layers|--format svg or html");
  check_refusal(place.run(with(steps, {"--layers", "0", "--head", "0.1", "--format", "svg"})), 2,
                "--steps shows one layer");
}

TEST_CASE("words have sums over their keys and means over their queries, and no ids") {
  const PlaceOfPieces place;
  const auto tokens = place.json(with(kPieces, {"--format", "json"}));
  const auto words = place.json(with(kPieces, {"--format", "json", "--words"}));
  CHECK(words["tokens"] == OrderedJson({"[CLS]", "goodness", "bad", "[SEP]"}));
  CHECK(words["offsets"] == OrderedJson::parse("[[0,0],[0,8],[9,12],[0,0]]"));
  CHECK_FALSE(words.contains("ids"));
  CHECK_FALSE(words.contains("type_ids"));
  CHECK(words["logits"] == tokens["logits"]);
  for (std::size_t head = 0; head < 2; ++head) {
    const auto& of_tokens = tokens["attention"][0][head];
    double sum = 0.0;
    for (const std::size_t query : {1, 2}) {
      for (const std::size_t key : {1, 2}) sum += of_tokens[query][key].get<double>() / 2;
    }
    CHECK(words["attention"][0][head][1][1].get<double>() == doctest::Approx(sum).epsilon(1e-6));
  }
}

TEST_CASE("--digits rounds, --layers and --heads leave out, --rollout and --stats have their own") {
  const PlaceOfPieces place;
  const auto rounded = place.json(with(kPieces, {"--format", "json", "--digits", "1"}));
  CHECK(rounded["attention"][0][0][0] == OrderedJson::parse("[0.2,0.2,0.2,0.2,0.2]"));
  const auto one = place.json(with(kPieces, {"--format", "json", "--heads", "1-1"}));
  CHECK(one["heads"] == OrderedJson({1}));
  CHECK(one["attention"][0].size() == 1);
  const auto rollout = place.json(with(kPieces, {"--format", "json", "--rollout"}));
  CHECK_FALSE(rollout.contains("attention"));
  CHECK_FALSE(rollout.contains("heads"));
  // Even weights 1/5 and the residual: (1/5 + 1) / 2 for itself.
  CHECK(rollout["rollout"][2][2].get<double>() == doctest::Approx(0.6));
  CHECK(rollout["rollout"][2][1].get<double>() == doctest::Approx(0.1));
  const auto statistics =
      place.json(with(kPieces, {"--format", "json", "--stats", "--heads", "0"}));
  CHECK(statistics["heads"].size() == 1);
  CHECK(statistics["heads"][0]["entropy"].get<double>() == doctest::Approx(std::log(5.0)));
  CHECK(statistics["heads"][0]["special"].get<double>() == doctest::Approx(0.4));
  CHECK(statistics["heads"][0]["first"].get<double>() == doctest::Approx(0.2));
  CHECK(statistics["heads"][0]["last"].get<double>() == doctest::Approx(0.2));
  CHECK(statistics["heads"][0]["separator"].get<double>() == doctest::Approx(0.2));
  CHECK(statistics["heads"][0]["sink_value_norm"].is_null());  // all its values are 0
  CHECK(statistics["pooled"].size() == 5);
  const auto words = place.json(with(kPieces, {"--format", "json", "--stats", "--words"}));
  CHECK(words["tokens"].size() == 4);
  CHECK(words["pooled"][0]["token"] == "goodness");
  CHECK(place.output(with(kPieces, {"--stats", "--digits", "1"})).find(" 1.6 ") !=
        std::string::npos);
}

TEST_CASE("the rollout of a layer without a residual is its attention alone") {
  const ToyPlace place;
  const Arguments one_head = {"attention", "-m", kConfigs + "one-head.json", "I prefer"};
  // Two vectors of length 1 at a right angle: softmax of 1/√8 and 0.
  const double itself = 1.0 / (1.0 + std::exp(-1.0 / std::sqrt(8.0)));
  const auto rollout = place.json(with(one_head, {"--rollout", "--format", "json"}))["rollout"];
  CHECK(rollout[0][0].get<double>() == doctest::Approx(itself).epsilon(1e-6));
  CHECK(rollout[0][1].get<double>() == doctest::Approx(1.0 - itself).epsilon(1e-6));
  CHECK(place.json(with(one_head, {"--stats", "--format", "json"}))["rollout"] == rollout);
}

TEST_CASE("--stats is as wide as a terminal, and says where there is no separator") {
  const ToyPlace place;
  const std::string text = place.output({"attention", "-m", "sentiment", "--stats", "not bad"});
  for (const std::string& line : lines_of(text)) CHECK(line.size() <= 80);
  CHECK(text.find("\nlayer  head  special   first    last  separator  sink_value_norm\n") !=
        std::string::npos);
  const auto heads =
      place.json(with(kFourHeads, {"--stats", "--format", "json", kApples}))["heads"];
  for (const auto& head : heads) {
    CHECK(head["separator"].is_null());
    CHECK(head["sink_value_norm"] >= 0.0);
  }
  CHECK(place.output(with(kFourHeads, {"--stats", kApples})).find("          -  ") !=
        std::string::npos);
}

TEST_CASE("--weight norm keeps the bare weights, and adds those times a length of each key") {
  const ToyPlace place;
  const auto bare = place.json(with(kFourHeads, {"--format", "json", kApples}));
  const auto norm = place.json(with(kFourHeads, {"--format", "json", "--weight", "norm", kApples}));
  CHECK(norm["attention"] == bare["attention"]);
  CHECK_FALSE(bare.contains("norm_attention"));
  // Head 3 hands over dimensions 2 and 5 as they are: "it" is (0.4, 1) there, "apple" (1, 0).
  const auto& weights = norm["attention"][0][3][6];
  const auto& weighted = norm["norm_attention"][0][3][6];
  CHECK(weighted[6].get<double>() ==
        doctest::Approx(weights[6].get<double>() * std::sqrt(1.16)).epsilon(1e-6));
  CHECK(weighted[2].get<double>() == doctest::Approx(weights[2].get<double>()).epsilon(1e-6));
  CHECK(weighted[0].get<double>() == 0.0);
}

TEST_CASE("npy and npz have the shape of what is chosen") {
  const PlaceOfPieces place;
  struct Row {
    Arguments arguments;
    std::string shape;
  };
  const Row rows[] = {{{}, "'shape': (1, 2, 5, 5)"},
                      {{"--heads", "1"}, "'shape': (1, 1, 5, 5)"},
                      {{"--words"}, "'shape': (1, 2, 4, 4)"},
                      {{"--query", "bad"}, "'shape': (1, 2, 1, 5)"},
                      {{"--weight", "norm", "--words"}, "'shape': (1, 2, 4, 4)"},
                      {{"--rollout"}, "'shape': (5, 5)"},
                      {{"--rollout", "--words"}, "'shape': (4, 4)"}};
  for (const auto& [arguments, shape] : rows) {
    const std::string npy = place.output(with(with(kPieces, {"--format", "npy"}), arguments));
    CHECK(npy.starts_with("\x93NUMPY"));
    CHECK(npy.substr(0, 128).find(shape) != std::string::npos);
    const std::string npz = place.output(with(with(kPieces, {"--format", "npz"}), arguments));
    CHECK(npz.starts_with("PK\x03\x04"));
    CHECK(npz.find(shape) != std::string::npos);
    CHECK(npz.find("tokens.npy") != std::string::npos);
    CHECK(npz.find("logits.npy") != std::string::npos);
  }
}

TEST_CASE("svg is a document, with the tokens of the text made harmless") {
  const ToyPlace place;
  place.add("markup", [](OrderedJson& config) {
    config["tokenizer"]["vocabulary"] = {"[UNK]", "</title>", "<script>", "\u202Ea&b", "a", "b"};
  });
  for (const Arguments& view : {Arguments{}, {"--heads", "0"}, {"--rollout"}, {"--numbers"}}) {
    const std::string svg = place.output(with(
        {"attention", "-m", "markup", "--format", "svg", "</title> <script> \u202Ea&b"}, view));
    CHECK(svg.starts_with("<?xml"));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(svg.find("<script>") == std::string::npos);
    CHECK(svg.find("&lt;script&gt;") != std::string::npos);
    CHECK(svg.find("\u202E") == std::string::npos);
  }
}

TEST_CASE("attention refuses what does not fit, and says what there is") {
  const ToyPlace place;
  struct Row {
    Arguments arguments;
    std::string reason;
  };
  const Row rows[] = {{{"--layers", "1"}, "--layers: found \"1\"|layers 0 to 0"},
                      {{"--heads", "0,2"}, "--heads: found \"2\"|heads 0 to 1"},
                      {{"--heads", "1-0"}, "--heads: found \"1-0\""},
                      {{"--heads", "0-"}, "--heads: found \"0-\""},
                      {{"--heads", "0,"}, "--heads: found \"\""},
                      {{"--heads", "-1"}, "--heads"},
                      {{"--heads", ""}, "--heads"},
                      {{"--heads", "a\x1b"}, "--heads: found \"a\\x1b\""},
                      {{"--query", "plot"}, "--query: found \"plot\"|position below 2|good, bad"},
                      {{"--query", "2"}, "--query: found \"2\""},
                      {{"--query", ""}, "--query"},
                      {{"--weight", "long"}, "--weight|bare|norm"},
                      {{"--digits", "18"}, "--digits|0 to 17"},
                      {{"--digits", "2", "--format", "npy"}, "--digits|--format npy"},
                      {{"--numbers", "--format", "json"}, "--numbers|--format json"},
                      {{"--stats", "--format", "svg"}, "--stats|--format svg"},
                      {{"--stats", "--query", "good"}, "--query|--stats"},
                      {{"--stats", "--weight", "norm"}, "--weight norm|--stats"},
                      {{"--stats", "--rollout"}, "--rollout|--stats"},
                      {{"--stats", "--numbers"}, "--numbers|--stats"},
                      {{"--rollout", "--heads", "0"}, "--heads|--rollout"},
                      {{"--rollout", "--layers", "0"}, "--layers|--rollout"},
                      {{"--rollout", "--weight", "norm"}, "--weight norm|--rollout"},
                      {{"--format", "xml"}, "--format|xml|text|json|svg|npy|npz"}};
  for (const auto& [arguments, reason] : rows) {
    check_refusal(place.run(with({"attention", "-m", "toy", "good bad"}, arguments)), 2, reason);
  }
}

TEST_CASE("a model without layers has nothing to show but what is pooled, in every format") {
  const ToyPlace place;
  place.add(
      "bare", [](OrderedJson& config) { config["num_hidden_layers"] = 0; },
      [](std::vector<Tensor>& tensors) {
        std::erase_if(tensors,
                      [](const Tensor& tensor) { return tensor.name.starts_with("layers."); });
      });
  const Arguments bare = {"attention", "-m", "bare", "good bad"};
  CHECK(place.output(bare).find("pooled (mean, rollout)  good 0.50  bad 0.50") !=
        std::string::npos);
  CHECK(place.json(with(bare, {"--format", "json", "--stats"}))["heads"].empty());
  CHECK(place.output(with(bare, {"--format", "svg"})).ends_with("</svg>\n"));
  CHECK(place.output(with(bare, {"--format", "svg", "--rollout"})).ends_with("</svg>\n"));
  CHECK(place.output(with(bare, {"--format", "npy"})).find("(0, 2, 2, 2)") != std::string::npos);
  check_refusal(place.run(with(bare, {"--layers", "0"})), 2, "--layers|no layers");
}

TEST_CASE("the size of much JSON is said before it, with what makes it smaller") {
  const ToyPlace place;
  std::string text;
  for (int i = 0; i < 500; ++i) text += "good ";
  place.add("long", [](OrderedJson& config) { config["max_position_embeddings"] = 2000; });
  const auto note = [&](const Arguments& more) {
    const Outcome outcome =
        place.run(with({"attention", "-m", "long", "--format", "json"}, more), text + text + text);
    CHECK(outcome.status == 0);
    return outcome.err;
  };
  const std::string said = note({});
  for (const std::string part :
       {"about 58 MB of JSON", "--format npy", "--layers", "--heads", "--digits"}) {
    CHECK(said.find(part) != std::string::npos);
  }
  CHECK(note({"--heads", "1"}) == "");
}

}  // namespace
}  // namespace headlight::attention_test
