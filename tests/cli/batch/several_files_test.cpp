// Files that are read one after another as one: batch, evaluate and fit FILE FILE…
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/compression.h"
#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::several_files_test {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;  // name, content

void write(const ToyPlace& place, const Files& files) {
  for (const auto& [name, content] : files) {
    const Compression compression = compression_of(name);
    place.files().write(
        name, compression == Compression::none ? content : compressed_member(compression, content));
  }
}

Arguments names_of(const Files& files) {
  Arguments names;
  for (const auto& [name, content] : files) names.push_back(name);
  return names;
}

const std::string kJson = R"({"text":"good"}
{"id":"x"}
{"text":"bad","label":"negative"})";

TEST_CASE("files give the rows of one file with all their rows, and numbers run on") {
  struct Case {
    Files files;
    std::string one;  // their rows in one file
    Arguments options;
  };
  for (const auto& [files, one, options] : std::vector<Case>{
           {{{"a.jsonl", kJson}, {"b.jsonl.zst", kJson}}, kJson + '\n' + kJson, {}},
           {{{"a.jsonl.gz", kJson}, {"b.ndjson", ""}, {"c.jsonl", kJson}},
            kJson + '\n' + kJson,
            {}},
           {{{"a.txt", "good\n"}, {"b.txt", ""}, {"c.txt", "bad\n\ngood"}},
            "good\nbad\n\ngood",
            {}},
           {{{"a.txt", ""}, {"b.txt", ""}}, "", {}},
           {{{"a.txt", "a\nb\nc\n"}, {"b.txt", "good\nbad\n"}},
            "a\nb\nc\ngood\nbad\n",
            {"--skip", "2", "--limit", "2", "--echo-text"}},
           {{{"a.txt", "a\nb\nc\n"}, {"b.txt", "good\nbad\n"}},
            "a\nb\nc\ngood\nbad\n",
            {"--shard", "1/2", "--echo-text"}},
           {{{"a.csv", "id,text\n1,good\n"}, {"b.csv", "\xEF\xBB\xBFtext,id\r\nbad,2\r\n"}},
            "id,text\n1,good\n2,bad\n",
            {"--keep", "--format", "csv"}},
           {{{"a.csv", "id,text\n1,good\n"}, {"b.csv", "sep=;\nx;text\n5;bad\n"}, {"c.csv", ""}},
            "text\ngood\nbad\n",
            {"--format", "fasttext"}},
           {{{"a.csv", "good\n"}, {"b.csv", "bad\n"}},
            "good\nbad\n",
            {"--no-header", "--text", "1"}},
       }) {
    const ToyPlace place;
    write(place, files);
    const std::string ending = files[0].first.substr(1, files[0].first.find('.', 2) - 1);
    place.files().write("one" + ending, one);
    const Arguments batch = with({"batch", "-m", "toy", "--row-errors-ok", "-q"}, options);
    CAPTURE(files[0].first);
    const Outcome outcome = place.run(with(batch, names_of(files)));
    CHECK(outcome.complaint() == "");
    CHECK(outcome.status == 0);
    CHECK(outcome.out == place.run(with(batch, {"one" + ending})).out);
  }
}

TEST_CASE("a row has the name of its file where that is asked for, and in messages") {
  const ToyPlace place;
  write(place, {{"a.jsonl", kJson}, {"b.jsonl", kJson}});
  const Outcome outcome = place.run({"batch", "a.jsonl", "./b.jsonl", "-m", "toy", "--file-field",
                                     "from", "--format", "csv", "--skip", "2"});
  CHECK(outcome.out.starts_with("id,from,label,"));
  CHECK(outcome.out.find("\n2,a.jsonl,negative,") != std::string::npos);
  CHECK(outcome.out.find("\n3,./b.jsonl,positive,") != std::string::npos);
  CHECK(outcome.out.find("\nx,./b.jsonl,,,,") != std::string::npos);
  check_last_reason(outcome, 3, "first error: row x (row 4, ./b.jsonl, line 2): gives no tokens");
  check_refusal(
      place.run({"batch", "a.jsonl", "b.jsonl", "-m", "toy", "--keep", "--file-field", "text"}), 2,
      "column \"text\" of the input has the name of an output column; choose another --file-field");
  check_refusal(place.run({"batch", "a.jsonl", "-m", "toy", "--file-field", "label"}), 2,
                "--file-field|another column \"label\"|choose another name");
}

