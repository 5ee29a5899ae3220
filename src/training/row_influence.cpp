#include "training/row_influence.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/placing.h"
#include "base/utf8.h"
#include "classifier/text_reader.h"
#include "rows/fingerprint.h"
#include "training/directory/model_directory.h"
#include "training/directory/output_place.h"
#include "training/head/label_ngrams.h"
#include "training/head/row_vectors.h"

namespace headlight {
namespace {

std::size_t percents(double share) { return static_cast<std::size_t>(100.0 * share); }

constexpr const char* kUseSameRows =
    "--rows needs the file that the model was trained on, unchanged, and the options for its "
    "fields that headlight fit had; the README.md of the model has the command";

LinearHead head_of(const Model& model) {
  const Linear& layer = *model.weights.classifier;
  const Table& ngrams = model.weights.label_ngrams;
  LinearHead head{std::vector<float>(layer.out() * layer.in()),
                  {layer.bias.begin(), layer.bias.end()},
                  std::vector<float>(ngrams.rows * ngrams.cols)};
  for (std::size_t i = 0; i < ngrams.rows; ++i) {
    ngrams.read(i, std::span(head.beside).subspan(i * ngrams.cols, ngrams.cols));
  }
  for (std::size_t k = 0; k < layer.out(); ++k) {
    layer.weight.read(k, std::span(head.weight).subspan(k * layer.in(), layer.in()));
  }
  return head;
}

/// Goes on with a file of this origin and replaces another one; empty `path`: keeps nothing. Throws
/// Error if another program wrote it.
std::unique_ptr<VectorFile> open_kept(const std::string& path, const std::string& origin,
                                      std::size_t width) {
  if (path.empty()) return std::make_unique<VectorFile>(path, origin, width, /*resume=*/false);
  if (is_named(path) && !begins_with(path, kVectorMagic)) {
    throw Error(path, "exists, but was not written by headlight, which needs this name",
                "rename it");
  }
  const bool is_same = VectorFile::is_of(path, origin, width);
  return std::make_unique<VectorFile>(path, origin, width, /*resume=*/is_same);
}

/// Takes the inverse from the file at `path`, in float32, which it first writes if it must.
void use_kept_inverse(const std::string& path, const std::string& origin, HeadHessian& hessian,
                      FitWatch& watch) {
  const std::size_t width = hessian.inverse_width();
  std::unique_ptr<VectorFile> file = open_kept(path, origin, width);
  file->drop_after(hessian.inverse_rows());
  if (file->count() != hessian.inverse_rows()) {
    watch.begin(FitWatch::Stage::inverting, 0);
    hessian.invert([&](double share) { watch.count(percents(share), share); });
    watch.end();
    std::vector<float> row(width);
    for (std::size_t i = file->count(); i < hessian.inverse_rows(); ++i) {
      const double* from = hessian.inverse_numbers().data() + i * width;
      std::transform(from, from + width, row.begin(),
                     [](double x) { return static_cast<float>(x); });
      file->add(row);
    }
  }
  const ConstMatrix kept = file->map();
  std::vector<double>& numbers = hessian.inverse_numbers();
  numbers.clear();
  numbers.reserve(kept.rows * kept.cols);
  for (std::size_t i = 0; i < kept.rows; ++i) {
    numbers.insert(numbers.end(), kept.row(i).begin(), kept.row(i).end());
  }
}

std::string directory_of(const Model& model) {
  return directory_at(model.place.directory.empty() ? model.place.path : model.place.directory);
}

}  // namespace

RowInfluence::RowInfluence(const Model& model, const Engine& engine, RowReader& file)
    : model_(model),
      engine_(engine),
      directory_(directory_of(model)),
      facts_(read_training_facts(directory_)) {
  if (model.description.pooling == Pooling::label_attention) {
    throw Error(model.place.path, "has a vector for each label; --rows needs one for a text");
  }
  DataOptions options;
  options.is_regression = facts_.problem_type == ProblemType::regression;
  options.dev_share = 0.0;
  options.merged = facts_.merged;
  SpelledRows read = read_spelled_rows(file, options, "");
  if (is_interrupted()) return;
  refuse_other_rows(file.name(), mark_of_rows(file));
  correct_labels(facts_.corrected, read);
  const auto nothing = [](const auto& /*texts*/) {};
  rows_ = make_training_data(std::move(read), {}, options, {model, false, {}, nothing}).rows;
  std::erase_if(rows_.train, [&](const LabelledRow& row) {
    return std::ranges::binary_search(facts_.held_out, row.number);
  });
  if (hash_of_fitted_rows(rows_.labels, rows_.train) != facts_.rows_hash) {
    throw Error(file.name(),
                "has the rows that " + model.place.name +
                    " was trained on, but other texts or labels are read of them",
                kUseSameRows);
  }
  targets_ = targets_of(pointers_to({&rows_.train}));
}

void RowInfluence::refuse_other_rows(const std::string& file, const std::string& mark) const {
  if (mark == facts_.file_mark) return;
  throw Error(file,
              "is not the file that " + model_.place.name + " was trained on: found " + mark +
                  ", expected " + facts_.file_mark + ", of " + facts_.file,
              kUseSameRows);
}

bool RowInfluence::prepare(FitWatch& watch) {
  if (is_interrupted()) return false;
  const RowPointers rows = pointers_to({&rows_.train});
  const std::string origin = origin_of_vectors(model_, engine_, rows, "");
  const std::string failure = failure_to_write(directory_ + kRowVectorsEnding);
  if (!failure.empty()) {
    watch.note(directory_ + kRowVectorsEnding + ": cannot write: " + failure +
               ", so nothing is kept beside the model");
  }
  const auto kept = [&](const char* ending) {
    return failure.empty() ? directory_ + ending : std::string();
  };
  vectors_ = open_kept(kept(kRowVectorsEnding), origin, model_.description.classifier_size());
  if (!encode_rows(model_, rows, engine_.threads(), *vectors_, watch,
                   "the same command goes on from there")) {
    return false;
  }
  const HeadFittingOptions options{facts_.problem_type, rows_.labels.names.size(),
                                   facts_.class_weights, model_.description.classifier_bias,
                                   facts_.penalty};
  FittingRows fitting{vectors_->map(), targets_};
  if (const auto& ngrams = model_.description.label_ngrams) {
    fitting.beside = &ngrams_.emplace(label_ngram_shares(*ngrams, rows));
  }
  LinearHead head = head_of(model_);
  scale_head(static_cast<float>(facts_.divisor), head);
  hessian_.emplace(fitting, options, head, facts_.penalty);
  use_kept_inverse(kept(kInfluenceEnding), origin + "\nscaled blocks\n" + to_json(facts_),
                   *hessian_, watch);
  return !is_interrupted();
}

std::string RowInfluence::label_of(const Gold& target) const {
  if (facts_.problem_type == ProblemType::regression) return formatted("%g", target.value);
  return joined(target.labels, "|", [&](std::size_t k) { return rows_.labels.names[k]; });
}

std::vector<InfluentialRow> RowInfluence::strongest(const TextInput& text,
                                                    const std::vector<std::size_t>& labels,
                                                    std::size_t most) const {
  LabelledRow asked;
  asked.set_windows(TextReader(model_, {}).read(text).windows);
  const std::vector<float> vector = text_vector(model_, asked);
  if (vector.empty()) return {};  // after a signal
  std::vector<InfluentialRow> found;
  for (const RowEffect& each : strongest_rows(*hessian_, vector, labels, most)) {
    const LabelledRow& row = rows_.train[each.row];
    found.push_back({&row, label_of(row.target), {}});
    for (const double effect : each.effect) {
      found.back().effect.push_back(static_cast<float>(effect / facts_.divisor));
    }
  }
  return found;
}

}  // namespace headlight
