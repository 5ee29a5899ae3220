#include "training/row_influence.h"

#include <cstring>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/placing.h"
#include "base/utf8.h"
#include "classifier/text_reader.h"
#include "encoder/forward.h"
#include "rows/fingerprint.h"
#include "training/directory/model_directory.h"
#include "training/head/row_vectors.h"

namespace headlight {
namespace {

constexpr std::size_t kInfluenceHeader = 64;  // bytes, so that numbers are aligned
constexpr const char* kUseSameRows =
    "--rows needs the file that the model was trained on, unchanged, and the options for its "
    "fields "
    "that headlight fit had; the README.md of the model has the command";

LinearHead head_of(const Model& model) {
  const Linear& layer = *model.weights.classifier;
  LinearHead head{std::vector<float>(layer.out() * layer.in()),
                  {layer.bias.begin(), layer.bias.end()}};
  for (std::size_t k = 0; k < layer.out(); ++k) {
    layer.weight.read(k, std::span(head.weight).subspan(k * layer.in(), layer.in()));
  }
  return head;
}

/// Takes a name that another program may have given away.
void refuse_foreign(const std::string& path, std::string_view magic) {
  if (!is_named(path) || begins_with(path, magic)) return;
  throw Error(path, "exists, but was not written by headlight, which needs this name", "rename it");
}

std::string header_of(const std::string& origin) {
  std::string header = std::string(kInfluenceMagic) + hash_of(origin);
  header.resize(kInfluenceHeader - 1, ' ');
  return header + '\n';
}

/// The numbers of an undamaged file of this origin; else none.
std::vector<double> kept_inverse(const std::string& path, const std::string& origin) {
  if (target_at(path) != Target::file) return {};
  const MappedFile file(path);
  const std::string_view text = file.text();
  const std::string header = header_of(origin);
  const std::size_t hash = hash_of("").size();
  if (text.size() < header.size() + hash || !text.starts_with(header)) return {};
  const std::string_view bytes = text.substr(0, text.size() - hash);
  if (hash_of(bytes) != text.substr(bytes.size())) return {};
  std::vector<double> numbers((bytes.size() - header.size()) / sizeof(double));
  std::memcpy(numbers.data(), bytes.data() + header.size(), numbers.size() * sizeof(double));
  return numbers;
}

void keep_inverse(const std::string& path, const std::string& origin,
                  const std::vector<double>& inverse) {
  std::string bytes = header_of(origin);
  bytes.append(reinterpret_cast<const char*>(inverse.data()), inverse.size() * sizeof(double));
  bytes += hash_of(bytes);
  write_whole(path, bytes);
}

/// The name of a directory, as FitPlan::directory() gives it.
std::string directory_of(const Model& model) {
  FitPlan plan;
  plan.output = model.place.directory;
  return plan.directory();
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
  SpelledRows read = read_spelled_rows(file, options, "");
  if (caught_signal() != 0) return;
  refuse_other_rows(file.name(), mark_of_rows(file));
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
  for (const LabelledRow& row : rows_.train) targets_.push_back(row.target);
}

void RowInfluence::refuse_other_rows(const std::string& file, const std::string& mark) const {
  if (mark == facts_.file_mark) return;
  throw Error(file,
              "is not the file that " + model_.place.name + " was trained on: found " + mark +
                  ", expected " + facts_.file_mark + ", of " + facts_.file,
              kUseSameRows);
}

bool RowInfluence::prepare(FitWatch& watch) {
  if (caught_signal() != 0) return false;
  std::vector<const LabelledRow*> rows;
  rows.reserve(rows_.train.size());
  for (const LabelledRow& row : rows_.train) rows.push_back(&row);
  const std::string origin = origin_of_vectors(model_, engine_, rows, "");
  const std::string path = directory_ + kRowVectorsEnding;
  refuse_foreign(path, kVectorMagic);
  const std::size_t width = model_.description.encoded_size();
  const bool fits = VectorFile::is_of(path, origin, width);
  vectors_ = std::make_unique<VectorFile>(path, origin, width, /*resume=*/fits);
  watch.begin(FitWatch::Stage::encoding, vectors_->count());
  encode_texts(model_, rows, engine_.threads(), *vectors_, [&](std::size_t done) {
    watch.count(done, static_cast<double>(done) / static_cast<double>(rows.size()));
  });
  watch.end();
  if (caught_signal() != 0) return false;
  const HeadFittingOptions options{facts_.problem_type, rows_.labels.names.size(),
                                   facts_.class_weights, model_.description.classifier_bias,
                                   facts_.penalty};
  hessian_.emplace(FittingRows{vectors_->map(), targets_}, options, head_of(model_), facts_.penalty,
                   HessianLimits());
  const std::string kept = directory_ + kInfluenceEnding;
  const std::string whole_origin = origin + '\n' + to_json(facts_);
  if (hessian_->use(kept_inverse(kept, whole_origin))) return true;
  refuse_foreign(kept, kInfluenceMagic);
  watch.begin(FitWatch::Stage::inverting, 0);
  const std::vector<double>& inverse = hessian_->invert(
      [&](double share) { watch.count(static_cast<std::size_t>(share * 100.0), share); });
  watch.end();
  keep_inverse(kept, whole_origin, inverse);
  return caught_signal() == 0;
}

std::string RowInfluence::label_of(const RowTarget& target) const {
  if (facts_.problem_type == ProblemType::regression) return formatted("%g", target.value);
  return joined(target.labels, "|", [&](std::size_t k) { return rows_.labels.names[k]; });
}

std::vector<InfluentialRow> RowInfluence::strongest(const TextInput& text,
                                                    const std::vector<std::size_t>& labels,
                                                    std::size_t most, FitWatch& watch) const {
  const TokenIds tokens = TextReader(model_, {}).read(text).windows.front();
  Scratch scratch;
  Batch batch;
  batch.add(tokens.ids, tokens.type_ids);
  const ConstMatrix x = classifier_inputs(model_.description, model_.weights, {batch, scratch});
  const std::vector<float> vector(x.row(0).begin(), x.row(0).end());
  watch.begin(FitWatch::Stage::inverting, 0);
  std::vector<InfluentialRow> found;
  for (const RowEffect& each : strongest_rows(*hessian_, vector, labels, most, [&](double share) {
         watch.count(static_cast<std::size_t>(share * 100.0), share);
       })) {
    const LabelledRow& row = rows_.train[each.row];
    found.push_back({&row, label_of(row.target), {each.effect.begin(), each.effect.end()}});
  }
  watch.end();
  return found;
}

}  // namespace headlight
