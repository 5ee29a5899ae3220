// Wrong command lines: one line that names the option and what was found, the status 2.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::command_line_test {
namespace {

constexpr int kWrongUsage = 2;
// Of a line that a person reads.
constexpr std::size_t kReadable = 250;

struct LineCase {
  std::string name;
  std::vector<std::string> arguments;
  std::string reason;
};

const std::vector<LineCase> kCommandLines = {
    {"no command of that name", {"clasify", "good"}, "\"clasify\"|did you mean classify?"},
    {"no command near that name", {"judge", "good"}, "\"judge\"|expected one of classify"},
    {"a text without a command", {"a great film"}, "a great film|headlight classify TEXT"},
    {"help for no command", {"help", "bacth"}, "\"bacth\"|did you mean batch?"},
    {"an option before the command",
     {"--top-k", "2", "classify", "good"},
     "--top-k|options of a command follow it"},
    {"no option near that name", {"classify", "--gpu", "good"}, "--gpu|see headlight classify"},
    {"a command of control characters", {"\x1B[31m"}, "\\x1b[31m"},
    {"no option of that name",
     {"classify", "--treads", "2", "good"},
     "--treads|did you mean --threads?"},
    {"no short option of that name", {"classify", "-z", "good"}, "-z"},
    {"an option of another command",
     {"tokenize", "--top-k", "2", "good"},
     "--top-k of tokenize; classify, batch"},
    {"an option with its value", {"classify", "--formt=json", "good"}, "did you mean --format?"},
    {"an option that was removed",
     {"batch", "a.csv", "--sort=uncertain", "-k", "5"},
     "--sort was removed: its rows were no better to label next than random ones"},
    {"an option without its value", {"classify", "good", "-m"}, "--model needs a value"},
    {"an option with three values",
     {"fit", "labelled.csv", "-o", "new", "--film", "a", "b", "c"},
     "--film takes at most 2 values, found 3"},
    {"an option twice",
     {"classify", "-m", "toy", "-m", "toy", "good"},
     "--model is given 2 times, and takes one value"},
    {"a file of no name", {"batch", "-m", "toy", ""}, "FILE|the name is empty"},
    {"labelled rows of no name", {"evaluate", "-m", "toy", ""}, "FILE|the name is empty"},
    {"a hyphen for standard output",
     {"batch", "-m", "toy", "rows.txt", "-o", "-"},
     "--output|leave out -o for standard output, or write ./-"},
    {"a hyphen for wrong rows",
     {"evaluate", "-m", "toy", "labelled.csv", "--errors", "-"},
     "--errors|\"-\" is no output; write ./-"},
    {"a hyphen for a folder", {"init", "toy/config.json", "-o", "-"}, "--output|write ./-"},
    {"a hyphen for a film",
     {"fit", "labelled.csv", "-o", "new", "--train", "all", "--film", "-"},
     "--film|write ./-"},
    {"a format of another command", {"classify", "--format", "npy", "good"}, "--format|npy|jsonl"},
    {"no format of that name", {"inspect", "--format", "xml"}, "--format|xml|json"},
    {"rows of no format", {"batch", "--input-format", "xml", "rows.txt"}, "--input-format|xml|csv"},
    {"a shard past the last", {"batch", "--shard", "4/4", "rows.txt"}, "--shard|4/4|I/N"},
    {"a shard of none", {"batch", "--shard", "0/0", "rows.txt"}, "--shard|0/0"},
    {"half a shard", {"batch", "--shard", "1", "rows.txt"}, "--shard|I/N"},
    {"fewer than no rows", {"batch", "--limit", "-1", "rows.txt"}, "--limit|-1"},
    {"lines without a header",
     {"batch", "-m", "toy", "--no-header", "rows.txt"},
     "--no-header|CSV"},
    {"a null of lines", {"batch", "-m", "toy", "--null", "NA", "rows.txt"}, "--null|CSV"},
    {"objects with a header",
     {"batch", "-m", "toy", "--no-output-header", "rows.txt"},
     "--no-output-header|csv"},
    {"a column like one of ours",
     {"batch", "-m", "toy", "--keep", "labelled.csv"},
     "--keep|\"label\" of the input has the name|--column-prefix predicted_"},
    {"long texts in no way", {"classify", "--long", "fold", "good"}, "--long|fold|window"},
    {"no activation of that name",
     {"classify", "--activation", "tanh", "good"},
     "--activation|tanh|softmax"},
    {"no precision of that name",
     {"classify", "--precision", "fp16", "good"},
     "--precision|fp16|bf16"},
    {"integers from kernels that have none",
     {"classify", "-m", "toy", "--precision", "int8", "--kernels", "openblas", "good"},
     "--precision int8|--kernels openblas"},
    {"bfloat16 from kernels that have none",
     {"classify", "-m", "toy", "--precision", "bf16", "--kernels", "openblas", "good"},
     "--precision bf16|--kernels openblas"},
    {"no colour of that name",
     {"classify", "--color", "sometimes", "good"},
     "--color|sometimes|never"},
    {"kernels that nobody wrote",
     {"classify", "-m", "toy", "--kernels", "mkl", "good"},
     "--kernels|mkl|openblas"},
    {"no threads", {"classify", "-m", "toy", "--threads", "0", "good"}, "--threads|0"},
    {"negative threads", {"batch", "-m", "toy", "--threads", "-2", "rows.txt"}, "--threads|-2"},
    {"half a thread", {"batch", "-m", "toy", "--threads", "1.5", "rows.txt"}, "--threads|1.5"},
    {"threads in words", {"batch", "-m", "toy", "--threads", "two", "rows.txt"}, "--threads|two"},
    {"more threads than numbers",
     {"batch", "-m", "toy", "--threads", "99999999999999999999", "rows.txt"},
     "--threads"},
    {"the best none",
     {"classify", "-m", "toy", "--top-k", "0", "good"},
     "--top-k|0|or -1 for all labels"},
    {"the best minus two", {"classify", "-m", "toy", "--top-k", "-2", "good"}, "--top-k|-2"},
    {"the best in words", {"classify", "-m", "toy", "-k", "all", "good"}, "--top-k|all"},
    {"a probability past 1",
     {"classify", "-m", "toy", "--threshold", "50", "good"},
     "--threshold|50"},
    {"a negative probability",
     {"classify", "-m", "toy", "--threshold", "-0.5", "good"},
     "--threshold|-0.5"},
    {"a probability that is no number",
     {"classify", "-m", "toy", "--threshold", "nan", "good"},
     "--threshold|nan"},
    {"a probability in words",
     {"classify", "-m", "toy", "--threshold", "half", "good"},
     "--threshold|half"},
    {"a threshold without probabilities",
     {"classify", "-m", "toy", "--threshold", "0.5", "--activation", "none", "good"},
     "--threshold"},
    {"an output of no name", {"classify", "-m", "toy", "-o", "", "good"}, "--output"},
    {"a negative length",
     {"classify", "-m", "toy", "--max-length", "-1", "good"},
     "--max-length|-1"},
    {"a length in words",
     {"classify", "-m", "toy", "--max-length", "long", "good"},
     "--max-length|long"},
    {"half a token", {"classify", "-m", "toy", "--max-length", "2.5", "good"}, "--max-length|2.5"},
    {"types without ids", {"classify", "-m", "toy", "--type-ids", "0", "good"}, "--type-ids|--ids"},
    {"a pair with ids", {"classify", "-m", "toy", "--ids", "--pair", "1", "2"}, "--pair|--ids"},
    {"no text for attention", {"attention", "-m", "toy", "--format", "json"}, "text"},
    {"two files of rows", {"explain", "-m", "toy", "--input", "a", "--input", "b"}, "--input"},
    {"fields of lines", {"batch", "-m", "toy", "--text", "body", "rows.txt"}, "--text|jsonl"},
    {"a text for inspect", {"inspect", "-m", "toy", "good"}, "\"good\""},
    {"nothing to make a model of", {"init", "-o", "new"}, "CONFIG"},
    {"nowhere to make a model", {"init", "toy/config.json"}, "--output"},
    {"a negative seed", {"init", "toy/config.json", "-o", "new", "--seed", "-1"}, "--seed|-1"},
    {"a seed in words", {"init", "toy/config.json", "-o", "new", "--seed", "one"}, "--seed|one"},
    {"a seed past 64 bits",
     {"init", "toy/config.json", "-o", "new", "--seed", "18446744073709551616"},
     "--seed|from 0 to 18446744073709551615"},
    {"rows to skip past 64 bits",
     {"batch", "rows.txt", "--skip", "18446744073709551616"},
     "--skip|from 0 to 18446744073709551615"},
    {"shards past 64 bits",
     {"batch", "rows.txt", "--shard", "0/18446744073709551616"},
     "--shard|N below 2^64"},
    {"more than all rows", {"batch", "rows.txt", "--max-errors", "101%"}, "101%|from 0% to 100%"},
    {"no step",
     {"fit", "rows.txt", "-o", "new", "--learning-rate", "0"},
     "--learning-rate|found \"0\"|from 1e-12 to 1e+06"},
    {"nearly all dropped",
     {"fit", "rows.txt", "-o", "new", "--dropout", "0.95"},
     "--dropout|found \"0.95\"|from 0 to 0.9"},
};

TEST_CASE("a wrong command line is one readable line with the status 2") {
  for (const LineCase& wrong : kCommandLines) {
    INFO("case: " << wrong.name);
    const ToyPlace place;
    place.files().write("labelled.csv", "text,label\ngood,yes\n");
    const Outcome outcome = place.run(wrong.arguments);
    check_refusal(outcome, kWrongUsage, wrong.reason);
    CHECK(outcome.err.size() < kReadable);
    CHECK_FALSE(place.files().has("new/model.safetensors"));
  }
}

TEST_CASE("names that are far from all known ones are not suggested") {
  const ToyPlace place;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"predict"}, {"classify", "--gpu"}, {"help", "x"}}) {
    CHECK(place.run(arguments).err.find("did you mean") == std::string::npos);
  }
}

TEST_CASE("headlight help COMMAND is headlight COMMAND --help") {
  const ToyPlace place;
  CHECK(place.run({"help"}).out == place.run({"--help"}).out);
  for (const std::string command : {"classify", "batch", "embed", "stream", "init", "help"}) {
    const Outcome outcome = place.run({"help", command});
    check_sane(outcome);
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    CHECK(outcome.out == place.run({command, "--help"}).out);
    CHECK(outcome.out.find("headlight " + command) != std::string::npos);
  }
}

}  // namespace
}  // namespace headlight::command_line_test
