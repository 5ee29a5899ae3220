// headlight attention --input FILE: the statistics of each row of a file, or its arrays.

#include <memory>
#include <utility>

#include "commands/attention.h"
#include "commands/command.h"
#include "commands/row_run.h"
#include "report/attention/attention_arrays.h"
#include "report/attention/attention_report.h"
#include "report/predictions/prediction_report.h"
#include "rows/whole_rows.h"

namespace headlight {
namespace {

struct RowAttention : TextResult {
  std::string statistics;                    // an object of JSON and a newline
  std::shared_ptr<const ViewedText> viewed;  // for arrays
};

/// A row as {"id": 7, …the statistics…} or {"id": 7, "error": "…"}, or as the arrays of an NPZ
/// file, without those that have an error.
class AttentionRows : public RowSerializer {
 public:
  AttentionRows(bool is_npz, bool ascii) : is_npz_(is_npz), ascii_(ascii) {}

  std::string row(const ScoredRow<RowAttention>& scored) {
    const auto& [row, result] = scored;
    std::string line;
    if (is_npz_) {
      if (!result.viewed) return line;
      add_attention_arrays(result.viewed->view, std::to_string(row.number) + '/', npz_);
      return std::exchange(bytes_, "");
    }
    JsonWriter json(line, ascii_);
    json.begin_object().key("id");
    write_id(json, row.id);
    if (result.error.empty()) return line + ',' + result.statistics.substr(1);
    json.field("error", result.error).end_object();
    return line + '\n';
  }
  std::string ending() const override { return is_npz_ ? npz_.ending() : ""; }

 private:
  bool is_npz_;
  bool ascii_;
  std::string bytes_;  // of the archive, not yet written
  NpzWriter npz_{[this](const std::string& bytes) { bytes_ += bytes; }};
};

}  // namespace

void add_rows_to(CLI::App& command, AttentionCommand& attention) {
  rule(attention.rows.add_input_to(command))
      .excludes("TEXT or --pair", "whose place it takes")
      .needs("--stats or --format npz", "which go on row by row")
      .excludes("--format json, svg, npy or html", "because --stats writes a line of JSONL per row")
      .excludes("--type-ids");
  {
    const NeedOfAll all(command, "--input");
    attention.rows.add_reading_to(command);
    attention.row_run.resume.add_to(command);
    attention.row_run.errors.add_to(command);
  }
  rule(command.get_option("--resume"))
      .excludes("--format npz",
                "whose list of arrays is written last; split the rows with --shard");
  rule(command.get_option("--format"), "jsonl").needs("--input", "whose rows it has");
  attention.row_run.progress.add_to(command);
}

int show_rows(const AttentionCommand& command) {
  command.rows.check();
  const auto [engine, model] = command.start_with_attention(Workload::many);
  command.options.choose(model.description, {}, {});  // refuses other layers and heads
  const bool is_npz = command.output.format() == OutputFormat::npz;
  const Classifier classifier(model, command.text.classifier_options());
  const auto input = command.rows.open(command.console);
  WholeRowFinder finder((RowShape()));
  RowRun run(command.row_run, command.rows, command.output, command.console, engine);
  if (!run.open(*input, model, finder)) return run.status();
  TypedIdRows typed(*input, command.text.has_ids());
  run.read_ahead(typed);
  const ValueNorms norms(model);
  const auto view = [&](const TextInput& text) {
    std::optional<RowAttention> row(std::in_place);
    auto viewed = std::make_shared<const ViewedText>(command, classifier, text, &norms);
    const TextResult& scored = viewed->text.prediction;
    static_cast<TextResult&>(*row) = scored;
    if (!is_npz) row->statistics = attention_json(viewed->view, viewed->look);
    if (is_npz) row->viewed = std::move(viewed);
    return row;
  };
  const ScoreTexts<RowAttention> score = [&](auto texts, ScoringScratch& /*scratch*/) {
    return score_each<RowAttention>(texts, view);
  };
  AttentionRows writer(is_npz, command.output.ascii());
  return run.score(score, writer, /*rows_at_once=*/1);
}

}  // namespace headlight
