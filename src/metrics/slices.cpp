#include "metrics/slices.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

/// The slice of a text: at most 8 tokens, or more than half of a power of two.
std::string length_range(std::size_t tokens) {
  constexpr std::size_t kShortest = 8;
  if (tokens <= kShortest) return "1–" + std::to_string(kShortest) + " tokens";
  const std::size_t most = std::bit_ceil(tokens);
  return std::to_string(most / 2 + 1) + "–" + std::to_string(most) + " tokens";
}

/// Smaller is worse.
double quality_of(const Evaluation& evaluation) {
  if (evaluation.measures.empty()) return std::numeric_limits<double>::infinity();
  const Measure& first = evaluation.measures.front();
  return first.unit == Unit::share ? first.value : -first.value;
}

bool is_worse(const Slice& a, const Slice& b) {
  return std::tuple(quality_of(a.evaluation), b.evaluation.rows, a.value) <
         std::tuple(quality_of(b.evaluation), a.evaluation.rows, b.value);
}

}  // namespace

void SliceEvaluator::add(const Row& row, const Gold& gold, const Prediction& prediction) {
  if (by_ == kByLength) {
    slice(length_range(prediction.tokens)).add(gold, prediction);
  } else {
    slice(field_of(row)).add(gold, prediction);
  }
}

void SliceEvaluator::add_error(const Row& row) {
  if (by_ == kByLength || row.kept.empty()) return;
  slice(field_of(row)).add_error();
}

std::optional<std::string> SliceEvaluator::field_of(const Row& row) {
  const std::optional<KeptField> field = kept_field(row, by_);
  if (!field) return std::nullopt;
  found_ = true;
  const bool null = !field->text || (!field->is_string && *field->text == "null");
  return null ? std::nullopt : field->text;
}

Evaluator& SliceEvaluator::slice(const std::optional<std::string>& value) {
  const auto known = slices_.find(value);
  if (known != slices_.end()) return known->second;
  if (slices_.size() == kMostSlices) {
    throw Error("--by " + shortened(by_),
                "has more than " + std::to_string(kMostSlices) + " different values",
                "choose a field that groups the rows");
  }
  return slices_.emplace(value, Evaluator(labels_, /*keep_logits=*/false)).first->second;
}

Slices SliceEvaluator::measure(const std::string& file) const {
  if (by_ != kByLength && !slices_.empty() && !found_) {
    throw Error(file, "no row has the field \"" + shortened(by_) + "\" of --by");
  }
  Slices slices{by_, {}};
  for (const auto& [value, evaluator] : slices_) {
    slices.slices.push_back({value, evaluator.measure()});
  }
  std::ranges::sort(slices.slices, is_worse);
  return slices;
}

}  // namespace headlight
