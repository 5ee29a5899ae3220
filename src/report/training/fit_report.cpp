#include "report/training/fit_report.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/utf8.h"
#include "report/evaluation/evaluation_report.h"
#include "report/evaluation/evaluation_view.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"

namespace headlight {
namespace {

/// The figures of the development rows.
Facts figure_facts(const DevelopmentFigures& figures) {
  constexpr std::array kShown = {
      "accuracy", "subset_accuracy", "macro_f1", "micro_f1", "log_loss", "ece", "mse",
      "mae",      "pearson"};
  Facts facts;
  for (const char* field : kShown) {
    const Measure* measure = figures.evaluation.find(field);
    // With one label per row, micro F1 is the accuracy.
    const bool is_again = std::string_view(field) == "micro_f1" && figures.evaluation.confusion;
    if (measure == nullptr || is_again) continue;
    facts.emplace_back(measure->name, measure_text(*measure));
  }
  const auto& [file, temperature, thresholds] = figures.calibration;
  if (temperature) facts.emplace_back("temperature", decimal(*temperature));
  if (!thresholds.empty()) {
    const auto [least, most] = std::ranges::minmax(thresholds);
    facts.emplace_back("thresholds", decimal(least) + " to " + decimal(most));
  }
  return facts;
}

/// The score on the development rows of an earlier model, with the one that it had.
Facts earlier_facts(const Fit& report) {
  if (!report.figures || !report.figures->earlier) return {};
  const Evaluation& evaluation = *report.figures->earlier;
  const Measure& after = evaluation.measures.front();
  Measure before = after;
  before.value = report.earlier->score;
  before.interval.reset();
  return {{"earlier development", counted(evaluation.rows, "row") + " of " +
                                      printable(report.earlier->name) + ": " + after.name + ' ' +
                                      measure_text(after) + "; before " + measure_text(before)}};
}

void write_earlier(JsonWriter& json, const Fit& report) {
  if (!report.figures->earlier) return;
  const Evaluation& evaluation = *report.figures->earlier;
  const Measure& after = evaluation.measures.front();
  json.key("earlier").begin_object().field("model", report.earlier->name);
  json.field("rows", evaluation.rows).field("measure", after.field);
  json.field("before", report.earlier->score).field("after", after.value).end_object();
}

std::string origin_of_dev_rows(const Fit& report) {
  if (report.folds > 0) {
    return "scored in " + std::to_string(report.folds) +
           " folds by models that were trained without them, seed " + std::to_string(report.seed);
  }
  if (!report.dev_file.empty()) return printable(report.dev_file);
  return "held out from the same file, " + percent(report.dev_share) +
         (report.train_counts.empty() || report.labels.names.empty() ? "" : " of each label") +
         ", seed " + std::to_string(report.seed);
}

/// A field of what was made, of which rows.
struct Field {
  const char* key;                           // in JSON
  const char* title;                         // in the text and in the card
  std::string (*text)(const Fit&);           // "": not shown
  void (*write)(const Fit&, JsonWriter&);    // the value in JSON
  bool (*is_written)(const Fit&) = nullptr;  // nullptr: always
};

bool has_files(const Fit& made) { return !made.files.empty(); }
bool has_labels(const Fit& made) { return !made.labels.names.empty(); }

/// In the order of text, JSON and card.
const std::array kFields = {
    Field{"train_rows", "training rows",
          [](const Fit& made) {
            return std::to_string(made.train_rows) + " of " + printable(made.file);
          },
          [](const Fit& made, JsonWriter& json) { json.number(made.train_rows); }},
    Field{"files", "rows of each file",
          [](const Fit& made) {
            return joined(made.files, ", ", [](const auto& file) {
              return std::to_string(file.second) + " of " + printable(file.first);
            });
          },
          [](const Fit& made, JsonWriter& json) {
            json.array(made.files, [&](const auto& file) {
              json.begin_object().field("file", file.first).field("rows", file.second).end_object();
            });
          },
          has_files},
    Field{"dev_rows", "development rows",
          [](const Fit& made) {
            return made.dev_rows == 0
                       ? "none"
                       : std::to_string(made.dev_rows) + ", " + origin_of_dev_rows(made);
          },
          [](const Fit& made, JsonWriter& json) { json.number(made.dev_rows); }},
    Field{"chosen", "chosen on these rows",
          [](const Fit& made) {
            return made.chosen.empty() || !made.figures
                       ? ""
                       : joined(made.chosen) + ": the figures are a little too good";
          },
          [](const Fit& made, JsonWriter& json) {
            json.array(made.chosen, [&](const std::string& each) { json.string(each); });
          },
          [](const Fit& made) { return !made.chosen.empty() && made.figures; }},
    Field{"errors", "rows with errors",
          [](const Fit& made) {
            return made.errors == 0 ? "" : std::to_string(made.errors) + ", not used";
          },
          [](const Fit& made, JsonWriter& json) { json.number(made.errors); }},
    Field{"unknown", "unknown tokens",
          [](const Fit& made) {
            const auto [unknown, own] = std::pair(made.read.unknown, made.read.own);
            return unknown == 0 ? ""
                                : percent(static_cast<double>(unknown) / static_cast<double>(own)) +
                                      " of those of all texts";
          },
          [](const Fit& made, JsonWriter& json) { json.number(made.read.unknown); },
          [](const Fit& made) { return made.read.unknown > 0; }},
    Field{"labels", "labels",
          [](const Fit& made) {
            if (made.labels.problem_type == ProblemType::regression || !has_labels(made))
              return std::string();
            const bool several = made.labels.problem_type == ProblemType::multi_label;
            return std::to_string(made.labels.names.size()) + (several ? ", several per row" : "");
          },
          [](const Fit& made, JsonWriter& json) { json.number(made.labels.names.size()); },
          has_labels},
    Field{"cosine", "cosine with teacher",
          [](const Fit& made) { return made.cosine ? decimal(*made.cosine) : ""; },
          [](const Fit& made, JsonWriter& json) { json.number(*made.cosine); },
          [](const Fit& made) { return made.cosine.has_value(); }},
    Field{"strength", "L2 strength",
          [](const Fit& made) { return made.strength ? formatted("%g", *made.strength) : ""; },
          [](const Fit& made, JsonWriter& json) { json.number(*made.strength); },
          [](const Fit& made) { return made.strength.has_value(); }}};

Facts row_facts(const Fit& report) {
  Facts facts;
  for (const Field& field : kFields) {
    if (std::string text = field.text(report); !text.empty()) {
      facts.emplace_back(field.title, std::move(text));
    }
  }
  return facts;
}

/// The trainings that were tried.
TextTable candidates_table(const Fit& report) {
  const FitCandidate& first = report.candidates.front();
  const bool is_share = first.measure != "r2";
  std::vector<std::string> heading = {"--train", first.measure, "95 % CI",
                                      "seconds", "MB",          "rows/s"};
  if (first.log_loss) heading.insert(heading.begin() + 3, "log loss");
  TextTable table(std::move(heading), 1);
  for (const FitCandidate& each : report.candidates) {
    const auto& range = each.interval;
    std::vector<std::string> row = {each.train + (each.chosen ? " (kept)" : ""),
                                    is_share ? percent(each.score) : decimal(each.score),
                                    !range     ? ""
                                    : is_share ? percent_range(range->low, range->high)
                                               : decimal(range->low) + "–" + decimal(range->high),
                                    fixed(each.seconds, 0),
                                    fixed(static_cast<double>(each.bytes) / 1e6, 1),
                                    grouped(static_cast<std::size_t>(each.rows_per_second))};
    if (each.log_loss) row.insert(row.begin() + 3, decimal(*each.log_loss));
    table.add(std::move(row));
  }
  return table;
}

/// Text for a cell of a table in Markdown.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (std::string_view("\\|*_`<[").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string table_of(const Facts& facts) {
  std::string table = "| | |\n|---|---|\n";
  for (const auto& [name, value] : facts) table += "| " + name + " | " + cell(value) + " |\n";
  return table;
}

std::string candidates_section(const Fit& report) {
  if (report.candidates.empty()) return "";
  std::string section =
      std::string("\n## What was tried\n\n") +
      (report.folds > 0 ? "Each row was scored by a model without its fold."
                        : "On the development rows.") +
      " A slower model is kept only if its loss is "
      "lower by more than the standard error of the difference. Seconds, of all folds and of "
      "the last training, and rows a second are those of a reference machine, computed from "
      "counts.\n\n";
  const TextTable table = candidates_table(report);
  bool is_header = true;
  for (const std::vector<std::string>& cells : table.rows()) {
    for (const std::string& text : cells) section += "| " + text + " ";
    section += "|\n";
    if (!std::exchange(is_header, false)) continue;
    section += "|---";
    for (std::size_t i = 1; i < cells.size(); ++i) section += "|--:";
    section += "|\n";
  }
  return section;
}

std::string labels_section(const Fit& report) {
  if (report.train_counts.empty() || report.labels.names.empty()) return "";
  std::string section =
      "\n## Labels\n\n| label | training rows | development rows |\n|---|--:|--:|\n";
  for (std::size_t i = 0; i < report.labels.names.size(); ++i) {
    section += "| " + cell(report.labels.names[i]) + " | " +
               std::to_string(report.train_counts[i]) + " | " +
               std::to_string(report.dev_counts[i]) + " |\n";
  }
  return section;
}

/// A number that YAML 1.1, too, reads as one: 1.0e-05.
std::string yaml_number(double number) {
  std::string text;
  JsonWriter(text).number(number);
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) {
    text.insert(exponent, ".0");
  }
  return text;
}

