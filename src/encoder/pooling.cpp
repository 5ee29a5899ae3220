#include "encoder/pooling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "encoder/ngrams.h"

namespace headlight {

void mean_of_rows(ConstMatrix x, std::span<float> out) {
  const auto count = static_cast<double>(std::max<std::size_t>(x.rows, 1));
  constexpr std::size_t kBlock = 16;  // columns whose sums are in registers
  for (std::size_t first = 0; first < out.size(); first += kBlock) {
    const std::size_t columns = std::min(kBlock, out.size() - first);
    std::array<double, kBlock> sums{};
    for (std::size_t i = 0; i < x.rows; ++i) {
      const float* row = x.row(i).data() + first;
      if (columns == kBlock) {
        for (std::size_t j = 0; j < kBlock; ++j) sums[j] += row[j];
      } else {
        for (std::size_t j = 0; j < columns; ++j) sums[j] += row[j];
      }
    }
    for (std::size_t j = 0; j < columns; ++j) {
      out[first + j] = static_cast<float>(sums[j] / count);
    }
  }
}

void max_of_rows(ConstMatrix x, std::span<float> out) {
  std::copy_n(x.data, out.size(), out.data());
  for (std::size_t i = 1; i < x.rows; ++i) {
    const auto row = x.row(i);
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = std::max(out[j], row[j]);
  }
}

void normalize_rows(Matrix vectors) {
  constexpr double kLeast = 1e-12;
  for (std::size_t i = 0; i < vectors.rows; ++i) {
    const std::span<float> row = vectors.row(i);
    double squares = 0.0;
    for (const float value : row)
      squares += static_cast<double>(value) * static_cast<double>(value);
    const double norm = std::max(std::sqrt(squares), kLeast);
    for (float& value : row) value = static_cast<float>(static_cast<double>(value) / norm);
  }
}

std::optional<std::size_t> pooled_row(const Description& model, std::span<const TokenId> ids) {
  if (model.pooling == Pooling::cls) return 0;
  if (model.pooling != Pooling::last) return std::nullopt;
  for (std::size_t i = ids.size(); i > 0; --i) {
    const TokenId id = ids[i - 1];
    if (model.last_reads ? id == model.last_reads : id != model.last_skips) return i - 1;
  }
  return 0;
}

void pool(const Description& model, const Weights& weights, const Pass& pass, ConstMatrix x,
          Matrix out) {
  const Batch& batch = pass.batch;
  if (model.ngrams) return pool_ngrams(*model.ngrams, weights.embeddings.ngrams, pass, x, out);
  for (std::size_t text = 0; text < out.rows; ++text) {
    const ConstMatrix rows = x.row_range(batch.starts()[text], batch.length(text));
    const std::span<float> z = out.row(text);
    switch (model.pooling) {
      case Pooling::cls:
      case Pooling::last:
        std::copy_n(rows.row(*pooled_row(model, batch.ids_of(text))).data(), z.size(), z.data());
        break;
      case Pooling::mean:
        mean_of_rows(rows, z);
        break;
      case Pooling::max:
        max_of_rows(rows, z);
        break;
      case Pooling::label_attention:  // gives one vector per class: head.cpp
      case Pooling::each_token:       // the head reads all rows
        break;
    }
  }
}

void RunningPool::append(std::span<const TokenId> ids, ConstMatrix x) {
  width_ = x.cols;
  states_.resize((rows_ + x.rows) * width_);
  for (std::size_t i = 0; i < x.rows; ++i, ++rows_) {
    double* state = states_.data() + rows_ * width_;
    const double* before = state - width_;
    const auto row = x.row(i);
    const bool newest = pooling_ == Pooling::last && ids[i] != last_skips_;
    for (std::size_t j = 0; j < width_; ++j) {
      if (pooling_ == Pooling::mean) {
        state[j] = (rows_ == 0 ? 0.0 : before[j]) + row[j];
      } else if (rows_ == 0 || newest) {
        state[j] = row[j];
      } else {
        state[j] = pooling_ == Pooling::max ? std::max<double>(before[j], row[j]) : before[j];
      }
    }
  }
}

void RunningPool::shorten(std::size_t count) {
  if (count >= rows_) return;
  rows_ = count;
  states_.resize(count * width_);
}

void RunningPool::read(std::span<float> out) const {
  const double* state = states_.data() + (rows_ - 1) * width_;
  const double parts = pooling_ == Pooling::mean ? static_cast<double>(rows_) : 1.0;
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = static_cast<float>(state[j] / parts);
}

}  // namespace headlight
