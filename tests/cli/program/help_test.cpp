// The help of each command: it fits the terminal, its examples run.
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "cli/help_page.h"
#include "cli/live_program.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::help_test {
namespace {

namespace fs = std::filesystem;

const std::string kGolden = std::string(HEADLIGHT_TEST_DATA) + "/golden/";

/// Code points, which are columns where no character is wide.
std::size_t columns_of(const std::string& line) {
  std::size_t columns = 0;
  for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xC0U) == 0x80U ? 0 : 1;
  return columns;
}

bool is_example(const std::string& line) {
  return line.starts_with("  ") && line.find("headlight ") != std::string::npos;
}

std::vector<std::vector<std::string>> all_help() {
  std::vector<std::vector<std::string>> lines = {{}, {"--help"}};
  for (const std::string& command : listed_commands()) {
    lines.push_back({command, "--help"});
    lines.push_back({"help", command, "--long"});
  }
  return lines;
}

/// The lines of each argument and option.
std::vector<std::vector<std::string>> entries_of(const std::vector<std::string>& arguments) {
  Command command;
  command.arguments = arguments;
  std::vector<std::vector<std::string>> entries;
  bool inside = false;
  for (const std::string& line : lines_of(run(command).out)) {
    if (line == "Examples:") break;
    const bool goes_on = line.starts_with("        ");
    if (line.starts_with("  ") && !goes_on) entries.push_back({line});
    if (goes_on && inside) entries.back().push_back(line);
    inside = line.starts_with("  ");
  }
  return entries;
}

TEST_CASE("a help has at most two lines an option, and --long all that is said of it") {
  std::size_t shortened = 0;
  for (const std::string& name : listed_commands()) {
    const auto entries = entries_of({name, "-h"});
    const auto all = entries_of({"help", name, "--long"});
    REQUIRE(entries.size() == all.size());
    bool lacks_some = false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      CAPTURE(entries[i].front());
      CHECK(entries[i].size() <= 2);
      const bool is_cut = entries[i].back().ends_with("…");
      if (!is_cut) CHECK(entries[i] == all[i]);
      CHECK_FALSE(all[i].back().ends_with("…"));
      shortened += is_cut ? 1 : 0;
      lacks_some = lacks_some || is_cut;
    }
    Command command;
    command.arguments = {name, "-h"};
    CHECK((run(command).out.find("help " + name + " --long") != std::string::npos) == lacks_some);
  }
  CHECK(shortened > 50);
}

TEST_CASE("headlight alone, -h and help name help tasks") {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{}, {"-h"}, {"help"}}) {
    Command command;
    command.arguments = arguments;
    CHECK(run(command).out.find("headlight help tasks") != std::string::npos);
  }
}

TEST_CASE("headlight alone ends in three things to do") {
  const std::string out = run(Command()).out;
  const std::size_t begin = out.find("\nThree things to do:\n");
  REQUIRE(begin != std::string::npos);
  std::size_t things = 0;
  for (std::size_t at = begin; (at = out.find("\n  headlight ", at)) != std::string::npos; ++at)
    ++things;
  CHECK(things == 3);
}

TEST_CASE("no line of a help is wider than 80 columns, or than COLUMNS") {
  for (const auto& arguments : all_help()) {
    CAPTURE(arguments.empty() ? "" : arguments.front());
    for (const std::size_t columns : {std::size_t{0}, std::size_t{60}, std::size_t{120}}) {
      Command command;
      command.arguments = arguments;
      if (columns > 0) command.environment = {"COLUMNS=" + std::to_string(columns)};
      const Outcome outcome = run(command);
      check_sane(outcome);
      CHECK(outcome.status == 0);
      std::size_t widest = 0;
      for (const std::string& line : lines_of(outcome.out)) {
        CAPTURE(line);
        if (columns != 60 || !is_example(line))
          CHECK(columns_of(line) <= (columns > 0 ? columns : 80));
        widest = std::max(widest, columns_of(line));
      }
      if (columns == 120 && arguments.size() == 2 && arguments[0] == "classify") CHECK(widest > 80);
    }
  }
}

TEST_CASE("no help says twice what an option needs") {
  for (const auto& arguments : all_help()) {
    Command command;
    command.arguments = arguments;
    std::istringstream lines(run(command).out);
    const std::vector<std::string> words{std::istream_iterator<std::string>(lines), {}};
    std::set<std::string> needed;  // in one list: "needs --format html and --live;"
    std::string one;
    bool lists = false;
    for (std::string word : words) {
      const bool ends = word.ends_with(';');
      if (ends) word.pop_back();
      if (lists && word != "and") one += word + ' ';
      if (lists && (ends || word == "and")) {
        const std::string need = std::exchange(one, "");
        CAPTURE(need);
        CHECK(needed.insert(need).second);
      }
      if (!lists || ends) needed.clear();
      lists = word == "needs" || (lists && !ends);
    }
  }
}

