// Files that are not what they should be, and standard streams and outputs that cannot be used.
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "model/model_files.h"

namespace headlight::broken_files_test {
namespace {

namespace fs = std::filesystem;

constexpr int kUnusable = 1;

Outcome run_with(const ToyPlace& place, std::vector<std::string> arguments, Channel in,
                 Channel out) {
  Command command = place.command(std::move(arguments));
  command.in = in;
  command.out = out;
  return run(command);
}

struct FileCase {
  std::string name;
  void (*prepare)(const fs::path& place);
  std::vector<std::string> arguments;
  std::string reason;
};

void make_pipe(const fs::path& path) {
  fs::remove(path);
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
}

void make_huge(const fs::path& place) {
  Folder folder = toy_folder();
  edit_config(folder, [](OrderedJson& config) {
    config["vocab_size"] = 2147483647;
    config["hidden_size"] = 2147483646;
  });
  std::ofstream(place / "toy/config.json") << folder["config.json"];
}

const std::vector<FileCase> kFiles = {
    {"no model", nullptr, {"classify", "-m", "missing", "good"}, "no model \"missing\""},
    {"no model of a name with control characters",
     nullptr,
     {"classify", "-m", "\x1B[31mred\n", "good"},
     "\\x1b[31mred\\n"},
    {"no model of a name that is no UTF-8",
     nullptr,
     {"classify", "-m", "a\xFF\xFE", "good"},
     "a\\xff\\xfe"},
    {"no model of no name", nullptr, {"classify", "-m", "", "good"}, "no model \"\""},
    {"no model of a long name",
     nullptr,
     {"classify", "-m", std::string(100'000, 'n'), "good"},
     "no model \"nnn"},
    {"a folder without a config",
     [](const auto& p) { fs::remove(p / "toy/config.json"); },
     {"classify", "-m", "toy", "good"},
     "toy/config.json: No such file or directory"},
    {"weights that are pickled",
     [](const auto& p) { fs::rename(p / "toy/model.safetensors", p / "toy/pytorch_model.bin"); },
     {"classify", "-m", "toy", "good"},
     "toy/pytorch_model.bin: is a PyTorch pickle file|`scripts/import toy`"},
    {"a config that is a pipe",
     [](const auto& p) { make_pipe(p / "toy/config.json"); },
     {"classify", "-m", "toy", "good"},
     "toy/config.json: is not a regular file"},
    {"a config that is a device",
     nullptr,
     {"classify", "-m", "/dev/zero", "good"},
     "/dev/zero: is not a regular file"},
    {"rows that are not there",
     nullptr,
     {"batch", "-m", "toy", "missing.txt"},
     "missing.txt: No such file"},
    {"rows below a file",
     nullptr,
     {"batch", "-m", "toy", "plain/rows.txt"},
     "plain/rows.txt: Not a directory"},
    {"rows that are a folder", nullptr, {"batch", "-m", "toy", "toy"}, "toy: |s a directory"},
    {"rows of a name with control characters",
     nullptr,
     {"batch", "-m", "toy", "\x1B]0;x\x07"},
     "\\x1b]0;x\\x07: No such file"},
    {"output that stands there",
     nullptr,
     {"classify", "-m", "toy", "-o", "plain", "good"},
     "plain: exists already|--force"},
    {"output of rows that stands there",
     nullptr,
     {"batch", "-m", "toy", "-o", "plain", "rows.txt"},
     "plain: exists already|--force"},
    {"output over a folder",
     nullptr,
     {"classify", "-m", "toy", "-o", "toy", "good"},
     "toy: is a directory"},
    {"output over a folder by force",
     nullptr,
     {"classify", "-m", "toy", "-f", "-o", "toy", "good"},
     "toy: is a directory"},
    {"output in no folder",
     nullptr,
     {"classify", "-m", "toy", "-o", "no/o", "good"},
     "no/o|No such file"},
    {"output below a file",
     nullptr,
     {"inspect", "-m", "toy", "-o", "plain/o"},
     "plain/o|Not a directory"},
    {"output of no space",
     nullptr,
     {"classify", "-m", "toy", "-o", "/dev/full", "good"},
     "/dev/full: cannot write: No space left"},
    {"output of rows of no space",
     nullptr,
     {"batch", "-m", "toy", "-o", "/dev/full", "rows.txt"},
     "/dev/full: cannot write: No space left"},
    {"output of a name too long",
     nullptr,
     {"tokenize", "-m", "toy", "-o", std::string(300, 'o'), "good"},
     "File name too long"},
    {"a model to make that is there",
     nullptr,
     {"init", "toy/config.json", "-o", "toy"},
     "toy/config.json: exists already|--force"},
    {"a model to make below a file",
     nullptr,
     {"init", "toy/config.json", "-o", "plain/new"},
     "plain/new"},
    {"a model to make over a file", nullptr, {"init", "toy/config.json", "-o", "plain"}, "plain"},
    {"a model to make of no config",
     nullptr,
     {"init", "missing.json", "-o", "new"},
     "missing.json"},
    {"a model to make of a broken config", nullptr, {"init", "plain", "-o", "new"}, "plain: |JSON"},
    {"a model to make that no machine holds",
     make_huge,
     {"init", "toy/config.json", "-o", "new"},
     "toy/config.json: tensor embeddings.token.weight|parameters"},
};

TEST_CASE("files that cannot be used are refused by name") {
  for (const FileCase& broken : kFiles) {
    INFO("case: " << broken.name);
    const ToyPlace place;
    if (broken.prepare != nullptr) broken.prepare(place.files().path());
    check_refusal(place.run(broken.arguments), kUnusable, broken.reason);
    CHECK(place.files().read("plain") == "not a model");
    CHECK_FALSE(place.files().has("new/model.safetensors"));
  }
}

TEST_CASE("a file without permission is refused by name") {
  if (::geteuid() == 0) return;  // root reads everything
  const ToyPlace place;
  fs::permissions(place.files() / "toy/config.json", fs::perms::none);
  check_refusal(place.run({"classify", "-m", "toy", "good"}), kUnusable,
                "toy/config.json: Permission denied");
}

TEST_CASE("standard output that cannot be written is an error of every command") {
  const ToyPlace place;
  const std::vector<std::vector<std::string>> commands = {
      {"classify", "-m", "toy", "good"},
      {"classify", "-m", "toy", "--format", "json", "good"},
      {"batch", "-m", "toy", "rows.txt"},
      {"batch", "-m", "toy", "--threads", "2", "rows.txt"},
      {"attention", "-m", "toy", "--format", "json", "good"},
      {"tokenize", "-m", "toy", "good"},
      {"inspect", "-m", "toy"},
      {"models"},
      {},
      {"--help"},
      {"classify", "--help"},
      {"--version"}};
  for (const auto& arguments : commands) {
    INFO("command: " << (arguments.empty() ? "none" : arguments[0]));
    check_refusal(run_with(place, arguments, Channel::pipe, Channel::full), kUnusable,
                  "standard output: cannot write: No space left on device");
    check_refusal(run_with(place, arguments, Channel::pipe, Channel::closed), kUnusable,
                  "standard output: cannot write: Bad file descriptor");
  }
}

TEST_CASE("closed standard input is an error where it is read, and nothing waits for it") {
  const ToyPlace place;
  const std::string reason = "standard input: cannot read: Bad file descriptor";
  for (const std::string command : {"classify", "tokenize"}) {
    check_refusal(run_with(place, {command, "-m", "toy"}, Channel::closed, Channel::pipe),
                  kUnusable, reason);
  }
  check_refusal(run_with(place, {"attention", "-m", "toy", "--format", "json"}, Channel::closed,
                         Channel::pipe),
                kUnusable, reason);
  for (const std::string threads : {"1", "2"}) {
    check_refusal(run_with(place, {"batch", "-", "-m", "toy", "--threads", threads},
                           Channel::closed, Channel::pipe),
                  kUnusable, reason);
  }
  const Outcome typed =
      run_with(place, {"classify", "-m", "toy", "good"}, Channel::closed, Channel::pipe);
  CHECK(typed.status == 0);
}

TEST_CASE("closed standard input and output at once are an error") {
  const ToyPlace place;
  const Outcome outcome =
      run_with(place, {"batch", "-", "-m", "toy"}, Channel::closed, Channel::closed);
  check_last_reason(outcome, kUnusable, "standard");
  const Outcome file = run_with(place, {"batch", "rows.txt", "-m", "toy", "-o", "out"},
                                Channel::closed, Channel::closed);
  CHECK(file.status == 0);
  CHECK(lines_of(place.files().read("out")).size() == 2);
}

TEST_CASE("closed standard error never leads into a file") {
  const ToyPlace place;
  Command command = place.command({"batch", "-m", "toy", "-v", "-o", "out", "-"}, "good\n\xFF\n");
  command.err = Channel::closed;
  const Outcome outcome = run(command);
  CHECK(outcome.complaint() == "");
  CHECK(outcome.status == 3);
  for (const auto& line : lines_of(place.files().read("out"))) {
    CHECK(line.starts_with("{\"id\":"));
  }
}

TEST_CASE("an output that failed leaves nothing behind that looks whole") {
  const ToyPlace place;
  check_refusal(place.run({"batch", "-m", "toy", "toy", "-o", "out"}), kUnusable, "toy: ");
  CHECK_FALSE(place.files().has("out"));
  CHECK(place.files().read("out.partial") == "");
  const Outcome again = place.run({"batch", "-m", "toy", "rows.txt", "-o", "other"});
  CHECK(again.status == 0);
}

}  // namespace
}  // namespace headlight::broken_files_test
