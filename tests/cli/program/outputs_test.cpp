// Files that are written, models that are found and made, command lines that are right.
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::outputs_test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

const std::vector<std::string> kCommands = {"classify", "batch",   "embed", "attention", "explain",
                                            "tokenize", "inspect", "init",  "models"};

/// The line of the text "good" by whatever model.
std::string verdict(const ToyPlace& place, const std::vector<std::string>& model) {
  std::vector<std::string> arguments = {"classify", "--format", "jsonl", "good"};
  arguments.insert(arguments.end(), model.begin(), model.end());
  return place.output(arguments);
}

TEST_CASE("-o writes the bytes that standard output has, and leaves nothing else") {
  const ToyPlace place;
  const std::vector<std::vector<std::string>> commands = {
      {"classify", "-m", "toy", "--format", "json", "good", "bad"},
      {"batch", "-m", "toy", "rows.txt"},
      {"embed", "-m", "toy", "rows.txt", "--format", "jsonl"},
      {"rank", "-m", "toy", "--label", "positive", "good", "rows.txt"},
      {"attention", "-m", "toy", "--format", "json", "good"},
      {"attention", "-m", "toy", "--format", "html", "good"},
      {"attention", "-m", "toy", "--stats", "--input", "rows.txt"},
      {"attention", "-m", "toy", "--format", "npz", "--input", "rows.txt"},
      {"explain", "-m", "toy", "good bad"},
      {"tokenize", "-m", "toy", "good"},
      {"inspect", "-m", "toy"},
      {"models", "--format", "json"}};
  for (auto arguments : commands) {
    INFO("command: " << arguments[0]);
    const std::string expected = place.output(arguments);
    arguments.insert(arguments.end(), {"-o", "out"});
    CHECK(place.output(arguments) == "");
    CHECK(place.files().read("out") == expected);
    CHECK_FALSE(place.files().has("out.partial"));
    check_refusal(place.run(arguments), 1, "out: exists already|--force");
    place.files().write("out", "older");
    arguments.emplace_back("--force");
    CHECK(place.output(arguments) == "");
    CHECK(place.files().read("out") == expected);
    fs::remove(place.files() / "out");
  }
}

TEST_CASE("rows with errors are written whole to a file, with the status 3") {
  const ToyPlace place;
  const Outcome outcome = place.run({"batch", "-", "-m", "toy", "-o", "out"}, "good\n\xFF\nbad\n");
  check_last_reason(outcome, 3, "1 of 3 rows|row 1");
  CHECK(lines_of(place.files().read("out")).size() == 3);
  CHECK_FALSE(place.files().has("out.partial"));
}

TEST_CASE("a pipe with a name is written directly") {
  const ToyPlace place;
  const std::string path = place.files() / "pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);  // its reader and no waiting
  REQUIRE(descriptor >= 0);
  CHECK(place.output({"batch", "-m", "toy", "rows.txt", "-o", "pipe"}) == "");
  std::string bytes(4096, '\0');
  const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
  ::close(descriptor);
  REQUIRE(count > 0);
  bytes.resize(static_cast<std::size_t>(count));
  CHECK(bytes == place.output({"batch", "-m", "toy", "rows.txt"}));
  CHECK_FALSE(place.files().has("pipe.partial"));
}

