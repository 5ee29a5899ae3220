#include "options/cascade_options.h"

#include <set>

#include "base/build.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "help/next_step.h"
#include "metrics/comparison.h"
#include "options/help_group.h"

namespace headlight {
namespace {

/// The share that "99.5%" is; empty unless it is between 0 and 1.
std::optional<double> parse_share(const std::string& text) {
  const bool is_percentage =
      text.ends_with('%') && number(0.0, 100.0)(text.substr(0, text.size() - 1)).empty();
  const double share = is_percentage ? std::stod(text) / 100.0 : 0.0;
  return share > 0.0 && share < 1.0 ? std::optional(share) : std::nullopt;
}

RulesOf add_then(CLI::App& command, std::string& then, const std::string& help) {
  const HelpGroup group(command, kModelGroup);
  CLI::Option* option = add_value(command, "--then NAME|DIR|CONFIG.json", then, help);
  return rule(mark(option->check(not_empty()), Effect::contents))
      .excludes("--zero-shot")
      .excludes("--ids", "which are those of one vocabulary")
      .needs(kLabelsTexts)
      .needs(kHasProbabilities);
}

}  // namespace

void CascadeOptions::add_to(CLI::App& batch, const ModelOptions& small) {
  command_ = &batch;
  small_ = &small;
  add_then(batch, then_,
           "Let this model answer the rows that the model of -m is not sure of; both have the same "
           "labels")
      .needs("--agree P% or --keep-above P")
      .excludes("--format hf or fasttext", "which have no place for the name of the model");
  const HelpGroup group(batch, kModelGroup);
  rule(
      mark(add_value(batch, "--agree P%", agree_,
                     "Keep as many rows as give the label of --then in P% of all rows, at the 95 % "
                     "level, if they are like those of headlight evaluate --then --write")
               ->check(readable_by(parse_share, "a percentage above 0% and below 100%")),
           Effect::nothing))
      .needs("--then NAME")
      .excludes("--keep-above");
  rule(mark(add_value(batch, "--keep-above P", keep_above_,
                      "Pass on rows whose label has a lower probability")
                ->check(fraction()),
            Effect::nothing))
      .needs("--then NAME");
}

void CascadeOptions::add_measuring_to(CLI::App& evaluate, const ModelOptions& small) {
  command_ = &evaluate;
  small_ = &small;
  add_then(evaluate, then_,
           "Also measure the cascade where this model answers the rows that the model of -m is not "
           "sure of")
      .excludes("--compare, --attention-stats, --fit-temperature or --fit-thresholds")
      .excludes("--ablate, --attribute or --html");
  const HelpGroup group(evaluate, kOutputGroup);
  rule(evaluate.add_flag("--write", writes_,
                         "Store the thresholds in cascade.json beside the config of -m, for "
                         "headlight batch --agree"))
      .needs("--then NAME");
}

std::optional<Model> CascadeOptions::load(const Model& small, const ClassifierOptions& reading,
                                          const Console& console) const {
  if (!is_used()) return std::nullopt;
  Model large = ModelOptions::load_other(then_, console);
  require_text_labels(large, "--then");
  require_head(large);
  numbers_in(small, large, reading);
  const LabelSet labels = labels_of(small, reading.activation);
  if (labels.problem_type == ProblemType::multi_label) {
    throw Error(small.place.path, "gives any number of labels, but --then needs one for each text");
  }
  check_fact(*command_, kHasProbabilities,
             labels.probabilities && labels_of(large, reading.activation).probabilities,
             "; there are none without an activation");
  if (small.place.name != large.place.name) return large;
  throw Error(large.place.path, "has the name of the model of -m, and rows say which one answered",
              "rename a directory");
}

std::vector<std::size_t> CascadeOptions::numbers_in(const Model& small, const Model& large,
                                                    const ClassifierOptions& reading) {
  return matching_labels({small.place.name, labels_of(small, reading.activation)},
                         {large.place.name, labels_of(large, reading.activation)}, "--then");
}

Origin::Facts CascadeOptions::score_options() const {
  const std::set<std::string> of_scores = {"--activation", "--long",      "--max-length",
                                           "--plain-text", "--precision", "--prepend",
                                           "--stride"};
  Origin::Facts facts = given_options(*command_);
  std::erase_if(facts, [&](const auto& option) { return !of_scores.contains(option.first); });
  return facts;
}

Origin CascadeOptions::origin(const Model& small, const Model& large) const {
  Origin origin;
  origin.program = build_name();
  origin.options = score_options();
  origin.model = {{"-m", model_hash(ModelMarks(small).get())},
                  {"--then", model_hash(ModelMarks(large).get())}};
  return origin;
}

std::string CascadeOptions::command(const std::string& name) const {
  std::string words =
      "headlight " + name + " FILE" + small_->again() + " --then " + ModelOptions::typed(then_);
  for (const auto& [option, value] : score_options()) {
    words += ' ' + option + (value == "given" ? "" : ' ' + shell_word(value));
  }
  return words;
}

LargeModel CascadeOptions::choose(const Model& small, const Model& large) const {
  LargeModel chosen = {large.place.name, keep_above_.value_or(0.0F), {}};
  Origin now = origin(small, large);
  if (!keep_above_) {
    const std::string path = beside_config(small.place, kCascadeFile);
    const std::string again = command("evaluate") + " --write";
    if (!file_exists(path)) throw Error(path, "not found", again + " writes it for --agree");
    const CascadeFile file = read_cascade(path);
    now.program = file.origin.program;
    const std::string change = difference(file.origin, now);
    if (!change.empty()) throw Error("", path + ' ' + change, again + " --force replaces it");
    const double agreement = *parse_share(agree_);
    const auto point = promised_point(file.cascade, agreement);
    const std::size_t texts = file.cascade.distinct;
    const std::size_t needed = rows_to_promise(agreement);
    if (!point) {
      throw Error(path,
                  "cannot promise --agree " + agree_ + " from " + counted(texts, "different text") +
                      (texts < needed ? "; at least " + std::to_string(needed) + " are needed"
                                      : ": the models disagree too often where -m is surest"),
                  again + " --force with more rows, or a lower agreement");
    }
    chosen.threshold = point->threshold;
  }
  chosen.facts["--then"] = now.model["--then"];
  JsonWriter(chosen.facts["--keep-above"]).number(chosen.threshold);
  return chosen;
}

ScoreTexts<Prediction> CascadeOptions::score(const Model& small, const Model& large,
                                             const ClassifierOptions& reading, float threshold) {
  return predict_with_cascade({std::make_shared<Classifier>(small, reading),
                               std::make_shared<Classifier>(large, reading),
                               numbers_in(small, large, reading), threshold});
}

std::unique_ptr<OutputFile> CascadeOptions::open(const Model& small,
                                                 const OutputOptions& output) const {
  if (!writes_) return nullptr;
  const std::string path = beside_config(small.place, kCascadeFile);
  release_input(path);  // it is measured again
  return std::make_unique<OutputFile>(path, output.force());
}

void CascadeOptions::store(OutputFile& file, const Model& small, const Model& large,
                           const Cascade& measured, const Console& console) const {
  if (measured.rows == 0) throw Error("--write", "no row was scored by both models");
  file.output().write(cascade_document(measured, origin(small, large)));
  file.finish();
  console.note("wrote " + beside_config(small.place, kCascadeFile));
  say_next(console, command("batch") + " --agree 95%");
}

}  // namespace headlight