/// The field model-index of hubs: what was measured on the development rows.
void write_results(JsonWriter& json, const Fit& report) {
  json.begin_array().begin_object().field("name", report.name).key("results");
  json.begin_array().begin_object().key("task").begin_object();
  json.field("type", "text-classification").end_object().key("dataset").begin_object();
  const std::string& rows = report.dev_file.empty() ? report.file : report.dev_file;
  json.field("type", "development-rows").field("name", rows).end_object();
  json.key("metrics").array(report.figures->evaluation.measures, [&](const Measure& measure) {
    json.begin_object().field("type", measure.field).field("name", measure.name);
    json.key("value").raw(yaml_number(measure.value)).end_object();
  });
  json.end_object().end_array().end_object().end_array();
}

/// YAML, in which every value of JSON is one too.
std::string front_matter(const Fit& report) {
  std::map<std::string, std::string> fields = {{"library_name", "headlight"}};
  if (report.had_weights) fields["base_model"] = report.start;
  fields["pipeline_tag"] =
      report.labels.names.empty() ? "sentence-similarity" : "text-classification";
  for (const std::string& field : report.card_fields) {
    fields[field.substr(0, field.find('='))] = field.substr(field.find('=') + 1);
  }
  std::string text = "---\n";
  for (const auto& [name, value] : fields) {
    constexpr std::size_t kLongest = 1000;  // YAML: before a colon at most 1,024 characters
    std::string key;
    JsonWriter(key).string(name);
    text += key.size() > kLongest ? "? " + key + "\n: " : key + ": ";
    JsonWriter(text).string(value);
    text += '\n';
  }
  if (report.figures && !fields.contains("model-index")) {
    text += "model-index: ";
    JsonWriter json(text);
    write_results(json, report);
    text += '\n';
  }
  for (const auto& [character, escape] :  // which YAML forbids; all strings are quoted
       {std::pair("\uFFFE", "\\ufffe"), std::pair("\uFFFF", "\\uffff")}) {
    for (std::size_t at = 0; (at = text.find(character, at)) != std::string::npos;) {
      text.replace(at, std::string_view(character).size(), escape);
    }
  }
  return text + "---\n\n";
}

