#include "commands/head_training.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/json_writer.h"
#include "base/placing.h"
#include "base/utf8.h"
#include "classifier/classifier.h"
#include "classifier/text_reader.h"
#include "commands/command.h"
#include "encoder/forward.h"
#include "encoder/pooling.h"
#include "options/engine_options.h"
#include "rows/origin.h"
#include "training/head/head_fitting.h"
#include "training/head/text_vectors.h"
#include "training/whole/training_log.h"

namespace headlight {
namespace {

void say_stopped_fitting() {
  complain("stopped while the last layer was fitted; use --resume to continue");
}

/// Identifies the vectors: the encoder and the texts in their order.
std::string origin_of(const Model& model, const Engine& engine,
                      const std::vector<const TextInput*>& inputs) {
  std::string texts;
  for (const TextInput* input : inputs) {
    texts = hash_of(texts + input->text + '\0' + input->pair.value_or("\1"));
  }
  return model_hash(marks_of_files(model.files)) + '\n' + engine.arithmetic() + '\n' + texts;
}

/// The logits of each text, or the vectors of an encoder alone.
std::vector<float> outputs_of(const Model& model, const std::vector<TextInput>& inputs) {
  std::vector<float> outputs;
  if (model.weights.classifier) {
    const Classifier classifier(model, {});
    ScoringScratch scratch;
    for (const Prediction& text : classifier.classify(inputs, scratch)) {
      outputs.insert(outputs.end(), text.logits.begin(), text.logits.end());
    }
    return outputs;
  }
  const TextReader reader(model, {});
  Batch batch;
  for (const TextInput& input : inputs) {
    const TokenIds tokens = reader.read(input).windows.front();
    batch.add(tokens.ids, tokens.type_ids);
  }
  Scratch scratch;
  Pass pass{batch, scratch};
  const ConstMatrix x = encode(model.description, model.weights, pass, {});
  outputs.resize(inputs.size() * x.cols);
  pool(model.description, batch, x, {outputs.data(), inputs.size(), x.cols});
  return outputs;
}

}  // namespace

StrengthLog::StrengthLog(const std::string& path, bool force, bool resume)
    : path_(path), resumes_(resume) {
  if (path.empty()) return;
  if (resume) {
    for (const char* ending : {"", ".partial"}) refuse_other_log(path + ending, R"({"strength":)");
  }
  file_ = std::make_unique<OutputFile>(path, force || resume);
}

void StrengthLog::add(const StrengthTrial& trial) {
  if (!file_) return;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("strength", trial.strength).field("steps", trial.steps);
  if (trial.loss) json.field("dev_loss", *trial.loss);
  json.end_object();
  text_ += line + '\n';
  file_->output().write(line + '\n');
  file_->output().flush();
}

void StrengthLog::finish() {
  if (!file_) return;
  if (resumes_ && target_at(path_) == Target::file) {
    const MappedFile earlier(path_);
    if (!earlier.text().empty() && earlier.text() != text_) throw not_its_log(path_);
  }
  file_->finish();
}

bool HeadTraining::run(ClassifierStart& start, const LabelledTexts& rows, FitReport& report) const {
  std::vector<const TextInput*> inputs = inputs_of(rows.train);
  std::vector<RowTarget> targets = targets_of(rows.train);
  for (const LabelledText& row : rows.dev) {
    inputs.push_back(&row.input);
    targets.push_back(row.target);
  }
  StrengthLog log(options.log, options.force, options.resume);
  VectorFile file(directory_name(options.output) + ".vectors",
                  origin_of(start.model(), engine, inputs) + changes, start.width(),
                  options.resume);
  start.model() = engine.ready(std::move(start.model()), workload_of(inputs.size()));
  if (!encode(start.model(), inputs, file)) return false;
  const FittingRows all{file.map(), targets};
  const std::size_t n = rows.train.size();
  const FittingRows train{all.vectors.row_range(0, n), all.targets.first(n)};
  const FittingRows dev{all.vectors.row_range(n, rows.dev.size()), all.targets.subspan(n)};
  const HeadFittingOptions fitting{rows.labels.problem_type, rows.labels.names.size(),
                                   options.class_weights, start.has_bias()};
  auto fit = fit_shown(train, dev, fitting, log);
  if (!fit) return false;
  log.finish();
  report.strength = fit->strength;
  round_head(start.format(), fit->head);
  if (!rows.dev.empty()) {
    const auto logits = logits_of(fit->head, dev.vectors, fitting.classes);
    report.figures = development_figures(rows.labels, logits, dev.targets, keys_of(rows.dev));
  }
  report.is_refitted = refits && options.dev.empty() && !rows.dev.empty();
  if (report.is_refitted) {
    auto refitted = refit_head(all, fitting, *fit, [] { return caught_signal() != 0; });
    if (!refitted) {
      say_stopped_fitting();
      return false;
    }
    fit->head = *std::move(refitted);
    round_head(start.format(), fit->head);
  }
  start.set_head(std::move(fit->head), rows.labels);
  return true;
}

bool HeadTraining::encode(const Model& model, const std::vector<const TextInput*>& inputs,
                          VectorFile& file) const {
  if (file.count() > 0) console.note("resuming after " + counted(file.count(), "text"));
  Progress shown(progress, "text", file.count());
  encode_texts(model, inputs, engine.threads(), file, [&](std::size_t done) {
    shown.update({done, static_cast<double>(done) / static_cast<double>(inputs.size()), 0});
  });
  if (caught_signal() == 0) return true;
  complain("stopped after " + std::to_string(file.count()) + " of " +
           counted(inputs.size(), "text") + "; use --resume to continue");
  return false;
}

std::optional<HeadFit> HeadTraining::fit_shown(const FittingRows& train, const FittingRows& dev,
                                               const HeadFittingOptions& fitting,
                                               StrengthLog& log) const {
  Progress shown(progress, "strength");
  std::size_t tried = 0;
  const FittingWatch watch = {[&](double done) {
                                shown.update({tried, done, 0});
                                return caught_signal() != 0;
                              },
                              [&](const StrengthTrial& trial) {
                                ++tried;
                                log.add(trial);
                              }};
  auto fit = fit_head(train, dev, fitting, watch);
  if (!fit) say_stopped_fitting();
  return fit;
}

void check_written(const std::string& folder, const Model& made, const LabelledTexts& rows) {
  constexpr std::size_t kRows = 16;
  constexpr float kTolerance = 1e-3F;
  std::vector<TextInput> inputs;
  for (std::size_t i = 0; i < std::min(kRows, rows.train.size()); ++i) {
    inputs.push_back(rows.train[i].input);
  }
  const Model written = load_model(locate_model(folder, ""));
  const auto expected = outputs_of(made, inputs);
  const auto found = outputs_of(written, inputs);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const float got = i < found.size() ? found[i] : NAN;
    if (std::abs(got - expected[i]) <= kTolerance * (1.0F + std::abs(expected[i]))) continue;
    throw Error(folder,
                "the written model gives other numbers than the trained one, so it was not kept; "
                "please report this");
  }
}

}  // namespace headlight
