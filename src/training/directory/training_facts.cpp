#include "training/directory/training_facts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/words.h"
#include "rows/origin.h"

namespace headlight {
namespace {

constexpr std::array<Word<bool>, 2> kTrainedWords = {{{"head", false}, {"all", true}}};

}  // namespace

std::string to_json(const TrainingFacts& facts) {
  std::string document;
  JsonWriter json(document);
  json.begin_object()
      .field("file", facts.file)
      .field("file_mark", facts.file_mark)
      .field("rows_hash", facts.rows_hash);
  json.key("held_out").numbers(facts.held_out);
  if (!facts.development.empty()) {
    json.key("development").numbers(facts.development).field("score", facts.score);
  }
  json.field("train", word_for(facts.trains_all, kTrainedWords)).field("penalty", facts.penalty);
  if (facts.divisor != 1.0) json.field("divisor", facts.divisor);
  json.field("class_weights", word_for(facts.class_weights, kClassWeightsWords))
      .field("problem_type", word_for(facts.problem_type, kProblemTypeWords));
  if (!facts.merged.empty()) {
    json.key("merged").begin_object();
    for (const auto& [spelled, label] : facts.merged) json.field(spelled, label);
    json.end_object();
  }
  if (!facts.corrected.empty()) {
    json.key("corrected").begin_object();
    for (const auto& [row, label] : facts.corrected) json.field(std::to_string(row), label);
    json.end_object();
  }
  json.end_object();
  return document + '\n';
}

TrainingFacts read_training_facts(const std::string& directory) {
  const std::string path = directory + '/' + kTrainingFile;
  if (!file_exists(path)) {
    throw Error(
        directory,
        std::string("has no ") + kTrainingFile + ", so nothing tells which rows it was trained on",
        "train it again with this version of headlight fit");
  }
  const Json json = read_json_file(path);
  Fields fields(json, path);
  TrainingFacts facts;
  facts.file = fields.required_string("file");
  facts.file_mark = fields.required_string("file_mark");
  facts.rows_hash = fields.required_string("rows_hash");
  facts.held_out = fields.sizes("held_out", 0);
  if (fields.find("development") != nullptr) facts.development = fields.sizes("development", 0);
  facts.score = fields.number_or("score", facts.score);
  facts.trains_all = fields.choice_or("train", facts.trains_all, kTrainedWords);
  facts.penalty = fields.number_or("penalty", facts.penalty);
  facts.class_weights = fields.choice_or("class_weights", facts.class_weights, kClassWeightsWords);
  facts.problem_type = fields.choice_or("problem_type", facts.problem_type, kProblemTypeWords);
  if (const Json* merged = fields.find("merged")) {
    for (const auto& [spelled, label] : merged->items()) {
      if (!merged->is_object() || !label.is_string()) fields.fail("merged", "an object of labels");
      facts.merged.emplace(spelled, label.get<std::string>());
    }
  }
  if (const Json* corrected = fields.find("corrected")) {
    for (const auto& [row, label] : corrected->items()) {
      std::size_t number = 0;
      const auto [stop, error] = std::from_chars(row.data(), row.data() + row.size(), number);
      if (error != std::errc() || !label.is_string()) fields.fail("corrected", "labels by row");
      facts.corrected.emplace(number, label.get<std::string>());
    }
  }
  facts.divisor = fields.number_or("divisor", facts.divisor);
  if (!(facts.divisor >= 1e-3 && facts.divisor <= 1e3)) {  // as a temperature
    fields.fail("divisor", "a number from 0.001 to 1000");
  }
  if (!(facts.penalty > 0.0)) fields.fail("penalty", "a number above 0");
  return facts;
}

MergedLabels merged_labels(const ModelPlace& place) {
  if (place.directory.empty()) return {};
  try {
    return read_training_facts(place.directory).merged;
  } catch (const Error&) {
    return {};
  }
}

EarlierModel earlier_model(const ModelPlace& place) {
  EarlierModel earlier;
  earlier.name = place.name;
  earlier.labels = read_labels_only(place);
  if (earlier.labels.empty()) throw Error(place.path, "has no labels whose numbers can be kept");
  std::vector<std::string> files = {place.config};
  const std::string path = place.directory + '/' + kTrainingFile;
  if (!place.directory.empty() && file_exists(path)) {
    TrainingFacts facts = read_training_facts(place.directory);
    if (!facts.development.empty()) earlier.file_mark = facts.file_mark;
    earlier.development = std::move(facts.development);
    earlier.score = facts.score;
    files.push_back(path);
  }
  earlier.hash = model_hash(marks_of_files(files));
  return earlier;
}

std::string hash_of_fitted_rows(const LabelSet& labels, std::vector<LabelledRow> rows) {
  std::ranges::sort(rows, {}, &LabelledRow::number);
  for (LabelledRow& row : rows) row.teacher_logits.clear();
  return hash_of_rows({labels, std::move(rows), {}});
}

}  // namespace headlight