/// What is to be known of the figures of the development rows.
std::string about_figures(const Fit& report) {
  std::string text;
  std::vector<std::string> chosen = report.chosen;
  if (report.figures && report.labels.problem_type == ProblemType::multi_label) {
    chosen.emplace_back("between thresholds and 0.5");
  }
  if (report.figures && report.figures->is_calibrated) {
    const bool several = !report.figures->calibration.thresholds.empty();
    text = std::string(" For these figures, the temperature") +
           (several ? " and the thresholds were" : " was") +
           " fitted to four fifths of the development rows for each other fifth.";
  }
  if (!chosen.empty()) {
    text += " The development rows chose " + listed(chosen, chosen.size()) +
            ", so the figures on them are a little too good.";
  }
  if (report.is_refitted) {
    text += report.folds > 0
                ? " Each row was measured by a model that was trained without its fold; then "
                : " They were measured on a model that was trained without these rows; then ";
    const bool is_head = report.folds == 0 && report.strength && !report.encoder_is_trained;
    text += is_head ? "the last layer was fitted to all rows." : "it was trained on all.";
  }
  return text.empty() ? "" : '\n' + text.substr(1) + '\n';
}

const char* output_of(const LabelSet& labels) {
  if (labels.names.empty()) return "a vector that says what the text means";
  switch (labels.problem_type) {
    case ProblemType::multi_label:
      return "any number of the labels below, each with a probability";
    case ProblemType::regression:
      return "a number";
    default:
      return "one of the labels below, with a probability";
  }
}

}  // namespace

