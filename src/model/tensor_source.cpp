#include "model/tensor_source.h"

#include <utility>

namespace headlight {

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + "]";
}

Table TensorSource::transposed_weight(const std::string& name, std::size_t out, std::size_t in) {
  const Table stored = weight(name, in, out);
  std::vector<float>& copy = copies_.emplace_back(in * out);
  std::vector<float> row(out);
  for (std::size_t j = 0; j < in; ++j) {
    stored.read(j, row);
    for (std::size_t i = 0; i < out; ++i) copy[i * in + j] = row[i];
  }
  return {NumberFormat::f32, reinterpret_cast<const std::byte*>(copy.data()), out, in};
}

Table TensorSource::with_added_row(const Table& table, const Table& other, std::size_t row) {
  std::vector<float> added(table.cols);
  other.read(row, added);
  std::vector<float>& copy = copies_.emplace_back(table.rows * table.cols);
  for (std::size_t i = 0; i < table.rows; ++i) {
    const std::span<float> sum(&copy[i * table.cols], table.cols);
    table.read(i, sum);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += added[j];
  }
  return {NumberFormat::f32, reinterpret_cast<const std::byte*>(copy.data()), table.rows,
          table.cols};
}

Table TensorSource::ordered_weight(const std::string& name, std::span<const std::size_t> order,
                                   std::size_t in) {
  const Table stored = weight(name, order.size(), in);
  std::vector<float>& copy = copies_.emplace_back(order.size() * in);
  for (std::size_t i = 0; i < order.size(); ++i) {
    stored.read(order[i], std::span(copy).subspan(i * in, in));
  }
  return {NumberFormat::f32, reinterpret_cast<const std::byte*>(copy.data()), order.size(), in};
}

Table TensorSource::convolution_weight(const std::string& name, std::size_t out, std::size_t in,
                                       std::size_t kernel) {
  const std::span<const float> stored = floats(name, {out, in, kernel});
  std::vector<float>& copy = copies_.emplace_back(stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const std::size_t token = i % kernel;
    const std::size_t column = i / kernel % in;
    copy[i - i % (in * kernel) + token * in + column] = stored[i];
  }
  return {NumberFormat::f32, reinterpret_cast<const std::byte*>(copy.data()), out, kernel * in};
}

Table TensorSource::keep(std::vector<float> values, std::size_t cols) {
  const std::vector<float>& copy = copies_.emplace_back(std::move(values));
  return {NumberFormat::f32, reinterpret_cast<const std::byte*>(copy.data()), copy.size() / cols,
          cols};
}

Table TensorSource::keep(std::vector<std::byte> integers, std::vector<float> scales) {
  const std::vector<std::byte>& bytes = integers_.emplace_back(std::move(integers));
  const std::vector<float>& copy = copies_.emplace_back(std::move(scales));
  return {NumberFormat::i8, bytes.data(), copy.size(), bytes.size() / copy.size(), copy.data()};
}

std::span<const float> TensorSource::gains_above_one(const std::string& name, std::size_t size) {
  std::vector<float>& copy = copies_.emplace_back();
  for (const float stored : floats(name, {size})) copy.push_back(1.0F + stored);
  return copy;
}

}  // namespace headlight
