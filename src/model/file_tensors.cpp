#include "model/file_tensors.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "base/fields.h"
#include "base/json.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "model/json_weights.h"
#include "model/safetensors.h"

namespace headlight {
namespace {

constexpr std::string_view kIndexSuffix = ".index.json";

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

std::size_t elements(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

/// "row 3, column 17" of a matrix, "element 17" of a vector.
std::string element_place(std::size_t index, const Shape& shape) {
  if (shape.size() != 2) return "element " + std::to_string(index);
  return "row " + std::to_string(index / shape[1]) + ", column " + std::to_string(index % shape[1]);
}

/// "embeddings.token.weight" → "embeddings.token.scale"
std::string scale_of(const std::string& name) { return name.substr(0, name.rfind('.')) + ".scale"; }

}  // namespace

FileTensors::FileTensors(const std::string& path) : path_(path) {
  if (path.ends_with(kIndexSuffix)) {
    open_index(path);
  } else if (path.ends_with(".json")) {
    open_json(path);
  } else {
    open_safetensors(path, nullptr);
  }
}

void FileTensors::open_safetensors(const std::string& path,
                                   const std::map<std::string, std::string>* owners) {
  files_.emplace_back(path);
  bytes_on_disk_ += files_.back().bytes().size();
  for (auto& entry : parse_safetensors(files_.back().bytes(), path)) {
    if (owners != nullptr && !owners->contains(entry.name)) {
      throw Error(path, "tensor " + shortened(entry.name) + ": not in the weight_map of " + path_);
    }
    const bool fresh =
        stored_
            .emplace(entry.name, Stored{path, entry.dtype, entry.shape, entry.bytes.data(),
                                        entry.bytes.size(), false})
            .second;
    if (!fresh) throw Error(path, "tensor " + shortened(entry.name) + ": is also in another shard");
  }
}

void FileTensors::open_index(const std::string& path) {
  const Json json = read_json_file(path);
  Fields fields(json, path);
  Fields weight_map(fields.required("weight_map"), path, "weight_map");
  std::map<std::string, std::string> owners;
  std::set<std::string> shards;
  for (const auto& item : fields.required("weight_map").items()) {
    const std::string file = weight_map.required_string(item.key());
    const auto forbidden = file.find_first_of(std::string_view("/\0", 2));
    if (file.empty() || forbidden != std::string::npos || file[0] == '.') {
      weight_map.fail(item.key(), "the name of a file beside the index");
    }
    owners[item.key()] = file;
    shards.insert(file);
  }
  const std::string folder = directory_of(path);
  for (const auto& shard : shards) open_safetensors(folder + shard, &owners);
  for (const auto& [name, file] : owners) {
    const auto found = stored_.find(name);
    if (found == stored_.end() || found->second.file != folder + file) {
      throw Error(path, "tensor " + shortened(name) + ": not in " + file +
                            ", which weight_map names for it");
    }
  }
}

void FileTensors::open_json(const std::string& path) {
  files_.emplace_back(path);
  bytes_on_disk_ = files_.back().bytes().size();
  JsonWeights weights = parse_json_weights(files_.back().text(), path);
  transposed_ = weights.transposed;
  for (JsonTensor& tensor : weights.tensors) {
    widened_.push_back(std::make_unique<Buffer>());
    const Matrix values = widened_.back()->shape(1, tensor.values.size());
    std::copy(tensor.values.begin(), tensor.values.end(), values.data);
    stored_.emplace(tensor.name, Stored{path, "F32", tensor.shape,
                                        reinterpret_cast<const std::byte*>(values.data),
                                        tensor.values.size() * sizeof(float), false});
  }
}

void FileTensors::replace(const std::string& name, const Shape& shape,
                          std::span<const float> values) {
  if (transposed_) throw Error(path_, "has transposed weights; an adapter needs others");
  widened_.push_back(std::make_unique<Buffer>());
  const Matrix kept = widened_.back()->shape(1, values.size());
  std::ranges::copy(values, kept.data);
  if (std::erase(taken_, name) > 0) parameters_ -= elements(stored_.at(name).shape);
  stored_[name] = {
      path_, "F32", shape, reinterpret_cast<const std::byte*>(kept.data), values.size_bytes(),
      false};
}

FileTensors::Found FileTensors::missing(const std::string& name, const Shape& shape) {
  constexpr std::size_t kMostZeros = std::size_t{1} << 24U;
  if (made_) {
    const std::span<const float> values = made_->floats(name, shape);
    parameters_ += values.size();
    return {NumberFormat::f32, std::as_bytes(values).data(), values.size()};
  }
  missing_.push_back(shortened(name) + (missing_.empty() ? ": missing, expected shape " : " ") +
                     to_string(shape));
  const std::size_t count = elements(shape);
  if (!defers_missing_ || count > kMostZeros) refuse_missing();
  if (zeros_.empty() || zeros_.back().size() < count) zeros_.emplace_back(count);
  return {NumberFormat::f32, reinterpret_cast<const std::byte*>(zeros_.back().data()), count};
}

void FileTensors::refuse_missing() {
  defers_missing_ = false;
  if (missing_.empty()) return;
  constexpr std::size_t kMostNames = 64;
  const std::vector<std::string> others(missing_.begin() + 1, missing_.end());
  throw Error(path_, "tensor " + missing_.front() +
                         (others.empty() ? "" : "; also missing: " + listed(others, kMostNames)));
}

/// Makes a weight that is stored as [in, out] one that is stored as [out, in].
void FileTensors::turn(const std::string& name, std::size_t out, std::size_t in) {
  const auto stored = stored_.find(name);
  if (stored == stored_.end()) return;  // weight() says so, with the shape of a linear layer
  const Found found = take(name, {in, out});
  const std::span values(reinterpret_cast<const float*>(found.bytes), in * out);  // of JSON
  std::vector<float> rows(in * out);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = values[i % in * out + i / in];
  stored->second.shape = {out, in};
  stored->second.bytes = keep(std::move(rows), in).bytes;
}

FileTensors::Found FileTensors::take(const std::string& name, const Shape& shape) {
  const auto found = stored_.find(name);
  if (found == stored_.end()) return missing(name, shape);
  Stored& tensor = found->second;
  const std::string place = "tensor " + shortened(name) + ": ";
  if (tensor.shape != shape) {
    refuse_missing();
    throw Error(tensor.file, place + "found shape " + to_string(tensor.shape) + ", expected " +
                                 to_string(shape));
  }
  const auto format = value_of(tensor.dtype, kNumberFormatWords);
  if (!format || (*format == NumberFormat::i8 && !stored_.contains(scale_of(name)))) {
    throw Error(tensor.file, place + "found dtype " + tensor.dtype + ", expected F32, F16 or BF16");
  }
  const std::size_t count = elements(shape);
  if (!std::exchange(tensor.taken, true)) {
    parameters_ += count;
    taken_.push_back(name);
  }
  return {*format, tensor.bytes, count};
}

std::vector<FileTensors::Block> FileTensors::blocks() const {
  constexpr std::size_t kBlock = std::size_t{1} << 18U;
  std::vector<Block> blocks;
  for (const std::string& taken : taken_) {
    const auto& [name, tensor] = *stored_.find(taken);
    const std::size_t count = elements(tensor.shape);
    for (std::size_t first = 0; first < count; first += kBlock) {
      blocks.push_back({&name, &tensor, *value_of(tensor.dtype, kNumberFormatWords), first,
                        std::min(kBlock, count - first)});
    }
  }
  return blocks;
}

void FileTensors::check_finite(const Table& lookup, const std::function<void()>& meanwhile) const {
  // This reads a large model for the first time, so all threads share the work.
  const std::vector<Block> all = blocks();
  const auto find_bad = [](const Block& block) {
    return find_not_finite(block.format, block.bytes().data(), block.count);
  };
  FirstFailure failure;  // of `meanwhile`
  std::atomic<std::size_t> first_bad = all.size();
  const auto check = [&](std::size_t i) {
    const bool is_bad = i < first_bad && find_bad(all[i]);
    if (all[i].tensor->bytes == lookup.bytes) {
      for (const MappedFile& file : files_) file.let_go(all[i].bytes());
    }
    std::size_t before = first_bad;
    while (is_bad && i < before && !first_bad.compare_exchange_weak(before, i)) {
    }
  };
  share_work(all.size() + 1, [&](std::size_t i) {
    if (i > 0) return check(i - 1);
    if (meanwhile) failure.guard(meanwhile);
  });
  if (first_bad < all.size()) throw not_finite(all[first_bad], *find_bad(all[first_bad]));
  failure.rethrow();
}

Error FileTensors::not_finite(const Block& block, std::size_t element) const {
  return {block.tensor->file,
          "tensor " + shortened(*block.name) + ": found a number that is not finite at " +
              element_place(block.first + element, block.tensor->shape) + ", expected finite ones"};
}

std::span<const float> FileTensors::floats(const std::string& name, const Shape& shape) {
  const Found found = take(name, shape);
  if (found.format == NumberFormat::i8) refuse(name, "found dtype I8, which only tables can have");
  const bool aligned = reinterpret_cast<std::uintptr_t>(found.bytes) % alignof(float) == 0;
  if (found.format == NumberFormat::f32 && aligned) {
    return {reinterpret_cast<const float*>(found.bytes), found.count};
  }
  widened_.push_back(std::make_unique<Buffer>());
  const auto values = widened_.back()->shape(1, found.count).row(0);
  widen(found.format, found.bytes, values);
  return values;
}

Table FileTensors::table(const std::string& name, std::size_t rows, std::size_t cols) {
  const Found found = take(name, {rows, cols});
  Table table{found.format, found.bytes, rows, cols};
  if (found.format == NumberFormat::i8) table.scales = floats(scale_of(name), {rows}).data();
  return table;
}

Table FileTensors::weight(const std::string& name, std::size_t out, std::size_t in) {
  if (transposed_ && turned_.insert(name).second) turn(name, out, in);
  const auto file = stored_.find(name);
  if (path_.ends_with(".json") && !transposed_ && in != out && file != stored_.end() &&
      file->second.shape == Shape{in, out}) {
    throw Error(path_,
                "tensor " + shortened(name) + ": found shape " + to_string({in, out}) +
                    ", expected " + to_string({out, in}),
                R"(with "transposed": true beside "tensors", linear layers are [in, out])");
  }
  const Found found = take(name, {out, in});
  if (found.format == NumberFormat::i8) refuse(name, "found dtype I8, which only tables can have");
  return {found.format, found.bytes, out, in};
}

std::optional<StoredTensor> FileTensors::stored(const std::string& name) {
  const auto found = stored_.find(name);
  if (found == stored_.end()) return std::nullopt;
  Stored& tensor = found->second;
  const bool is_new = !std::exchange(tensor.taken, true);
  if (is_new && value_of(tensor.dtype, kNumberFormatWords)) {
    parameters_ += elements(tensor.shape);
    taken_.push_back(name);
  }
  return StoredTensor{tensor.dtype, tensor.shape, {tensor.bytes, tensor.size}};
}

std::optional<std::size_t> FileTensors::rows_of(const std::string& name) const {
  const auto found = stored_.find(name);
  if (found == stored_.end() || found->second.shape.empty()) return std::nullopt;
  const bool is_turned = transposed_ && found->second.shape.size() == 2 && !turned_.contains(name);
  return found->second.shape[is_turned ? 1 : 0];
}

void FileTensors::let_go() const {
  for (const MappedFile& file : files_) file.let_go();
}

std::vector<SafetensorsEntry> FileTensors::entries() const {
  std::vector<SafetensorsEntry> entries;
  for (const auto& [name, tensor] : stored_) {
    entries.push_back({name, tensor.dtype, tensor.shape, {tensor.bytes, tensor.size}});
  }
  return entries;
}

std::vector<std::string> FileTensors::leftovers() const {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : stored_) {
    if (!tensor.taken) names.push_back(name);
  }
  return names;
}

void FileTensors::refuse_leftovers() const {
  const auto names = leftovers();
  if (!names.empty()) refuse(names.front(), "the config does not use it");
}

void FileTensors::refuse(const std::string& name, const std::string& why) const {
  throw Error(stored_.at(name).file, "tensor " + shortened(name) + ": " + why);
}

}  // namespace headlight