/// Waits until `done()`.
template <typename Done>
bool comes_true(Done done) {
  const auto end = std::chrono::steady_clock::now() + Process::kPatience;
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

TEST_CASE("two runs on one output never make a mixture of both") {
  const ToyPlace place;
  for (const std::string name : {"batch", "classify"}) {
    INFO("command: " << name);
    const std::string out = name + ".out";
    std::vector<std::string> arguments = {name, "-m", "toy", "-o", out};
    if (name == "batch") arguments.emplace_back("-");
    Process first(place.command(arguments));
    REQUIRE(first.write("good\n"));
    const auto begun = [&] {
      for (const auto& entry : fs::directory_iterator(place.files().path())) {
        if (entry.path().filename().string().starts_with(out)) return true;
      }
      return false;
    };
    REQUIRE(comes_true(begun));
    const Outcome second = place.run(arguments, "bad\nbad\nbad\n");
    CHECK(second.complaint() == "");
    REQUIRE(first.write("good\n"));
    const Outcome end = first.finish();
    CHECK(end.complaint() == "");
    CHECK((end.status == 0 || second.status == 0));
    arguments.resize(arguments.size() - (name == "batch" ? 3 : 2));
    if (name == "batch") arguments.emplace_back("-");
    const std::string found = place.files().read(out);
    const bool whole = found == place.output(arguments, "good\ngood\n") ||
                       found == place.output(arguments, "bad\nbad\nbad\n");
    CHECK_MESSAGE(whole, "the output is " << found);
  }
}

TEST_CASE("weights are the same in every form they may stand in") {
  const ToyPlace place;
  const TemporaryFolder& files = place.files();
  const std::string expected = verdict(place, {"-m", "toy"});
  const std::string config = toy_config().dump();
  const std::string file = safetensors(toy_tensors());
  const std::string header = header_of(file);
  const auto check = [&](const std::string& name, const Folder& folder) {
    INFO("form: " << name);
    files.write_folder(name, folder);
    CHECK(verdict(place, {"-m", name}) == expected);
  };
  check("json", {{"config.json", config}, {"weights.json", toy_json_weights().dump()}});
  for (int blanks = 1; blanks < 8; ++blanks) {  // numbers begin at any byte
    const std::string padded = header + std::string(static_cast<std::size_t>(blanks), ' ');
    check("blanks" + std::to_string(blanks),
          {{"config.json", config}, {"model.safetensors", safetensors(padded, data_of(file))}});
  }
  check(
      "metadata",
      {{"config.json", config},
       {"model.safetensors",
        safetensors(replaced(header, "{", R"({"__metadata__":{"format":"pt"},)"), data_of(file))}});
  auto tensors = toy_tensors();
  tensor_of(tensors, "classifier.bias") = {"classifier.bias", "F16", {2}, std::string(4, '\0')};
  tensor_of(tensors, "classifier.weight") = {
      "classifier.weight", "BF16", {2, 4}, "\x80\xBF\0\0\0\0\0\0\x80\x3F\0\0\0\0\0\0"s};
  check("half", {{"config.json", config}, {"model.safetensors", safetensors(tensors)}});
  const auto all = toy_tensors();
  const auto middle = all.begin() + 4;
  OrderedJson map = OrderedJson::object();
  for (auto it = all.begin(); it != all.end(); ++it) map[it->name] = it < middle ? "a.st" : "b.st";
  check("shards", {{"config.json", config},
                   {"model.safetensors.index.json", OrderedJson{{"weight_map", map}}.dump()},
                   {"a.st", safetensors({all.begin(), middle})},
                   {"b.st", safetensors({middle, all.end()})}});
}

TEST_CASE("a bare config finds the weights beside it, or takes those that are named") {
  const ToyPlace place;
  const std::string expected = verdict(place, {"-m", "toy"});
  place.files().write("x.json", toy_config().dump());
  place.files().write("x.safetensors", safetensors(toy_tensors()));
  place.files().write("y.json", toy_config().dump());
  place.files().write("y.weights.json", toy_json_weights().dump());
  place.files().write("z.json", toy_config().dump());
  CHECK(verdict(place, {"-m", "x.json"}) == expected);
  CHECK(verdict(place, {"-m", "./y.json"}) == expected);
  CHECK(verdict(place, {"-m", "z.json", "--weights", "x.safetensors"}) == expected);
  CHECK(verdict(place, {"-m", "toy/config.json"}) == expected);
  CHECK(verdict(place, {"-m", place.files() / "toy/"}) == expected);
}

TEST_CASE("models are found by name, ours before those that ship, and a path before a name") {
  const ToyPlace place;
  place.files().write_folder("zoo/sentiment", toy_folder());
  place.files().write_folder("zoo/broken", {{"config.json", "{"}});
  place.files().write_folder("second/bird", toy_folder());
  Command command = place.command({"models", "--format", "json"});
  command.environment = {"HEADLIGHT_MODELS=" + place.files() / "zoo" + ":" +
                         place.files() / "second"};
  const Outcome listed = run(command);
  check_last_reason(listed, 0, "broken/config.json");
  const OrderedJson models = OrderedJson::parse(listed.out);
  REQUIRE(models.size() >= 2);
  CHECK(models[0].dump() == OrderedJson{{"name", "sentiment"},
                                        {"path", place.files() / "zoo/sentiment"},
                                        {"labels", {"negative", "positive"}}}
                                .dump());
  CHECK(models[1]["name"] == "bird");
  for (const auto& model : models) CHECK(model["name"] != "broken");
  command.arguments = {"classify", "-m", "bird", "--format", "jsonl", "good"};
  CHECK(run(command).out == verdict(place, {"-m", "toy"}));
  command.arguments = {"classify", "--format", "jsonl", "good"};
  CHECK(run(command).out == verdict(place, {"-m", "toy"}));
  command.arguments = {"classify", "-m", "bird", "good"};
  place.files().write("bird", "no model");
  check_refusal(run(command), 1, "bird: |JSON");
}

TEST_CASE("the model that ships is the default wherever one stands") {
  Command command;
  command.directory = "/";
  command.arguments = {"classify", "--format", "jsonl", "a gorgeous, witty, seductive movie"};
  const Outcome outcome = run(command);
  check_sane(outcome);
  CHECK(outcome.status == 0);
  CHECK(OrderedJson::parse(outcome.out)["label"] == "positive");
}

TEST_CASE("init makes a model that runs, the same for the same seed") {
  const ToyPlace place;
  const auto init = [&](const std::string& directory, const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"init", "toy/config.json", "-o", directory};
    arguments.insert(arguments.end(), options.begin(), options.end());
    CHECK(place.output(arguments) == "");
    return place.files().read(directory + "/model.safetensors");
  };
  const std::string seven = init("seven", {"--seed", "7"});
  CHECK(seven.size() > 456);
  CHECK(seven == init("other/place", {"--seed", "7"}));
  CHECK(seven != init("eight", {"--seed", "8"}));
  CHECK(init("none", {}) == init("zero", {"--seed", "0"}));
  CHECK(place.json({"classify", "-m", "seven", "--format", "jsonl", "good"}).contains("label"));
  check_refusal(place.run({"init", "toy", "-o", "seven", "--seed", "8"}), 1, "exists already");
  // Weights of the other kind would be read in place of the new ones.
  check_refusal(place.run({"init", "toy", "-o", "seven", "--json", "--force"}), 1,
                "seven/model.safetensors|remove it");
  CHECK_FALSE(place.files().has("seven/weights.json"));
  CHECK(place.files().read("seven/model.safetensors") == seven);
  CHECK(init("seven", {"--seed", "8", "--force"}) != seven);
  place.add("pieces", use_word_pieces);
  place.files().write("pieces/vocab.txt", "[UNK]\n[CLS]\n[SEP]\ngood\n##ness\nbad\n");
  CHECK(place.output({"init", "pieces", "-o", "copy"}) == "");
  CHECK(place.json({"tokenize", "-m", "copy", "--format", "jsonl", "good"})["ids"].size() == 3);
}

