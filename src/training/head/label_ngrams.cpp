#include "training/head/label_ngrams.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "encoder/ngrams.h"
#include "model/model_tokenizer.h"

namespace headlight {

NgramDescription label_ngrams_for(const Model& model, std::size_t labels,
                                  const std::vector<LabelledRow>& rows) {
  constexpr std::size_t kMostNumbers = std::size_t{1} << 20U;
  constexpr std::size_t kMostTableRows = std::size_t{1} << 18U;
  NgramDescription ngrams{{1, 2}, 0, 0, inserted_tokens(*model.tokenizer)};
  std::size_t most = 1;  // n-grams
  for (const LabelledRow& row : rows) most += ngrams.sizes.size() * row.tokens.size();
  ngrams.buckets =
      std::min({std::bit_floor(kMostNumbers / labels), kMostTableRows, std::bit_ceil(most)});
  return ngrams;
}

SparseRows label_ngram_shares(const NgramDescription& ngrams, const RowPointers& rows) {
  SparseRows shares{.width = ngrams.buckets};
  TextParts parts;
  for (const LabelledRow* row : rows) {
    find_parts(ngrams, row->tokens.ids, row->tokens.type_ids, parts);
    std::ranges::sort(parts.ngrams, {}, &Ngram::bucket);
    const auto share = static_cast<float>(label_ngram_share(parts));
    for (const Ngram& ngram : parts.ngrams) {
      const auto column = static_cast<std::uint32_t>(ngram.bucket);
      const bool is_repeated =
          shares.columns.size() > shares.starts.back() && shares.columns.back() == column;
      if (is_repeated) {
        shares.values.back() += share;
      } else {
        shares.columns.push_back(column);
        shares.values.push_back(share);
      }
    }
    shares.starts.push_back(shares.columns.size());
  }
  return shares;
}

LabelNgrams::LabelNgrams(NgramDescription ngrams, const RowPointers& counted, FittingRows& fitting)
    : ngrams_(std::move(ngrams)) {
  constexpr double kRowsOfASquare = 250.0;
  constexpr double kMostSquares = 16.0;
  const SparseRows shares = label_ngram_shares(ngrams_, counted);
  const auto n = static_cast<double>(counted.size());
  std::vector<std::size_t> rows_with(ngrams_.buckets);
  for (const std::uint32_t bucket : shares.columns) ++rows_with[bucket];
  std::vector<double> factors(ngrams_.buckets);
  for (std::size_t bucket = 0; bucket < ngrams_.buckets; ++bucket) {
    factors[bucket] = 1.0 + std::log((1.0 + n) / (1.0 + static_cast<double>(rows_with[bucket])));
  }
  double squares = 0.0;
  for (std::size_t i = 0; i < shares.columns.size(); ++i) {
    const double feature = static_cast<double>(shares.values[i]) * factors[shares.columns[i]];
    squares += feature * feature;
  }
  const double mean_square = std::clamp(n / kRowsOfASquare, 1.0, kMostSquares);
  const double scale = squares > 0.0 ? std::sqrt(mean_square * n / squares) : 1.0;
  for (std::size_t bucket = 0; bucket < ngrams_.buckets; ++bucket) {
    if (rows_with[bucket] == 0) continue;
    buckets_.push_back(static_cast<std::uint32_t>(bucket));
    factors_.push_back(factors[bucket] * scale);
  }
  put_beside(shares, fitting);
}

void LabelNgrams::put_beside(const RowPointers& rows, FittingRows& fitting) {
  put_beside(label_ngram_shares(ngrams_, rows), fitting);
}

void LabelNgrams::put_beside(const SparseRows& shares, FittingRows& fitting) {
  SparseRows& features = rows_.emplace_back(SparseRows{.width = buckets_.size()});
  for (std::size_t row = 0; row + 1 < shares.starts.size(); ++row) {
    for (std::size_t i = shares.starts[row]; i < shares.starts[row + 1]; ++i) {
      const auto found = std::ranges::lower_bound(buckets_, shares.columns[i]);
      if (found == buckets_.end() || *found != shares.columns[i]) continue;
      const auto column = static_cast<std::uint32_t>(found - buckets_.begin());
      features.columns.push_back(column);
      features.values.push_back(
          static_cast<float>(static_cast<double>(shares.values[i]) * factors_[column]));
    }
    features.starts.push_back(features.columns.size());
  }
  fitting.beside = &features;
}

std::vector<float> LabelNgrams::table(const LinearHead& head, std::size_t labels) const {
  std::vector<float> table(ngrams_.buckets * labels);
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    for (std::size_t k = 0; k < labels; ++k) {
      const auto weight = static_cast<double>(head.beside[i * labels + k]);
      table[buckets_[i] * labels + k] = static_cast<float>(weight * factors_[i]);
    }
  }
  return table;
}

}  // namespace headlight
