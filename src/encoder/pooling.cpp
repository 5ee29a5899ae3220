#include "encoder/pooling.h"

#include <algorithm>

namespace headlight {

void mean_of_rows(ConstMatrix x, std::span<float> out) {
  for (std::size_t j = 0; j < out.size(); ++j) {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.rows; ++i) sum += x.row(i)[j];
    out[j] = static_cast<float>(sum / static_cast<double>(x.rows));
  }
}

void max_of_rows(ConstMatrix x, std::span<float> out) {
  std::copy_n(x.data, out.size(), out.data());
  for (std::size_t i = 1; i < x.rows; ++i) {
    const auto row = x.row(i);
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = std::max(out[j], row[j]);
  }
}

std::optional<std::size_t> pooled_row(Pooling pooling, std::size_t n) {
  if (pooling == Pooling::cls) return 0;
  if (pooling == Pooling::last) return n - 1;
  return std::nullopt;
}

void pool(Pooling pooling, RowStarts starts, ConstMatrix x, Matrix out) {
  for (std::size_t text = 0; text < out.rows; ++text) {
    const ConstMatrix rows = x.row_range(starts[text], starts[text + 1] - starts[text]);
    const std::span<float> z = out.row(text);
    switch (pooling) {
      case Pooling::cls:
        std::copy_n(rows.row(0).data(), z.size(), z.data());
        break;
      case Pooling::last:
        std::copy_n(rows.row(rows.rows - 1).data(), z.size(), z.data());
        break;
      case Pooling::mean:
        mean_of_rows(rows, z);
        break;
      case Pooling::max:
        max_of_rows(rows, z);
        break;
      case Pooling::label_attention:
        break;  // gives one vector per class, not per text: label_attention.h
    }
  }
}

void RunningPool::append(ConstMatrix x) {
  width_ = x.cols;
  states_.resize((rows_ + x.rows) * width_);
  for (std::size_t i = 0; i < x.rows; ++i, ++rows_) {
    double* state = states_.data() + rows_ * width_;
    const double* before = state - width_;
    const auto row = x.row(i);
    for (std::size_t j = 0; j < width_; ++j) {
      if (pooling_ == Pooling::mean) {
        state[j] = (rows_ == 0 ? 0.0 : before[j]) + row[j];
      } else if (rows_ == 0 || pooling_ == Pooling::last) {
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
