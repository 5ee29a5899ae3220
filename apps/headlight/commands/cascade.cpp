#include "commands/cascade.h"

#include "base/build.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "help/next_step.h"
#include "metrics/cascade_file.h"
#include "metrics/comparison.h"

namespace headlight {
namespace {

Origin origin_of_cascade(const CascadeOptions& options, const Model& small, const Model& large) {
  Origin origin;
  origin.program = build_name();
  origin.options = options.score_options();
  origin.model = {{"-m", model_hash(ModelMarks(small).get())},
                  {"--then", model_hash(ModelMarks(large).get())}};
  return origin;
}

}  // namespace

std::optional<Model> load_large(const CascadeOptions& options, const Model& small,
                                const ClassifierOptions& reading, const Console& console) {
  if (!options.is_used()) return std::nullopt;
  Model large = ModelOptions::load_other(options.then(), console);
  require_text_labels(large, "--then");
  require_head(large);
  numbers_in_large(small, large, reading);
  const LabelSet labels = labels_of(small, reading);
  if (labels.problem_type == ProblemType::multi_label) {
    throw Error(small.place.path, "gives any number of labels, but --then needs one for each text");
  }
  options.check_probabilities(labels.probabilities && labels_of(large, reading).probabilities);
  if (small.place.name != large.place.name) return large;
  throw Error(large.place.path, "has the name of the model of -m, and rows say which one answered",
              "rename a directory");
}

std::vector<std::size_t> numbers_in_large(const Model& small, const Model& large,
                                          const ClassifierOptions& reading) {
  return matching_labels({small.place.name, labels_of(small, reading)},
                         {large.place.name, labels_of(large, reading)}, "--then");
}

LargeModel choose_threshold(const CascadeOptions& options, const Model& small, const Model& large) {
  LargeModel chosen = {large.place.name, options.keep_above().value_or(0.0F), {}};
  Origin now = origin_of_cascade(options, small, large);
  if (!options.keep_above()) {
    const std::string path = beside_config(small.place, kCascadeFile);
    const std::string again = options.command("evaluate") + " --write";
    if (!file_exists(path)) throw Error(path, "not found", again + " writes it for --agree");
    const CascadeFile file = read_cascade(path);
    now.program = file.origin.program;
    const std::string change = difference(file.origin, now);
    if (!change.empty()) throw Error("", path + ' ' + change, again + " --force replaces it");
    const double agreement = *options.agreement();
    const auto point = promised_point(file.cascade, agreement);
    const std::size_t texts = file.cascade.distinct;
    const std::size_t needed = rows_to_promise(agreement);
    if (!point) {
      throw Error(path,
                  "cannot promise --agree " + options.agreement_as_typed() + " from " +
                      counted(texts, "different text") +
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

ScoreTexts<Prediction> score_by_cascade(const Model& small, const Model& large,
                                        const ClassifierOptions& reading, float threshold) {
  return predict_with_cascade({make_classifier(small, reading), make_classifier(large, reading),
                               numbers_in_large(small, large, reading), threshold});
}

std::unique_ptr<OutputFile> open_cascade(const CascadeOptions& options, const Model& small,
                                         const OutputOptions& output) {
  if (!options.writes()) return nullptr;
  const std::string path = beside_config(small.place, kCascadeFile);
  release_input(path);  // it is measured again
  return std::make_unique<OutputFile>(path, output.force());
}

void store_cascade(const CascadeOptions& options, OutputFile& file, const Model& small,
                   const Model& large, const Cascade& measured, const Console& console) {
  if (measured.rows == 0) throw Error("--write", "no row was scored by both models");
  file.output().write(cascade_document(measured, origin_of_cascade(options, small, large)));
  file.finish();
  console.note("wrote " + beside_config(small.place, kCascadeFile));
  say_next(console, options.command("batch") + " --agree 95%");
}

}  // namespace headlight