TEST_CASE("texts that look like lists, options or formats are texts") {
  const ToyPlace place;
  const std::vector<std::string> texts = {
      "[]",   "{}",  "%%",     "[a,b]", "[a, b]", "[a",    "a]",  "[[]]", "{a}",
      "a,b",  "a=b", "'a'",    "\"a\"", "\"",     "@file", "#a",  "%d%n", "\\n",
      "a\nb", "a b", "good\t", "[]x",   "~",      "$HOME", "`a`", ";"};
  for (const std::string& text : texts) {
    INFO("text: " << text);
    const OrderedJson one = place.json({"classify", "-m", "toy", "--format", "json", text});
    REQUIRE(one.size() == 1);
    CHECK(one[0]["text"] == text);
    const OrderedJson pair =
        place.json({"classify", "-m", "toy", "--format", "jsonl", "--pair", text, "good"});
    CHECK(pair["pair"] == text);
  }
  std::vector<std::string> arguments = {"classify", "-m", "toy", "--format", "json"};
  arguments.insert(arguments.end(), texts.begin(), texts.end());
  const OrderedJson all = place.json(arguments);
  REQUIRE(all.size() == texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) CHECK(all[i]["text"] == texts[i]);
}

TEST_CASE("an empty text and texts after -- are texts") {
  const ToyPlace place;
  place.add("pieces", use_word_pieces);
  const auto texts = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"classify", "-m", "pieces", "--format", "json", "-q"});
    const Outcome outcome = place.run(arguments);
    CHECK(outcome.status == 0);
    std::vector<std::string> found;
    for (const auto& item : OrderedJson::parse(outcome.out)) found.push_back(item["text"]);
    return found;
  };
  using Texts = std::vector<std::string>;
  CHECK(texts({""}) == Texts{""});
  CHECK(texts({"", "good", ""}) == Texts{"", "good", ""});
  CHECK(texts({"--", "-x", "--help", "--", "-"}) == Texts{"-x", "--help", "--", "-"});
  CHECK(texts({"good", "--", "--model"}) == Texts{"good", "--model"});
  CHECK(place.json(
            {"classify", "-m", "pieces", "--format", "jsonl", "--pair", "", "good"})["pair"] == "");
}

