#include "report/predictions/row_writer.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::row_writer_test {
namespace {

LabelSet two_labels(ProblemType type = ProblemType::single_label) {
  return {{"no", "yes, sure"}, type, true, {}};
}

ScoredRow<Prediction> row_of(std::vector<KeptField> kept = {}) {
  ScoredRow<Prediction> scored;
  scored.row.id = {"1.0", false};
  scored.row.input = {"a \"b\"", "c\nd", {}};
  scored.row.kept = std::move(kept);
  scored.result.logits = {-1.5F, 0.5F};
  scored.result.scores = {0.125F, 0.875F};
  scored.result.best = 1;
  return scored;
}

RowLayout layout_of(RowFormat format) {
  RowLayout layout;
  layout.format = format;
  layout.id = "id";
  layout.view.windows = false;
  return layout;
}

/// The header and one line.
std::string written(const LabelSet& labels, const RowLayout& layout,
                    const ScoredRow<Prediction>& row) {
  RowWriter writer(labels, layout);
  std::vector<std::string> columns;
  for (const auto& field : row.row.kept) columns.push_back(field.name);
  CHECK_FALSE(writer.take_columns(columns).has_value());
  return writer.header() + writer.row(row);
}

TEST_CASE("a table has the columns of the contract, in its order") {
  const LabelSet single = two_labels();
  const LabelSet multi = two_labels(ProblemType::multi_label);
  LabelSet bare = single;
  bare.probabilities = false;
  const LabelSet value = {{"stars"}, ProblemType::regression, false, {}};
  const LabelSet values = {{"a", "b"}, ProblemType::regression, false, {}};
  ScoredRow<Prediction> one_value = row_of();
  one_value.result.logits = one_value.result.scores = {3.25F};
  one_value.result.best = 0;
  ScoredRow<Prediction> failed = row_of();
  failed.result = {};
  failed.result.error = "too, long";
  ScoredRow<Prediction> cut = row_of();
  cut.result.truncated = 4;
  RowLayout plain = layout_of(RowFormat::csv);
  RowLayout all = plain;
  all.text = all.pair = true;
  all.view.logits = all.view.probabilities = all.view.tokens = all.view.windows = true;
  all.view.top_k = 1;
  RowLayout prefixed = plain;
  prefixed.view.prefix = "my_";
  RowLayout headless = layout_of(RowFormat::tsv);
  headless.header = false;
  headless.text = true;
  headless.null = "\\N";

  struct Row {
    const LabelSet* labels;
    const RowLayout* layout;
    const ScoredRow<Prediction>* row;
    std::string lines;
  };
  const ScoredRow<Prediction> row = row_of();
  const Row rows[] = {
      {&single, &plain, &row, "id,label,probability,truncated,error\n1.0,\"yes, sure\",0.875,,\n"},
      {&single, &plain, &cut, "id,label,probability,truncated,error\n1.0,\"yes, sure\",0.875,4,\n"},
      {&single, &plain, &failed, "id,label,probability,truncated,error\n1.0,,,,\"too, long\"\n"},
      {&single, &prefixed, &row,
       "my_id,my_label,my_probability,my_truncated,my_error\n1.0,\"yes, sure\",0.875,,\n"},
      {&single, &all, &row,
       "id,text,pair,label,probability,labels,logit.no,\"logit.yes, sure\",probability.no,"
       "\"probability.yes, sure\",tokens,truncated,windows,error\n"
       "1.0,\"a \"\"b\"\"\",\"c\nd\",\"yes, sure\",0.875,\"yes, "
       "sure\",-1.5,0.5,0.125,0.875,0,,,\n"},
      {&bare, &plain, &row, "id,label,truncated,error\n1.0,\"yes, sure\",,\n"},
      {&multi, &plain, &row,
       "id,label,probability,labels,truncated,error\n1.0,\"yes, sure\",0.875,\"yes, sure\",,\n"},
      {&value, &plain, &one_value, "id,value,truncated,error\n1.0,3.25,,\n"},
      {&values, &plain, &row, "id,value.a,value.b,truncated,error\n1.0,0.125,0.875,,\n"},
      {&single, &headless, &row, "1.0\ta \"b\"\tyes, sure\t0.875\t\\N\t\\N\n"},
      {&single, &headless, &failed, "1.0\ta \"b\"\t\\N\t\\N\t\\N\ttoo, long\n"},
  };
  for (const auto& [labels, layout, scored, lines] : rows) {
    CHECK(written(*labels, *layout, *scored) == lines);
  }
}

TEST_CASE("what is kept comes first, and an id stands there once") {
  const std::vector<KeptField> kept = {
      {"id", "1.0", false}, {"n", "[ 1,\t\"\xC2\x85\\n\" ]", false}, {"s", "x", true}};
  const std::string verdict = R"("label":"yes, sure","probability":0.875})";
  struct Row {
    RowFormat format;
    std::string id;
    std::string prefix;
    std::string lines;
  };
  const Row rows[] = {
      {RowFormat::jsonl, "id", "", R"({"id":1.0,"n":[ 1,"\u0085\n" ],"s":"x",)" + verdict + "\n"},
      {RowFormat::jsonl, "s", "my_",
       R"({"id":1.0,"n":[ 1,"\u0085\n" ],"s":"x","my_id":1.0,"my_label":"yes, sure",)"
       "\"my_probability\":0.875}\n"},
      {RowFormat::csv, "id", "my_",
       "id,n,s,my_label,my_probability,my_truncated,my_error\n"
       "1.0,\"[ 1,\t\"\"\xC2\x85\\n\"\" ]\",x,\"yes, sure\",0.875,,\n"},
  };
  for (const auto& [format, id, prefix, lines] : rows) {
    RowLayout layout = layout_of(format);
    layout.keep = true;
    layout.id = id;
    layout.view.prefix = prefix;
    CHECK(written(two_labels(), layout, row_of(kept)) == lines);
  }
  RowLayout layout = layout_of(RowFormat::csv);
  layout.keep = true;
  const LabelSet labels = two_labels();
  RowWriter writer(labels, layout);
  CHECK_FALSE(writer.take_columns({"id", "s"}).has_value());
  ScoredRow<Prediction> unreadable = row_of();
  unreadable.result = {};
  unreadable.result.error = "bad";
  CHECK(writer.row(unreadable) == "1.0,,,,,bad\n");
}

TEST_CASE("a field of the input that clashes with an output column is refused") {
  const LabelSet labels = two_labels();
  struct Row {
    RowFormat format;
    std::string name;
    bool refused;
  };
  const Row rows[] = {
      {RowFormat::jsonl, "label", true},        {RowFormat::jsonl, "error", true},
      {RowFormat::jsonl, "truncated", true},    {RowFormat::jsonl, "logits", true},
      {RowFormat::jsonl, "logit.no", false},    {RowFormat::jsonl, "text", false},
      {RowFormat::csv, "logit.no", true},       {RowFormat::csv, "logits", false},
      {RowFormat::csv, "probabilities", false},
  };
  for (const auto& [format, name, refused] : rows) {
    CAPTURE(name);
    RowLayout layout = layout_of(format);
    layout.keep = true;
    layout.view.logits = true;
    RowWriter writer(labels, layout);
    CHECK(writer.take_columns({"a", name}).has_value() == refused);
    layout.view.prefix = "my_";
    RowWriter prefixed(labels, layout);
    CHECK_FALSE(prefixed.take_columns({"a", name}).has_value());
  }
  RowLayout layout = layout_of(RowFormat::csv);
  layout.keep = true;
  RowWriter writer(labels, layout);
  CHECK_FALSE(writer.take_columns({"id", "a"}).has_value());
  CHECK(writer.complaint(row_of({{"a", "1", true}}).row).empty());
  CHECK(writer.complaint(row_of({{"b", "1", true}}).row) ==
        "field \"b\" is not in the first row, which defines the columns");
  CHECK(
      writer.complaint(row_of({{"error", "1", true}}).row) ==
      "field \"error\" clashes with an output column; --column-prefix renames the output columns");
}

TEST_CASE("the field of the file is no other output column, and a clash has its way out") {
  const LabelSet labels = two_labels();
  struct Row {
    std::string file;
    RowFormat format;
    bool clashes;
    std::string prefix = "";
  };
  const Row rows[] = {
      {"id", RowFormat::jsonl, true},          {"label", RowFormat::jsonl, true},
      {"error", RowFormat::csv, true},         {"probability", RowFormat::csv, true},
      {"text", RowFormat::jsonl, true},        {"from", RowFormat::jsonl, false},
      {"label", RowFormat::csv, false, "my_"}, {"my_label", RowFormat::csv, true, "my_"},
  };
  for (const auto& [file, format, clashes, prefix] : rows) {
    CAPTURE(file);
    RowLayout layout = layout_of(format);
    layout.text = true;
    layout.file = file;
    layout.view.prefix = prefix;
    CHECK(RowWriter(labels, layout).file_clashes() == clashes);
  }
  RowLayout layout = layout_of(RowFormat::jsonl);
  layout.file = "from";
  CHECK(RowWriter(labels, layout).way_out("label") == "--column-prefix renames the output columns");
  layout.view.prefix = "my_";
  CHECK(RowWriter(labels, layout).way_out("my_label") == "choose another --column-prefix");
  CHECK(RowWriter(labels, layout).way_out("from") == "choose another --file-field");
}

TEST_CASE("hf is a line of what a pipeline returns, spelled by json.dumps") {
  const auto line = [&](const LabelSet& labels, const ScoredRow<Prediction>& row,
                        std::optional<std::size_t> most = {}) {
    RowLayout layout = layout_of(RowFormat::hf);
    layout.view.top_k = most;
    return written(labels, layout, row);
  };
  const LabelSet two = two_labels();
  CHECK(line(two, row_of()) == "[{\"label\": \"yes, sure\", \"score\": 0.875}]\n");
  CHECK(line(two, row_of(), 9) ==
        "[{\"label\": \"yes, sure\", \"score\": 0.875}, {\"label\": \"no\", \"score\": 0.125}]\n");
  CHECK(line(two_labels(ProblemType::multi_label), row_of()) == line(two, row_of()));
  ScoredRow<Prediction> bare = row_of();
  bare.result.scores.clear();
  CHECK(line(two, bare) == "[{\"label\": \"yes, sure\", \"score\": 0.5}]\n");
  ScoredRow<Prediction> failed = row_of();
  failed.result.error = "too \"long\"";
  CHECK(line(two, failed) == "{\"error\": \"too \\\"long\\\"\"}\n");
  LabelSet candidates = two;
  candidates.zero_shot = true;
  ScoredRow<Prediction> text = row_of();
  text.row.input.text = "\u00e9\b\f\n\x7f\U0001f600";
  CHECK(line(candidates, text) ==
        "{\"sequence\": \"\\u00e9\\b\\f\\n\\u007f\\ud83d\\ude00\", "
        "\"labels\": [\"yes, sure\", \"no\"], \"scores\": [0.875, 0.125]}\n");
  LabelSet tokens = two;
  tokens.each_token = true;
  ScoredRow<Prediction> found = row_of();
  CHECK(line(tokens, found) == "[]\n");
  found.result.token_labels.entities = {{"PER", "Ada", {3, 6}, 0.5F, {}, "ada"},
                                        {"B-PER", "Ada", {3, 6}, 0.5F, 2, "ada"}};
  CHECK(
      line(tokens, found) ==
      "[{\"entity_group\": \"PER\", \"score\": 0.5, \"word\": \"ada\", \"start\": 3, \"end\": 6}, "
      "{\"entity\": \"B-PER\", \"score\": 0.5, \"index\": 2, \"word\": \"ada\", \"start\": 3, "
      "\"end\": 6}]\n");
}

TEST_CASE("fasttext is a line of labels and probabilities, as predict-prob prints them") {
  LabelSet labels = two_labels();
  labels.names = {"no", "yes"};
  RowLayout layout = layout_of(RowFormat::fasttext);
  CHECK(written(labels, layout, row_of()) == "__label__yes 0.875\n");
  layout.view.top_k = 9;
  CHECK(written(labels, layout, row_of()) == "__label__yes 0.875 __label__no 0.125\n");
  layout.view.threshold = 0.9F;
  CHECK(written(labels, layout, row_of()) == "\n");
  ScoredRow<Prediction> failed = row_of();
  failed.result.error = "too\nlong";
  CHECK(written(labels, layout, failed) == "__error__ too\\nlong\n");
}

}  // namespace
}  // namespace headlight::row_writer_test
