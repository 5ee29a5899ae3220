#include "encoder/ngrams.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "base/hash.h"
#include "encoder/pass.h"

namespace headlight {
namespace {

static_assert(std::endian::native == std::endian::little, "ids are hashed as they lie");

std::size_t bucket_of(const NgramDescription& ngrams, std::span<const TokenId> ids) {
  const std::string_view bytes(reinterpret_cast<const char*>(ids.data()), ids.size_bytes());
  return short_hash_of(bytes, ngrams.seed) % ngrams.buckets;
}

void add_to_sums(std::span<const float> row, std::span<double> sums) {
  for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += row[j];
}

}  // namespace

void find_parts(const NgramDescription& ngrams, std::span<const TokenId> ids,
                std::span<const TokenId> type_ids, TextParts& parts) {
  parts.tokens.clear();
  parts.words.clear();
  parts.word_ids.clear();
  parts.runs.clear();
  parts.ngrams.clear();
  const std::vector<TokenId>& special = ngrams.special;
  std::size_t run = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool is_special = std::find(special.begin(), special.end(), ids[i]) != special.end();
    if (is_special || (i > 0 && type_ids[i] != type_ids[i - 1])) ++run;
    if (is_special) continue;
    parts.tokens.push_back(i);
    if (ids[i] >= ngrams.first_characters) continue;
    parts.words.push_back(i);
    parts.word_ids.push_back(ids[i]);
    parts.runs.push_back(run);
  }
  const std::span<const TokenId> words = parts.word_ids;
  for (const std::size_t size : ngrams.sizes) {
    for (std::size_t i = 0; i + size <= words.size(); ++i) {
      if (parts.runs[i] != parts.runs[i + size - 1]) continue;
      parts.ngrams.push_back({bucket_of(ngrams, words.subspan(i, size)), i, size});
    }
  }
}

void find_parts(const NgramDescription& ngrams, const Batch& batch, std::size_t text,
                TextParts& parts) {
  const auto types = batch.type_ids().subspan(batch.starts()[text], batch.length(text));
  find_parts(ngrams, batch.ids_of(text), types, parts);
}

double label_ngram_share(const TextParts& parts) {
  return 1.0 / std::sqrt(static_cast<double>(std::max<std::size_t>(parts.ngrams.size(), 1)));
}

void add_label_ngrams(const NgramDescription& ngrams, const Table& table, const Pass& pass,
                      Matrix logits) {
  TextParts& parts = pass.scratch.parts;
  std::vector<double>& sums = pass.scratch.sums;
  const std::span<float> row = pass.scratch.class_weight.shape(1, logits.cols).row(0);
  for (std::size_t text = 0; text < logits.rows; ++text) {
    find_parts(ngrams, pass.batch, text, parts);
    sums.assign(logits.cols, 0.0);
    for (const Ngram& ngram : parts.ngrams) {
      table.read(ngram.bucket, row);
      add_to_sums(row, sums);
    }
    const double share = label_ngram_share(parts);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      logits.row(text)[k] += static_cast<float>(sums[k] * share);
    }
  }
}

void pool_ngrams(const NgramDescription& ngrams, const Table& table, const Pass& pass,
                 ConstMatrix x, Matrix out) {
  const Batch& batch = pass.batch;
  TextParts& parts = pass.scratch.parts;
  std::vector<double>& sums = pass.scratch.sums;
  for (std::size_t text = 0; text < out.rows; ++text) {
    const std::size_t start = batch.starts()[text];
    find_parts(ngrams, batch, text, parts);
    sums.assign(x.cols, 0.0);
    for (const std::size_t i : parts.tokens) add_to_sums(x.row(start + i), sums);
    const std::span<float> z = out.row(text);  // holds a vector until it gets the mean
    for (const Ngram& ngram : parts.ngrams) {
      table.read(ngram.bucket, z);
      add_to_sums(z, sums);
    }
    const auto count = static_cast<double>(std::max<std::size_t>(parts.count(), 1));
    for (std::size_t j = 0; j < z.size(); ++j) z[j] = static_cast<float>(sums[j] / count);
  }
}

}  // namespace headlight
