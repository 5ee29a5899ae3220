// No output replaces a file that the same command reads, whatever --force says.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::protected_inputs_test {
namespace {

namespace fs = std::filesystem;

const std::string kRows =
    "{\"text\": \"good\", \"label\": \"positive\"}\n"
    "{\"text\": \"bad\", \"label\": \"negative\"}\n"
    "{\"text\": \"good plot\", \"label\": \"negative\"}\n";

struct Writer {
  std::vector<std::string> arguments;  // the path of the output follows
  std::string input;
};

const std::vector<Writer> kModelReaders = {
    {{"classify", "-m", "toy", "good", "--force", "-o"}, ""},
    {{"classify", "-m", "toy/config.json", "good", "--force", "-o"}, ""},
    {{"batch", "rows.jsonl", "-m", "toy", "--force", "-o"}, ""},
    {{"batch", "rows.jsonl", "-m", "toy", "--summary"}, ""},
    {{"batch", "rows.jsonl", "-m", "toy", "-o", "any", "--force", "--errors"}, ""},
    {{"fit", "rows.jsonl", "-m", "toy", "-o", "made", "--force", "--problems"}, ""},
    {{"embed", "rows.jsonl", "-m", "toy", "--format", "jsonl", "--force", "-o"}, ""},
    {{"rank", "good", "rows.jsonl", "-m", "toy", "--label", "positive", "--force", "-o"}, ""},
    {{"evaluate", "rows.jsonl", "-m", "toy", "--force", "-o"}, ""},
    {{"evaluate", "rows.jsonl", "-m", "toy", "--force", "--html"}, ""},
    {{"evaluate", "rows.jsonl", "-m", "toy", "--force", "--errors"}, ""},
    {{"attention", "-m", "toy", "good", "--format", "html", "--force", "-o"}, ""},
    {{"attention", "-m", "toy", "good", "--force", "--hidden"}, ""},
    {{"attention", "-m", "toy", "good", "--activations", "--force", "-o"}, ""},
    {{"attention", "-m", "toy", "--input", "rows.jsonl", "--stats", "--force", "-o"}, ""},
    {{"explain", "-m", "toy", "good plot", "--force", "-o"}, ""},
    {{"tokenize", "-m", "toy", "good", "--force", "-o"}, ""},
    {{"inspect", "-m", "toy", "--force", "-o"}, ""},
};

const std::vector<Writer> kRowReaders = {
    {{"batch", "rows", "--input-format", "jsonl", "-m", "toy", "--force", "-o"}, ""},
    {{"batch", "rows", "--input-format", "jsonl", "-m", "toy", "--summary"}, ""},
    {{"batch", "rows", "--input-format", "jsonl", "-m", "toy", "-o", "any", "--force", "--errors"},
     ""},
    {{"batch", "any.jsonl", "rows", "--input-format", "jsonl", "-m", "toy", "--force", "-o"}, ""},
    {{"fit", "rows", "--input-format", "jsonl", "-m", "toy", "-o", "made", "--force", "--problems"},
     ""},
    {{"embed", "rows", "--input-format", "jsonl", "-m", "toy", "--format", "jsonl", "--force",
      "-o"},
     ""},
    {{"rank", "good", "rows", "--input-format", "jsonl", "-m", "toy", "--label", "positive",
      "--force", "-o"},
     ""},
    {{"fit", "rows", "--input-format", "jsonl", "-m", "toy", "-o", "made", "--force", "--train",
      "all", "--film"},
     ""},
    {{"explain", "--input", "rows", "--input-format", "jsonl", "-m", "toy", "--format", "jsonl",
      "--force", "-o"},
     ""},
    {{"attention", "--input", "rows", "--input-format", "jsonl", "-m", "toy", "--format", "npz",
      "--force", "-o"},
     ""},
    {{"evaluate", "rows", "--input-format", "jsonl", "-m", "toy", "--force", "-o"}, ""},
    {{"evaluate", "rows", "--input-format", "jsonl", "-m", "toy", "--force", "--html"}, ""},
    {{"evaluate", "rows", "--input-format", "jsonl", "-m", "toy", "--force", "--errors"}, ""},
};

void check_kept(const ToyPlace& place, const Writer& writer, const std::string& output,
                const std::string& kept) {
  std::vector<std::string> arguments = writer.arguments;
  arguments.push_back(output);
  std::string line;
  for (const auto& argument : arguments) line += argument + ' ';
  INFO(line);
  const std::string before = place.files().read(kept);
  check_last_reason(place.run(arguments, writer.input), 1, "read by this command|never replaced");
  CHECK(place.files().read(kept) == before);
}

TEST_CASE("a file of the model or its weights is never replaced") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  place.files().write("toy/older.bin", "unread");
  fs::create_hard_link(place.files() / "toy/model.safetensors", place.files() / "hard");
  fs::create_symlink("toy/config.json", place.files() / "soft");
  for (const Writer& writer : kModelReaders) {
    check_kept(place, writer, "./toy/../toy/older.bin", "toy/older.bin");
    check_kept(place, writer, "hard", "toy/model.safetensors");
    check_kept(place, writer, "soft", "toy/config.json");
  }
}