TEST_CASE("control characters never stand raw in text or on standard error") {
  const ToyPlace place;
  const std::string evil = "\x1B[31mred\x07\u009B2J\x7F";
  place.add(evil, [&](OrderedJson& config) {
    config["id2label"] = {evil, "positive"};
    config["tokenizer"]["vocabulary"] = {"[UNK]", "good", "bad", evil, "a\nb", "plot"};
  });
  const std::vector<std::vector<std::string>> commands = {
      {"classify", "-v", "-m", evil, evil + "\r\n", "bad"},
      {"classify", "-v", "-m", evil, "-k", "2", "--pair", evil, "bad"},
      {"classify", "-m", evil, "--format", "jsonl", evil},
      {"tokenize", "-v", "-m", evil, evil, "--ids", "3 4"},
      {"tokenize", "-v", "-m", evil, evil},
      {"inspect", "-v", "-m", evil},
      {"attention", "-v", "-m", evil, "--format", "json", evil},
      {"attention", "-v", "-m", evil, "--format", "html", evil},
      {"attention", "-v", "-m", evil, evil + " bad"},
      {"attention", "-v", "-m", evil, "--format", "svg", evil + " bad"},
      {"attention", "-v", "-m", evil, "--stats", "--words", evil + " bad"},
      {"batch", "-v", "-m", evil, "rows.txt"},
      {"batch", "-v", "-m", evil, evil},
      {"models", "-v"},
      {"init", evil, "-o", evil + "2"}};
  for (const auto& arguments : commands) {
    INFO("command: " << arguments[0]);
    Command command = place.command(arguments);
    command.environment = {"HEADLIGHT_MODELS=" + place.files().path()};
    const Outcome outcome = run(command);
    check_sane(outcome);
    CHECK(is_harmless(outcome.out));
  }
}

TEST_CASE("--help of each command shows two examples") {
  for (const std::string& name : kCommands) {
    INFO("command: " << name);
    Command command;
    command.arguments = {name, "--help"};
    const Outcome outcome = run(command);
    check_sane(outcome);
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    CHECK(outcome.out.find("x)]") == std::string::npos);  // the parser's own way to say "many"
    const std::size_t at = outcome.out.find("Examples:");
    REQUIRE(at != std::string::npos);
    std::size_t examples = 0;
    for (const auto& line : lines_of(outcome.out.substr(at))) {
      if (line.find("headlight " + name) != std::string::npos) ++examples;
    }
    CHECK(examples >= 2);
  }
}

TEST_CASE("no arguments, --help and --version") {
  Command command;
  const Outcome none = run(command);
  CHECK(none.status == 0);
  CHECK(none.out.find("headlight classify \"") != std::string::npos);
  CHECK(lines_of(none.out).size() < 15);
  command.arguments = {"--help"};
  const Outcome help = run(command);
  CHECK(help.status == 0);
  for (const std::string& name : kCommands) {
    CHECK(help.out.find("  " + name) != std::string::npos);
  }
  command.arguments = {"--version"};
  const Outcome version = run(command);
  CHECK(version.status == 0);
  CHECK(version.out.starts_with("headlight "));
  CHECK(lines_of(version.out).size() == 1);
  CHECK(version.out.find("+") != std::string::npos);  // the build, which a version does not name
  command.arguments = {"--version", "--verbose"};
  const Outcome verbose = run(command);
  CHECK(verbose.status == 0);
  CHECK(verbose.out.starts_with(version.out));
  for (const char* library : {"\nOpenBLAS ", "\noneTBB ", "\nOniguruma ", "\nzlib ", "\nglibc "}) {
    CHECK(verbose.out.find(library) != std::string::npos);
  }
}

TEST_CASE("colour comes when it is asked for, and not into a pipe by itself") {
  const ToyPlace place;
  const std::string plain = place.output({"classify", "-m", "toy", "good"});
  CHECK(plain.find('\x1B') == std::string::npos);
  CHECK(place.output({"classify", "-m", "toy", "--color", "never", "good"}) == plain);
  CHECK(place.output({"classify", "-m", "toy", "--color", "always", "good"}).find('\x1B') !=
        std::string::npos);
}

TEST_CASE("notes are quiet with -q, and reasons are not") {
  const ToyPlace place;
  CHECK(place.run({"batch", "-m", "toy", "rows.txt"}).err != "");
  CHECK(place.run({"batch", "-q", "-m", "toy", "rows.txt"}).err == "");
  check_last_reason(place.run({"batch", "-q", "-", "-m", "toy"}, "\xFF\n"), 3, "1 of 1 row|UTF-8");
}

}  // namespace
}  // namespace headlight::outputs_test
