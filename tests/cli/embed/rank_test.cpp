// headlight rank: the rows that answer a query best, and how well a model finds them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "close_to.h"

namespace headlight::rank_test {
namespace {

const std::string kSentences = std::string(HEADLIGHT_TEST_DATA) + "/golden/sentences/";
const Arguments kRank = {"rank", "a", "rows.csv", "-m", "judge"};

/// The toy "judge" has one logit, the mean over the words of query and text: good 1, bad -1.
struct Judged : ToyPlace {
  Judged() {
    add_judge("judge", {});
    files().write("rows.csv", "id,text\nx,bad\ny,good good good\nz,a a\nw,good good good\n");
  }
  void add_judge(const std::string& name, const EditConfig& edit) const {
    add(
        name,
        [&](OrderedJson& config) {
          config["id2label"] = {"answers"};
          if (edit) edit(config);
        },
        [](std::vector<Tensor>& tensors) {
          tensor_of(tensors, "classifier.weight") =
              float_tensor("classifier.weight", {1, 4}, {1, 0, 0, 0});
          tensor_of(tensors, "classifier.bias") = float_tensor("classifier.bias", {1}, {0});
        });
  }
};

std::vector<OrderedJson> rows_of(const std::string& lines) {
  std::vector<OrderedJson> rows;
  for (const std::string& line : lines_of(lines)) rows.push_back(OrderedJson::parse(line));
  return rows;
}

TEST_CASE("the best rows come first, ties in the order of the input, in each format") {
  const Judged place;
  const std::string lines = R"({"rank":1,"id":"y","score":0.6791787,"text":"good good good"})"
                            "\n"
                            R"({"rank":2,"id":"w","score":0.6791787,"text":"good good good"})"
                            "\n"
                            R"({"rank":3,"id":"z","score":0.5,"text":"a a"})"
                            "\n";
  for (const char* threads : {"1", "3"}) {
    CHECK(place.output(with(kRank, {"-k", "3", "--format", "jsonl", "--threads", threads})) ==
          lines);
  }
  CHECK(place.output(with(kRank, {"-k", "2"})) ==
        "  1    0.6792  y  good good good\n  2    0.6792  w  good good good\n");
  CHECK(place.json(with(kRank, {"--format", "json"})).size() == 4);
  CHECK(place.json(with(kRank, {"--format", "json"}))[2] == rows_of(lines)[2]);
  CHECK(place.output(with(kRank, {"-k", "2", "--format", "rerank"})) ==
        R"({"results":[{"index":1,"relevance_score":0.6791787},)"
        "\n"
        R"({"index":3,"relevance_score":0.6791787}]})"
        "\n");
  CHECK(place.output(with(kRank, {"-k", "1", "--shard", "0/2", "--format", "rerank"})) ==
        "{\"results\":[{\"index\":2,\"relevance_score\":0.5}]}\n");
}

TEST_CASE("--all writes each row in the order of the input, and rows with errors are counted") {
  const Judged place;
  place.files().write("rows.jsonl", "{\"text\": \"bad\"}\n{\n{\"text\": \"good\"}\n");
  const Arguments rank = {"rank", "a", "rows.jsonl", "-m", "judge", "--format", "jsonl"};
  const Outcome all = place.run(with(rank, {"--all"}));
  CHECK(all.status == 3);
  CHECK(all.err.find("1 of 3 rows") != std::string::npos);
  const auto rows = rows_of(all.out);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].dump() == R"({"id":0,"score":0.37754068,"text":"bad"})");
  CHECK(rows[1].contains("error"));
  CHECK_FALSE(rows[1].contains("score"));
  CHECK(rows[2]["id"] == 2);
  const Outcome best = place.run(rank);
  CHECK(best.status == 3);
  CHECK(rows_of(best.out).size() == 2);
  CHECK(place.run(with(rank, {"--row-errors-ok"})).status == 0);
}

TEST_CASE("a long row has the score of its best window, with the whole query in each") {
  const Judged place;  // of at most 8 words
  struct Row {
    Arguments arguments;
    double logit;
  };
  const std::string sevens = "bad bad bad bad bad bad bad good good good good good good good";
  const Row rows[] = {
      {{"rank", "a", "--long", "window", "--stride", "0"}, 7.0 / 8},
      {{"rank", "a"}, -7.0 / 8},
      {{"rank", "a a a a a", "--long", "window", "--stride", "0"}, 3.0 / 8},  // three fit
  };
  for (const auto& [arguments, logit] : rows) {
    const auto found = place.json(
        with(arguments, {"-", "-m", "judge", "--activation", "none", "--format", "jsonl"}),
        sevens + "\n");
    CHECK(found["score"].get<double>() == doctest::Approx(logit));
  }
  const Outcome cut = place.run({"rank", "a", "-", "-m", "judge"}, sevens + "\n");
  CHECK(cut.err.find("1 of 1 row had too many tokens") != std::string::npos);
  CHECK(place.run({"rank", "a", "-", "-m", "judge", "--long", "error"}, sevens + "\n").status == 3);
}

