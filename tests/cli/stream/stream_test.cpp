// headlight stream: a line a word in a pipe, one line that changes in place on a terminal.
#include <csignal>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::stream_test {
namespace {

void make_causal(OrderedJson& config) { config["attention_mask"] = "causal"; }

class CausalPlace : public ToyPlace {
 public:
  CausalPlace() { add("causal", make_causal); }
};

TEST_CASE("a JSON line a word, with the verdict that classify gives the words so far") {
  const CausalPlace place;
  const std::string out = place.output({"stream", "-m", "causal"}, "good bad  movie\n\n a plot");
  const auto lines = lines_of(out);
  const std::vector<std::string> beginnings = {"good", "good bad", "good bad movie", "a", "a plot"};
  const std::vector<std::string> words = {"good", "bad", "movie", "a", "plot"};
  const std::vector<int> rows = {0, 0, 0, 2, 2};
  REQUIRE(lines.size() == beginnings.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line = OrderedJson::parse(lines[i]);
    const auto expected = OrderedJson::parse(
        place.output({"classify", "-m", "causal", "--format", "jsonl", beginnings[i]}));
    CHECK(line["row"] == rows[i]);
    CHECK(line["word"] == words[i]);
    for (const char* field : {"tokens", "label", "probability", "logits"}) {
      CHECK(line[field] == expected[field]);
    }
  }
  CHECK(lines[0].starts_with(R"({"row":0,"word":"good","tokens":1,"label":)"));
}

TEST_CASE("each word is answered before the next one is there") {
  const CausalPlace place;
  Process process(place.command({"stream", "-m", "causal"}));
  for (const std::string word : {"good", "bad", "plot"}) {
    CHECK(process.write(word + " "));
    CHECK(process.read_line().value_or("").find('"' + word + '"') != std::string::npos);
  }
  CHECK(process.write("good"));
  CHECK(process.is_silent_for(std::chrono::milliseconds(100)));  // it may go on
  const Outcome outcome = process.finish();
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("\"good\"") != std::string::npos);
}

TEST_CASE("words that cannot be scored are lines with an error, and the status says so") {
  const CausalPlace place;
  const Outcome outcome =
      place.run({"stream", "-m", "causal", "--max-length", "2"}, "good \xFF bad plot good\nbad");
  check_sane(outcome);
  CHECK(outcome.status == 3);
  const auto lines = lines_of(outcome.out);
  REQUIRE(lines.size() == 6);
  CHECK(lines[1] == R"({"row":0,"error":"not valid UTF-8 at byte 0 of the word"})");
  CHECK(lines[3] ==
        R"({"row":0,"word":"plot","error":"has 3 tokens, more than the 2 that can be read"})");
  CHECK(lines[4].find("\"error\"") != std::string::npos);
  CHECK(lines[5].starts_with(R"({"row":1,"word":"bad","tokens":1,)"));
  CHECK(outcome.err.find("3 of 6 words") != std::string::npos);
}

TEST_CASE("without -m the bundled causal model is used") {
  const CausalPlace place;
  const std::string out = place.output({"stream"}, "not bad");
  CHECK(lines_of(out).size() == 2);
  CHECK(out == place.output({"stream", "-m", "sentiment-stream"}, "not bad"));
}

TEST_CASE("a model that sees both sides is refused with the reason") {
  const CausalPlace place;
  check_refusal(place.run({"stream", "-m", "toy"}, "good"), 1, "toy|bidirectional|causal");
}

TEST_CASE("text instead of JSON is a line a word too, and token ids are words") {
  const CausalPlace place;
  const auto lines =
      lines_of(place.output({"stream", "-m", "causal", "--format", "text"}, "good bad"));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with("positive "));
  CHECK(lines[0].ends_with("good"));
  const auto ids = lines_of(place.output({"stream", "-m", "causal", "--ids"}, "1 2"));
  const auto words = lines_of(place.output({"stream", "-m", "causal"}, "good bad"));
  REQUIRE(ids.size() == words.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    CHECK(OrderedJson::parse(ids[i])["logits"] == OrderedJson::parse(words[i])["logits"]);
  }
}

TEST_CASE("empty input is empty output") {
  const CausalPlace place;
  CHECK(place.output({"stream", "-m", "causal"}, "") == "");
  CHECK(place.output({"stream", "-m", "causal"}, " \n \n") == "");
}

TEST_CASE("a terminal is answered word by word after Return, with text") {
  const CausalPlace place;
  Command command = place.command({"stream", "-m", "causal", "--color", "never"});
  command.in = command.out = Channel::terminal;
  Process process(command);
  REQUIRE(process.says("Ctrl-D"));
  CHECK(process.write("good bad\n"));
  CHECK(process.read_line().value_or("").starts_with("positive "));
  CHECK(process.read_line().value_or("").find("bad") != std::string::npos);
  CHECK(process.write("\x04"));
  const Outcome outcome = process.wait();
  CHECK(outcome.complaint() == "");
  CHECK(outcome.status == 0);
}

TEST_CASE("a signal ends it") {
  const CausalPlace place;
  for (const bool typed : {false, true}) {
    Command command = place.command({"stream", "-m", "causal"});
    if (typed) command.in = command.out = Channel::terminal;
    Process process(command);
    CHECK(process.write(typed ? "good\n" : "good "));
    CHECK(process.read_line());
    process.send(SIGINT);
    CHECK(process.wait().status == 130);
  }
}

}  // namespace
}  // namespace headlight::stream_test
