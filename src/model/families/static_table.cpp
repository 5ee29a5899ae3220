// Tables of vectors without layers: a text's vector is the mean of those of its tokens. model2vec
// (release 0.10) has a config.json, with its own tokenizer rules (kStaticModel); StaticEmbedding of
// sentence-transformers (6.2) has only the modules.json of the folder. In both, tokens can share
// rows, and each can have a weight: the vector of token i is weights[i] · embeddings[mapping[i]].
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "model/families/families.h"
#include "text/files/published_tokenizer.h"

namespace headlight {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie");

constexpr std::size_t kUsualTokens = 512;  // of model2vec
// In place of no limit: a text cannot exhaust the memory.
constexpr std::size_t kMostTokens = std::size_t{1} << 18U;

constexpr std::array kTypes = {ModelType{"model2vec", kStaticModel},
                               ModelType{"static_embedding", kStaticEmbedding}};

/// The oldest files of model2vec have a model_type, the others `normalize` alone for certain.
const ModelType* recognize(const Json& config) {
  if (config.is_object()) return config.contains("normalize") ? kTypes.data() : nullptr;
  if (!config.is_array() || config.empty() || !config[0].is_object()) return nullptr;
  const auto type = config[0].find("type");
  const bool is_embedding = type != config[0].end() && type->is_string() &&
                            type->get<std::string>().ends_with(".StaticEmbedding");
  return is_embedding ? &kTypes[1] : nullptr;
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  FamilyConfig config;
  config.where = where;
  config.has_head = false;
  Description& model = config.description;
  model.pooling = Pooling::mean;
  model.embedding.positions = PositionKind::none;
  model.max_positions = kMostTokens;
  if (!json.is_object()) return config;
  Fields fields(json, where);
  if (fields.find("max_length") == nullptr) model.max_positions = kUsualTokens;
  if (fields.find_value("max_length") != nullptr) {
    model.max_positions = fields.required_size("max_length", 1, kMostTokens);
  }
  return config;
}

[[noreturn]] void fail(const TensorSource& source, const std::string& name,
                       const StoredTensor& found, const std::string& expected) {
  throw Error(source.where(), "tensor " + name + ": found " + found.dtype + " " +
                                  to_string(found.shape) + ", expected " + expected);
}

template <typename T>
T number_at(const StoredTensor& tensor, std::size_t i) {
  T number;
  std::memcpy(&number, tensor.bytes.data() + i * sizeof(T), sizeof(T));
  return number;
}

/// The row of each token.
std::vector<std::size_t> read_mapping(TensorSource& source, std::size_t rows) {
  const auto stored = source.stored("mapping");
  std::vector<std::size_t> mapping(stored ? 0 : rows);
  for (std::size_t i = 0; i < mapping.size(); ++i) mapping[i] = i;
  if (!stored) return mapping;
  const bool is_wide = stored->dtype == "I64" || stored->dtype == "U64";
  const bool is_narrow = stored->dtype == "I32" || stored->dtype == "U32";
  if (stored->shape.size() != 1 || stored->shape[0] == 0 || (!is_wide && !is_narrow)) {
    fail(source, "mapping", *stored, "a vector of I64");
  }
  mapping.reserve(stored->shape[0]);
  for (std::size_t i = 0; i < stored->shape[0]; ++i) {
    const std::int64_t row = is_wide ? number_at<std::int64_t>(*stored, i)
                                     : std::int64_t{number_at<std::int32_t>(*stored, i)};
    if (row < 0 || static_cast<std::uint64_t>(row) >= rows) {
      throw Error(source.where(), "tensor mapping: found " + std::to_string(row) + " at element " +
                                      std::to_string(i) + ", expected a row of embeddings, below " +
                                      std::to_string(rows));
    }
    mapping.push_back(static_cast<std::size_t>(row));
  }
  return mapping;
}

/// Numbers of any float dtype, and of I8.
std::vector<float> read_floats(const TensorSource& source, const std::string& name,
                               const StoredTensor& stored) {
  std::vector<float> values;
  if (const auto format = value_of(stored.dtype, kNumberFormatWords)) {
    values.resize(stored.bytes.size() / bytes_each(*format));
    widen(*format, stored.bytes.data(), values);
    return values;
  }
  if (stored.dtype != "F64") fail(source, name, stored, "F32, F16, BF16, F64 or I8");
  values.resize(stored.bytes.size() / sizeof(double));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(number_at<double>(stored, i));
    if (std::isfinite(values[i])) continue;
    throw Error(source.where(), "tensor " + name +
                                    ": found a number that is not finite at element " +
                                    std::to_string(i) + ", expected finite ones");
  }
  return values;
}

/// The weight of each token, 1 without such a tensor.
std::vector<float> read_token_weights(TensorSource& source, std::size_t tokens) {
  const auto stored = source.stored("weights");
  if (!stored) return std::vector<float>(tokens, 1.0F);
  if (stored->shape != Shape{tokens}) {
    fail(source, "weights", *stored, to_string({tokens}) + ", one for each token");
  }
  return read_floats(source, "weights", *stored);
}

/// The integers stay integers, with the weights as their scales.
Table integer_table(TensorSource& source, const StoredTensor& stored,
                    const std::vector<std::size_t>& mapping, std::vector<float> weights) {
  const std::size_t d = stored.shape[1];
  std::vector<std::byte> rows;
  rows.reserve(mapping.size() * d);
  for (const std::size_t row : mapping) {
    const auto bytes = stored.bytes.subspan(row * d, d);
    rows.insert(rows.end(), bytes.begin(), bytes.end());
  }
  return source.keep(std::move(rows), std::move(weights));
}

Table float_table(TensorSource& source, const std::string& name, const StoredTensor& stored,
                  const std::vector<std::size_t>& mapping, const std::vector<float>& weights) {
  const std::size_t d = stored.shape[1];
  const std::vector<float> values = read_floats(source, name, stored);
  std::vector<float> rows(mapping.size() * d);
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      rows[i * d + j] = values[mapping[i] * d + j] * weights[i];
    }
  }
  return source.keep(std::move(rows), d);
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  const std::string name = source.has("embeddings") ? "embeddings" : "embedding.weight";
  const auto stored = source.stored(name);
  if (!stored) throw Error(source.where(), "tensor " + name + ": missing");
  if (stored->shape.size() != 2 || stored->shape[0] == 0 || stored->shape[1] == 0) {
    fail(source, name, *stored, "a matrix with a row for each token");
  }
  const bool is_plain = !source.has("mapping") && !source.has("weights");
  const auto format = value_of(stored->dtype, kNumberFormatWords);
  Weights weights;
  Table& table = weights.embeddings.token;
  if (is_plain && format && *format != NumberFormat::i8) {
    table = {*format, stored->bytes.data(), stored->shape[0], stored->shape[1]};
  } else {
    const std::vector<std::size_t> mapping = read_mapping(source, stored->shape[0]);
    std::vector<float> scales = read_token_weights(source, mapping.size());
    table = format == NumberFormat::i8 ? integer_table(source, *stored, mapping, std::move(scales))
                                       : float_table(source, name, *stored, mapping, scales);
  }
  Description& model = config.description;
  model.vocab_size = table.rows;
  model.hidden_size = model.embedding.size = table.cols;
  model.label_heads.sizes = {table.cols};  // there are none
  return weights;
}

}  // namespace

constinit const Family kStaticTableFamily = {kTypes, &read_config, &read_weights, true, &recognize};

}  // namespace headlight