TEST_CASE("one of several labels is that of --label, as classify --pair has it") {
  const Judged place;
  for (const std::string label : {"negative", "positive"}) {
    const auto found = place.json(
        {"rank", "good", "rows.csv", "-m", "toy", "--label", label, "-k", "4", "--format", "json"});
    REQUIRE(found.size() == 4);
    for (const auto& row : found) {
      const auto pair = place.json({"classify", "good", "--pair", row["text"].get<std::string>(),
                                    "-m", "toy", "--format", "jsonl"});
      CHECK(row["score"] == pair["probabilities"][label]);
    }
    CHECK(found[0]["id"] == (label == "negative" ? "x" : "y"));
  }
}

TEST_CASE("a regression of one value has a sigmoid, as in sentence-transformers") {
  const Judged place;
  const std::string expected = place.output(kRank);
  place.add_judge("judge", [](OrderedJson& config) { config["problem_type"] = "regression"; });
  CHECK(place.output(kRank) == expected);
}

TEST_CASE("a folder of sentence-transformers has the activation and the prompt of its settings") {
  const Judged place;
  place.files().write("judge/modules.json", R"([{"idx": 0, "name": "0", "path": "", "type":
      "sentence_transformers.base.modules.transformer.Transformer"}])");
  place.files().write("judge/config_sentence_transformers.json", R"({"model_type": "CrossEncoder",
      "activation_fn": "torch.nn.modules.linear.Identity", "prompts": {"query": "good good "},
      "default_prompt_name": "query"})");
  CHECK(place.json(with(kRank, {"-k", "1", "--format", "jsonl"}))["score"] == 0.8333333);
  CHECK(
      place.json(with(kRank, {"-k", "1", "--format", "jsonl", "--activation", "sigmoid"}))["score"]
          .get<double>() == doctest::Approx(1 / (1 + std::exp(-5.0 / 6))));
  place.files().write("judge/config_sentence_transformers.json",
                      R"({"activation_fn": "torch.nn.modules.activation.ReLU"})");
  check_refusal(place.run(kRank), 1, "config_sentence_transformers.json|activation_fn|Sigmoid");
}

