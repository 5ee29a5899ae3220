// Weights, configs, rows, compressed files, and what a stopped run leaves.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "base/compression.h"
#include "base/error.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "base/utf8.h"
#include "classifier/classifier.h"
#include "classifier/small_models.h"
#include "fuzz/targets.h"
#include "model/engine.h"
#include "model/init.h"
#include "model/locate.h"
#include "model/safetensors.h"
#include "rows/origin.h"
#include "rows/resumable_file.h"
#include "rows/row_reader.h"

namespace headlight::fuzz {
namespace {

/// A file in memory, open at its beginning.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      require(written > 0, "a file in memory takes all bytes");
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    ::lseek(descriptor_, 0, SEEK_SET);
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

RowReading reading_of(unsigned char choices) {
  RowReading reading;
  reading.format = static_cast<RowFormat>(choices & 3U);
  reading.header = (choices & 4U) == 0;
  reading.keep = (choices & 8U) != 0;
  reading.tagged = (choices & 16U) != 0 && reading.format == RowFormat::jsonl;
  if (is_table(reading.format) && !reading.header) reading.fields.text = {"1"};
  return reading;
}

std::vector<std::string> texts_of(std::string_view bytes, const RowReading& reading) {
  const MemoryFile file(bytes);
  std::vector<std::string> texts;
  try {
    RowReader reader(file.descriptor(), "rows", reading);
    while (const auto row = reader.next()) {
      require(!find_bad_utf8(row->input.text), "a text is UTF-8");
      texts.push_back(row->id.text + '\0' + row->input.text + '\0' + row->error);
    }
  } catch (const TextError&) {
    throw std::logic_error("a row throws");
  } catch (const Error&) {
    texts.clear();
  }
  return texts;
}

/// Configs of these sizes make models of a few kilobytes.
bool is_small(const Json& json) {
  constexpr double kLargest = 64;
  if (json.is_number()) return std::abs(json.get<double>()) <= kLargest;
  return !json.is_structured() || std::all_of(json.begin(), json.end(), is_small);
}

Origin origin_of_partial() {
  Origin origin;
  origin.program = "fuzz";
  return origin;
}

void classify_two_ids(Model model) {
  if (model.description.max_positions < 2) return;
  const Engine engine(EngineSettings{});
  const Model ready = engine.ready(std::move(model), Workload::few);
  const Classifier classifier(ready, ClassifierOptions());
  ScoringScratch scratch;
  const TextInput input = typed_ids("0 1");
  const auto predictions = classifier.classify(std::span(&input, 1), scratch, [] { return false; });
  require(predictions.size() == 1, "a text has a prediction");
}

}  // namespace

void run_safetensors(std::string_view data) {
  const std::vector<std::byte> copy(reinterpret_cast<const std::byte*>(data.data()),
                                    reinterpret_cast<const std::byte*>(data.data()) + data.size());
  try {
    std::size_t total = 0;
    for (const SafetensorsEntry& entry : parse_safetensors(copy, "weights")) {
      for (const std::byte byte : entry.bytes) total += std::to_integer<std::size_t>(byte);
    }
    require(total <= 255 * copy.size(), "tensors do not overlap");
  } catch (const Error&) {
  }
}

void run_rows(std::string_view data) {
  if (data.empty()) return;
  RowReading reading = reading_of(static_cast<unsigned char>(data.front()));
  data.remove_prefix(1);
  const std::vector<std::string> whole = texts_of(data, reading);
  std::vector<std::string> joined(whole.size());
  constexpr std::size_t kShards = 3;
  for (std::size_t shard = 0; shard < kShards && !whole.empty(); ++shard) {
    reading.selection.shard = shard;
    reading.selection.shards = kShards;
    const std::vector<std::string> part = texts_of(data, reading);
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (shard + i * kShards < joined.size()) joined[shard + i * kShards] = part[i];
    }
  }
  require(joined == whole, "the rows of the shards are those of the file");
}