TEST_CASE("a config is never replaced by JSON") {
  const ToyPlace place;
  for (const std::string command : {"classify", "inspect", "tokenize", "explain"}) {
    Writer writer{{command, "-m", "toy", "--force", "-o"}, ""};
    if (command != "inspect") writer.arguments.insert(writer.arguments.begin() + 3, "good plot");
    check_kept(place, writer, "toy/config.json", "toy/config.json");
  }
}

TEST_CASE("weights beside another config and the second model are never replaced") {
  const ToyPlace place;
  fs::copy_file(place.files() / "toy/model.safetensors", place.files() / "other.safetensors");
  place.add("second", nullptr);
  fs::create_symlink("other.safetensors", place.files() / "other");
  fs::create_symlink("second/model.safetensors", place.files() / "weights");
  check_kept(
      place,
      {{"classify", "-m", "toy", "--weights", "other.safetensors", "good", "--force", "-o"}, ""},
      "other", "other.safetensors");
  check_kept(
      place,
      {{"attention", "-m", "toy", "--activations", "--compare", "second", "good", "--force", "-o"},
       ""},
      "weights", "second/model.safetensors");
}

TEST_CASE("a file of rows is never replaced, also by the files on the way to an output") {
  const ToyPlace place;
  place.files().write("rows", kRows);
  place.files().write("any.jsonl", kRows);
  fs::create_hard_link(place.files() / "rows", place.files() / "hard");
  fs::create_symlink("rows", place.files() / "soft");
  fs::create_hard_link(place.files() / "rows", place.files() / "new.partial");
  for (const Writer& writer : kRowReaders) {
    for (const std::string output : {"rows", "hard", "soft"}) {
      check_kept(place, writer, output, "rows");
    }
    if (writer.arguments.back() != "--summary") check_kept(place, writer, "new", "rows");
  }
}

TEST_CASE("check replaces none of its rows") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  fs::create_hard_link(place.files() / "rows.jsonl", place.files() / "hard.jsonl");
  fs::create_symlink("rows.jsonl", place.files() / "soft.csv");
  const Writer check{{"check", "rows.jsonl", "-m", "toy", "--force", "-o"}, ""};
  for (const std::string output : {"rows.jsonl", "hard.jsonl", "soft.csv"}) {
    check_kept(place, check, output, "rows.jsonl");
  }
}

/// Runs the program in the shell, which opens its standard input and output.
int status_in_shell(const ToyPlace& place, const std::string& redirected) {
  const std::string line =
      "cd '" + place.files().path() + "' && " HEADLIGHT_PROGRAM " " + redirected + " 2> message";
  return WEXITSTATUS(std::system(line.c_str()));  // NOLINT(concurrency-mt-unsafe,cert-env33-c)
}

TEST_CASE("standard input and output are inputs and outputs too") {
  const ToyPlace place;
  const std::string before = place.files().read("rows.txt");
  for (const std::string command :
       {"classify -m toy --force -o rows.txt < rows.txt",
        "batch - -m toy -f -o rows.txt < rows.txt", "tokenize -m toy -f -o rows.txt < rows.txt",
        "batch rows.txt -m toy >> rows.txt", "classify -m toy < rows.txt >> rows.txt"}) {
    INFO(command);
    CHECK(status_in_shell(place, command) == 1);
    CHECK(place.files().read("message").find("never replaced") != std::string::npos);
    CHECK(place.files().read("rows.txt") == before);
  }
}

TEST_CASE("two outputs of one command need two names") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"batch", "rows.jsonl", "-m", "toy", "-o", "out", "--summary",
                                 "./out"},
        {"evaluate", "rows.jsonl", "-m", "toy", "--html", "out", "--errors", "out"},
        {"attention", "-m", "toy", "good", "-o", "out", "--hidden", "out"}}) {
    check_last_reason(place.run(arguments), 1, "out: is named as two outputs");
    CHECK_FALSE(place.files().has("out"));
  }
}

TEST_CASE("init does not replace the model that it copies the config of") {
  const ToyPlace place;
  const std::string weights = place.files().read("toy/model.safetensors");
  for (const std::string from : {"toy", "toy/config.json", "./toy"}) {
    check_refusal(place.run({"init", from, "-o", "toy", "--force"}), 1,
                  "toy/config.json|never replaced");
  }
  CHECK(place.files().read("toy/model.safetensors") == weights);
}

}  // namespace
}  // namespace headlight::protected_inputs_test