TEST_CASE("help tasks names commands and options that exist") {
  Command command;
  command.arguments = {"help", "tasks"};
  const Outcome outcome = run(command);
  check_sane(outcome);
  std::size_t found = 0;
  for (const std::string& line : lines_of(outcome.out)) {
    CAPTURE(line);
    CHECK(columns_of(line) <= 80);
    if (!line.starts_with("      ")) continue;
    std::istringstream text(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    REQUIRE(words.size() > 2);
    CHECK(words[0] == "headlight");
    command.arguments = {words[1], "--help"};
    Outcome help = run(command);
    CHECK(help.status == 0);
    std::ranges::replace(help.out, '\n', ' ');
    for (const std::string& word : words) {
      if (word.starts_with('-')) CHECK(help.out.find(word + ' ') != std::string::npos);
    }
    ++found;
  }
  CHECK(found > 20);
}

TEST_CASE("what is often used comes first, rarely used options last, and -o before all") {
  for (const std::string& command : listed_commands()) {
    CAPTURE(command);
    const std::vector<std::string> groups = help_page_of(command).groups;
    CHECK_FALSE(std::ranges::count(groups, "Options"));
    if (std::ranges::count(groups, "Rarely used")) CHECK(groups.back() == "Rarely used");
    const auto options = help_page_of(command).options;
    const auto output = std::ranges::find(options, "--output", &HelpOption::name);
    if (output != options.end()) CHECK(output == options.begin());
  }
  CHECK(help_page_of("classify").groups == std::vector<std::string>{"Often used", "Input", "Model",
                                                                    "Zero-shot", "Result", "Output",
                                                                    "Run", "Rarely used"});
}

/// What the examples name.
void add_files(const TemporaryFolder& files) {
  const fs::path place = files.path();
  const fs::path source = HEADLIGHT_SOURCE;
  fs::create_directories(place / "path/to");
  fs::create_directory_symlink(source / "configs", place / "configs");
  fs::create_directory_symlink(source / "data/models/sentiment", place / "path/to/model");
  fs::create_directory_symlink(kGolden + "published/bert-token-labels",
                               place / "path/to/ner-model");
  fs::create_directory_symlink(source / "data/models/sentiment-stream",
                               place / "path/to/causal-model");
  fs::create_directory_symlink(kGolden + "sentences/mean-normalize", place / "all-MiniLM-L6-v2");
  files.write("texts.txt", "a fine film\nbook a table\n");
  files.write("reviews.txt", "a fine film\na dull film\n");
  files.write("faq.csv", "question\nwhere is my card\nwho are you\n");
  files.write("pairs.jsonl", R"({"query": "a", "text": "ab", "label": 1})"
                             "\n");
  files.write("reviews.csv", "review,stars\na fine film,5\na dull film,1\n");
  files.write("reviews.jsonl", R"({"text": "a fine film", "label": "positive", "product": "film"})"
                               "\n"
                               R"({"text": "a dull film", "label": "positive", "product": "film"})"
                               "\n");
  std::string reviews = "text\tlabel\n";
  std::string tickets = "text,topic\n";
  for (const std::string word : {"one", "two", "three", "four", "five", "six", "seven"}) {
    reviews += word + " fine film\tpositive\n" + word + " dull film\tnegative\n";
    tickets += word + " parcel is late,delivery\n" + word + " card is lost,payment\n";
  }
  files.write("reviews.tsv", reviews);
  files.write("dev.tsv",
              "text\tlabel\na film that is fine\tpositive\na film that is dull\tnegative\n");
  files.write("tickets.csv", tickets);
  files.write("tickets.jsonl",
              R"({"key": "t1", "body": "it works now, thanks", "queue": "positive"})"
              "\n"
              R"({"key": "t2", "body": "it is broken again", "queue": "negative"})"
              "\n");
}

TEST_CASE("the examples of each help run, and say nothing that is wrong") {
  const std::string path = fs::path(live_program()).parent_path().string() + ":/usr/bin:/bin";
  for (const auto& arguments : all_help()) {
    if (arguments.empty()) continue;
    Command help;
    help.arguments = arguments;
    std::size_t examples = 0;
    for (const std::string& line : lines_of(run(help).out)) {
      if (!is_example(line) || !line.starts_with("  ") || line[2] == ' ') continue;
      CAPTURE(line);
      const TemporaryFolder files;
      add_files(files);
      Command command;
      command.program = "/bin/sh";
      const bool needs_fit = line.find("-m my-model") != std::string::npos;
      const std::string fit = "headlight fit tickets.csv --label topic -o my-model -q >log && ";
      command.arguments = {"-c", (needs_fit ? fit : "") + line};
      command.environment = {"PATH=" + path, "HOME=" + files.path()};
      command.directory = files.path();
      command.input = "not bad at all\n";
      const Outcome outcome = run(command);
      check_sane(outcome);
      CHECK(outcome.status == 0);
      CHECK(outcome.err.find("could not") == std::string::npos);
      ++examples;
    }
    CHECK(examples >= 2);
  }
}

}  // namespace
}  // namespace headlight::help_test