void run_compressed(std::string_view data) {
  if (data.empty() || (data.front() != 'g' && data.front() != 'z')) return;
  const Compression compression = data.front() == 'g' ? Compression::gzip : Compression::zstd;
  data.remove_prefix(1);
  constexpr std::size_t kMost = std::size_t{64} << 20U;
  std::array<char, 4096> out{};
  std::size_t total = 0;
  try {
    Decompressor decompressor(compression, "rows");
    while (total < kMost) {
      const std::size_t made = decompressor.read(data, out);
      if (made == 0 && data.empty()) break;
      total += made;
    }
    decompressor.finish();
  } catch (const Error&) {
  }
}

void run_partial(std::string_view data) {
  if (data.empty()) return;
  const bool is_csv = data.front() == 'c';
  const std::string ending = data.front() == 'g' ? ".gz" : data.front() == 'z' ? ".zst" : "";
  data.remove_prefix(1);
  const TemporaryFolder folder;
  const std::string path = folder / ("out" + ending);
  const RowShape shape{is_csv ? RowFormat::csv : RowFormat::jsonl, false, std::nullopt, "error"};
  folder.write("out" + ending + ".partial", data);
  folder.write("out" + ending + ".partial.json", to_json(origin_of_partial()));
  WholeRowFinder finder(shape);
  std::size_t rows = 0;
  {
    ResumableFile file(path, Earlier::resume, origin_of_partial(), finder);
    rows = file.there().rows;
    file.write(is_csv ? "a,b\n" : "{}\n");
    file.finish();
  }
  const std::string bytes = folder.read("out" + ending);
  if (ending.empty()) {
    require(data.starts_with(std::string_view(bytes).substr(0, finder.found().bytes)),
            "rows that were there stay");
    require(rows == 0 || bytes.ends_with(is_csv ? "a,b\n" : "{}\n"), "the next row follows");
    return;
  }
  Decompressor decompressor(compression_of(path), path);
  std::string_view left = bytes;
  std::vector<char> out(std::size_t{1} << 16U);
  while (decompressor.read(left, out) > 0 || !left.empty()) {
  }
  decompressor.finish();
}

void run_manifest(std::string_view data) {
  const std::string rows = "{}\n{}\n";
  const TemporaryFolder folder;
  folder.write("out.partial", rows);
  folder.write("out.partial.json", data);
  const RowShape shape{RowFormat::jsonl, false, std::nullopt, "error"};
  WholeRowFinder finder(shape);
  try {
    const Origin origin = origin_from_json(data, "manifest");
    require(to_json(origin_from_json(to_json(origin), "manifest")) == to_json(origin),
            "an origin is written as it was read");
    ResumableFile file(folder / "out", Earlier::resume, origin, finder);
    require(file.there().rows == 2, "the rows of the same origin are kept");
    file.finish();
    require(folder.read("out") == rows, "the file has its rows");
  } catch (const Error&) {
    require(folder.read("out.partial") == rows, "refused rows stay");
  }
}

void run_config(std::string_view data) {
  const TemporaryFolder folder;
  const std::string config = folder.write("config.json", data);
  try {
    const Json json = parse_json(data, "config");
    if (!is_small(json)) return;
    init_model(config, folder / "model", 0, /*force=*/false);
    classify_two_ids(load_model(locate_model(folder / "model", "")));
  } catch (const Error&) {
  }
}

void run_side_file(std::string_view data) {
  if (data.empty() || (data.front() != 'w' && data.front() != 'c')) return;
  const TemporaryFolder folder;
  const Model whole = lexicon_model(folder);
  const std::string name = data.front() == 'w' ? "weights.json" : "calibration.json";
  folder.write("lexicon/" + name, data.substr(1));
  try {
    classify_two_ids(load_model(whole.place));
  } catch (const Error&) {
  }
}

}  // namespace headlight::fuzz