std::string fit_json(const Fit& report) {
  std::string document;
  JsonWriter json(document);
  json.begin_object().field("model", report.directory).field("start", report.start);
  for (const Field& field : kFields) {
    if (field.is_written != nullptr && !field.is_written(report)) continue;
    json.key(field.key);
    field.write(report, json);
  }
  if (report.start_is_best) json.field("trained", report.trained);
  if (!report.candidates.empty()) {
    json.key("candidates").array(report.candidates, [&](const FitCandidate& each) {
      json.begin_object().field("train", each.train).field("measure", each.measure);
      json.field("score", each.score);
      if (each.interval) {
        json.key("interval").begin_array().number(each.interval->low).number(each.interval->high);
        json.end_array();
      }
      if (each.log_loss) json.field("log_loss", *each.log_loss);
      json.field("seconds", each.seconds).field("bytes", each.bytes);
      json.field("rows_per_second", each.rows_per_second)
          .key("chosen")
          .raw(each.chosen ? "true" : "false")
          .end_object();
    });
  }
  if (report.figures) {
    write_calibration(json, report.labels.names, report.figures->calibration);
    json.key("development");
    write_evaluation(json, report.figures->labels, report.figures->evaluation);
    write_earlier(json, report);
  }
  json.end_object();
  return document + '\n';
}

std::string fit_text(const Fit& report) {
  return facts_text(row_facts(report)) +
         (report.start_is_best ? facts_text({{"trained", report.trained}}) : "") +
         (report.figures ? facts_text(figure_facts(*report.figures)) : "") +
         facts_text(earlier_facts(report)) +
         (report.candidates.empty() ? "" : candidates_table(report).text());
}

std::string fit_card(const Fit& report) {
  std::string card = front_matter(report) + "# " + printable(report.name) +
                     "\n\nInput: a text. Output: " + output_of(report.labels) +
                     ". This model was made by `headlight fit`. Use it for texts like the rows "
                     "that it was trained on.\n\n";
  Facts facts = {{"start", report.start},
                 {"trained", report.trained},
                 {"layout", report.layout},
                 {"encoder", report.architecture}};
  for (auto& fact : row_facts(report)) facts.push_back(std::move(fact));
  facts.emplace_back("training file", report.file_mark);
  if (!report.file_hash.empty()) facts.emplace_back("hash of the training file", report.file_hash);
  facts.emplace_back("hash of the start", report.start_hash);
  facts.emplace_back("made with", "headlight " + report.program);
  if (report.figures) {
    for (auto& [name, value] : figure_facts(*report.figures)) {
      const bool is_figure = !name.starts_with("temp") && !name.starts_with("thresh");
      facts.emplace_back(name + (is_figure ? " on the development rows" : ""), value);
    }
  }
  for (auto& fact : earlier_facts(report)) facts.push_back(std::move(fact));
  card += table_of(facts) + about_figures(report);
  if (report.labels.names.empty()) {
    card +=
        "\nThis is an encoder alone, without a classifier: `headlight embed` writes its vectors, "
        "and "
        "`headlight fit -m` makes a classifier of it.\n";
  }
  card +=
      candidates_section(report) + "\n## Training\n\n```\n" + printable(report.command) + "\n```\n";
  for (const std::string& note : report.notes) card += "\n- " + printable(note);
  if (!report.notes.empty()) card += '\n';
  return card + labels_section(report);
}

}  // namespace headlight