TEST_CASE("without a head the score is the cosine, with the prompts of queries and documents") {
  const ToyPlace place;
  const std::string texts = "a b\nab A\nB A, a\n";
  const std::string model = kSentences + "prompt-not-pooled";
  const auto vectors_of = [&](const std::string& prompt, const std::string& rows) {
    std::vector<std::vector<double>> vectors;
    for (const auto& row : rows_of(place.output(
             {"embed", "-", "-m", model, "--prompt", prompt, "--format", "jsonl"}, rows))) {
      vectors.push_back(row["vector"].get<std::vector<double>>());
    }
    return vectors;
  };
  const auto dot = [](const auto& a, const auto& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  const auto query = vectors_of("query", "b A\n")[0];
  const auto documents = vectors_of("document", texts);
  const auto found =
      rows_of(place.output({"rank", "b A", "-", "-m", model, "--all", "--format", "jsonl"}, texts));
  REQUIRE(found.size() == documents.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double cosine =
        dot(query, documents[i]) / std::sqrt(dot(query, query) * dot(documents[i], documents[i]));
    CHECK(std::abs(found[i]["score"].get<double>() - cosine) < 1e-6);
  }
}

TEST_CASE("--queries measures the rankings of all queries") {
  const Judged place;
  place.files().write("pairs.jsonl",
                      R"({"query": "a", "text": "good", "label": 1}
{"query": "movie", "text": "bad", "label": 2}
{"query": "a", "text": "bad", "label": "0"}
{"query": "movie", "text": "good good", "label": 0}
{"query": "movie", "text": "good", "label": 1}
{"query": "plot", "text": "good", "label": 0}
{"query": "plot", "text": "good", "label": "none"}
)");
  const Arguments measure = {"rank", "--queries", "pairs.jsonl", "-m", "judge", "-k", "2"};
  const Outcome json = place.run(with(measure, {"--format", "json"}));
  CHECK(json.status == 3);
  const auto found = OrderedJson::parse(json.out);
  CHECK(found["rows"] == 6);
  CHECK(found["errors"] == 1);
  CHECK(found["queries"] == 3);
  const double second = 1 / std::log2(3.0);
  CHECK(found["ndcg"].get<double>() ==
        doctest::Approx((1 + second / (2 + second) + 0) / 3).epsilon(1e-12));
  CHECK(found["mrr"] == 0.5);
  CHECK(found["recall"] == 0.5);
  const std::string text = place.run(measure).out;
  CHECK(text.find("queries                 3\nnDCG@k") != std::string::npos);
  CHECK(text.find("MRR@k                   50.0 %\n") != std::string::npos);
  std::string other = place.files().read("pairs.jsonl");
  for (const auto& [name, renamed] :
       {std::pair{"query", "ask"}, {"text", "say"}, {"label", "is"}}) {
    for (std::size_t at = 0;
         (at = other.find("\"" + std::string(name) + "\"", at)) != std::string::npos;) {
      other.replace(at + 1, std::string(name).size(), renamed);
    }
  }
  place.files().write("pairs.jsonl", other);
  CHECK(place.run(with(measure, {"--query", "ask", "--text", "say", "--relevance", "is"})).out ==
        text);
}

TEST_CASE("what cannot be ranked is refused in a line") {
  const Judged place;
  place.files().write("empty.jsonl", "");
  place.files().write("headless.csv", "text\n");
  place.add_token_labels("names");
  struct Row {
    Arguments arguments;
    int status;
    std::string reason;
  };
  const Row rows[] = {
      {{"a", "rows.csv", "-m", "toy"}, 1, "toy|several labels|negative, positive|--label"},
      {{"a", "rows.csv", "-m", "toy", "--label", "Positiv"},
       1,
       "no label \"Positiv\"|negative, positive|did you mean positive?"},
      {{"a", "rows.csv", "-m", "names"}, 1, "names|labels each token|rank"},
      {{"", "rows.csv", "-m", "judge"}, 2, "QUERY is empty"},
      {{" \t", "rows.csv", "-m", "judge"}, 2, "QUERY is empty"},
      {{"-m", "judge"}, 2, "QUERY is empty"},
      {{"a", "empty.jsonl", "-m", "judge"}, 1, "empty.jsonl|has no rows"},
      {{"a", "headless.csv", "-m", "judge", "-o", "out.json"}, 1, "headless.csv|has no rows"},
      {{"a", "rows.csv", "-m", "judge", "-k", "0"}, 2, "--top-k|0|from 1"},
      {{"a a a a a a a a a", "rows.csv", "-m", "judge"}, 1, "the query|9 tokens|8"},
      {{"a", "rows.csv", "--label", "answers"}, 1, "encoder|has no classification head"},
      {{"a", "rows.csv", "--activation", "none"}, 1, "encoder|has no classification head"},
      {{"a", "rows.csv", "--relevance", "x"}, 2, "--relevance needs --queries"},
      {{"a", "rows.csv", "--all", "-k", "2"}, 2, "--all|--top-k"},
      {{"a", "--queries", "rows.csv"}, 2, "--queries|QUERY"},
      {{"--queries", "rows.csv", "-m", "judge"}, 1, "rows.csv|no column \"query\"|id, text"},
      {{"--queries", "rows.txt", "-m", "judge"}, 2, "rows.txt|text lines"},
      {{"--queries", "empty.jsonl", "-m", "judge"}, 1, "no rows to rank"},
  };
  for (const auto& [arguments, status, reason] : rows) {
    check_refusal(place.run(with({"rank"}, arguments)), status, reason);
  }
  CHECK_FALSE(place.files().has("out.json"));
  CHECK_FALSE(place.files().has("out.json.partial"));
}

TEST_CASE("words that the model does not know are said") {
  const ToyPlace place;
  place.add("pieces", use_word_pieces);
  place.files().write("texts.txt", "good\nother words\nbad\n");
  const Outcome outcome =
      place.run({"rank", "good what", "texts.txt", "-m", "pieces", "--pooling", "mean"});
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.find("the query: 50 % of the tokens are unknown to this model") !=
        std::string::npos);
  CHECK(outcome.err.find("the texts: 50 % of the tokens are unknown to this model") !=
        std::string::npos);
  check_refusal(place.run({"rank", "what else", "texts.txt", "-m", "pieces", "--pooling", "mean"}),
                1, "the query: has no token that pieces knows; -m takes a model that reads it");
  CHECK(
      place.run({"rank", "good", "texts.txt", "-m", "pieces", "--pooling", "mean", "--limit", "1"})
          .err.find("unknown") == std::string::npos);
}

}  // namespace
}  // namespace headlight::rank_test