TEST_CASE("what cannot be one file is refused with its name before anything is written") {
  const ToyPlace place;
  write(place, {{"a.csv", "id,text\n1,good\n"},
                {"more.csv", "id,text,x\n1,good,2\n"},
                {"other.csv", "id,txt\n1,good\n"},
                {"a.jsonl", kJson},
                {"torn.csv.gz", "id,text\n1,good\n"}});
  const std::string whole = place.files().read("torn.csv.gz");
  place.files().write("torn.csv.gz", "PK" + whole);
  struct Case {
    Arguments arguments;
    std::string reason;
    int status = 1;
  };
  for (const auto& [arguments, reason, status] : std::vector<Case>{
           {{"a.csv", "a.jsonl"}, "a.jsonl has another format than a.csv|--input-format", 2},
           {{"a.csv", "none.csv"}, "none.csv: No such file"},
           {{"a.csv", "other.csv"}, "other.csv: has no column \"text\""},
           {{"a.csv", "more.csv", "--keep"}, "more.csv: has the columns id, text, x, but |--keep"},
           {{"a.csv", "torn.csv.gz"}, "torn.csv.gz: "},
       }) {
    CAPTURE(reason);
    check_refusal(place.run(with({"batch", "-m", "toy", "-o", "out"}, arguments)), status, reason);
    CHECK_FALSE(place.files().has("out"));
  }
  check_refusal(place.run({"batch", "more.csv", "a.csv", "-m", "toy", "-o", "a.csv", "--force"}), 1,
                "a.csv: is read by this command");
}

TEST_CASE("a run over files is resumed in any of them, and files are appended") {
  const ToyPlace place;
  const std::string more = "good\n\xFF\nbad\n";
  write(place, {{"a.txt", "good\nbad\n"}, {"b.txt", more}, {"c.txt", "a\n"}});
  const Arguments batch = {"batch", "a.txt", "b.txt", "-m", "toy", "-q", "-o", "out"};
  const Arguments resume = with(batch, {"--resume"});
  check_last_reason(place.run(with(batch, {"--on-error", "stop"})), 1,
                    "row 3 (b.txt, line 2): not valid UTF-8");
  CHECK(lines_of(place.files().read("out.partial")).size() == 3);
  place.files().write("b.txt", more + "a\n");
  check_refusal(place.run(resume), 1, "another input: its content of file 2 was");
  place.files().write("b.txt", more);
  check_refusal(place.run(with(resume, {"c.txt"})), 1, "another input: its content of file 3 was");
  CHECK(place.run(resume).status == 3);
  const Arguments fresh = {"batch", "a.txt", "b.txt", "c.txt", "-m", "toy", "-q"};
  const std::string all = place.run(fresh).out;
  CHECK(lines_of(all).size() == 6);
  CHECK(place.run(resume).status == 3);
  check_last_reason(place.run(with(resume, {"c.txt"})), 1, "before 1 row was appended|--append");
  CHECK(place.run(with(resume, {"c.txt", "--append"})).status == 3);
  CHECK(place.files().read("out") == all);

  const Arguments named = {"batch", "a.txt", "-m", "toy", "-o", "named", "--file-field", "f"};
  CHECK(place.run(named).status == 0);
  write(place, {{"z.txt", "good\nbad\n"}});
  Arguments renamed = with(named, {"--resume"});
  renamed[1] = "z.txt";
  check_last_reason(place.run(renamed), 1, "named was written for other rows");
}

TEST_CASE("evaluate and fit read several files as one") {
  const ToyPlace place;
  const std::string rows = "good,positive\nbad,negative\ngood good,positive\nbad bad,negative\n";
  write(place, {{"a.csv", "text,label\n" + rows},
                {"b.csv.gz", "text,label\na,negative\n"},
                {"one.csv", "text,label\n" + rows + "a,negative\n"}});
  const Arguments evaluate = {"evaluate", "-m", "toy"};
  CHECK(place.output(with(evaluate, {"a.csv", "b.csv.gz"})) ==
        place.output(with(evaluate, {"one.csv"})));
  const auto fit = [&](const Arguments& files, const std::string& out) {
    return place.output(with({"fit", "-m", "toy", "--dev-share", "0", "-q", "-o", out}, files));
  };
  CHECK(fit({"a.csv", "b.csv.gz"}, "two").find("5 of a.csv and 1 more file") != std::string::npos);
  fit({"one.csv"}, "one");
  CHECK(place.files().read("two/model.safetensors") == place.files().read("one/model.safetensors"));
  CHECK(place.files().read("two/README.md").find("fit a.csv b.csv.gz ") != std::string::npos);
}

}  // namespace
}  // namespace headlight::several_files_test
