// Compressed files, and what is written and read again.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/compression.h"
#include "base/error.h"
#include "base/file_guard.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/output.h"
#include "base/placing.h"
#include "base/sorted_lines.h"
#include "base/temporary_folder.h"
#include "base/utf8.h"
#include "fuzz/decompressed.h"
#include "fuzz/memory_file.h"
#include "fuzz/targets.h"
#include "rows/delimited.h"
#include "rows/origin.h"

namespace headlight::fuzz {
namespace {

std::vector<std::string> parts_of(std::string_view data) {
  std::vector<std::string> parts;
  while (!data.empty()) parts.emplace_back(take_part(data));
  return parts;
}

void check_json(std::string_view data) {
  for (const bool ascii : {false, true}) {
    std::string json;
    JsonWriter(json, ascii).begin_array().string(data).foreign("{ \"a\":\n1 }").end_array();
    const Json read = parse_json(json, "json");
    const auto text = read.at(0).get<std::string>();
    require(find_bad_utf8(data) || text == data, "a string is read as it was written");
  }
  std::string fields;
  const std::string text(data);
  JsonWriter(fields)
      .begin_object()
      .field("a", data)
      .field("b", text)
      .field("c", text.c_str())
      .field("d", data.size())
      .key("e")
      .null()
      .end_object();
  require(parse_json(fields, "json").at("d").get<std::size_t>() == data.size(), "fields are read");
  double number = 0.0;
  if (data.size() < sizeof number) return;
  std::memcpy(&number, data.data(), sizeof number);
  const auto single = static_cast<float>(number);
  if (!std::isfinite(number) || !std::isfinite(single)) return;
  std::string json;
  JsonWriter(json).begin_object().field("double", number).field("float", single).end_object();
  const Json read = parse_json(json, "json");
  require(read.at("double").get<double>() == number && read.at("float").get<float>() == single,
          "a number is read as it was written");
  std::string rounded;
  JsonWriter(rounded, /*ascii=*/false, /*decimals=*/3).begin_array().number(single).end_array();
  parse_json(rounded, "json");
}

void check_tables(const std::vector<std::string>& cells) {
  const std::vector<Cell> row(cells.begin(), cells.end());
  require(row.empty() || split_csv(delimited_line(RowFormat::csv, row), std::nullopt) == row,
          "the cells of CSV are read as they were written");
  require(row.empty() || split_tsv(delimited_line(RowFormat::tsv, row), std::nullopt) == row,
          "the cells of TSV are read as they were written");
}

void check_sorting(const std::vector<std::string>& lines) {
  constexpr std::size_t kMemory = 64;
  SortedLines sorter(kMemory);
  const auto key = [](const std::string& line) { return static_cast<double>(line.size() % 5); };
  for (const std::string& line : lines) sorter.add(key(line), line);
  std::vector<std::string> expected = lines;
  std::stable_sort(expected.begin(), expected.end(),
                   [&](const auto& a, const auto& b) { return key(a) > key(b); });
  std::vector<std::string> sorted;
  sorter.pass_on([&](std::string_view line) { sorted.emplace_back(line); });
  require(sorted == expected, "lines are sorted, in parts as at once");
}

/// No output replaces what this run reads, or what it does not own.
void check_refusals(const TemporaryFolder& folder, const std::string& path) {
  const FileGuard guard;
  guard_input(path);
  require(is_refused([&] { claim_output(path, {".partial"}); }), "an input is no output");
  require(is_refused([&] { OutputFile(path, /*force=*/true); }), "an input is not replaced");
  std::filesystem::create_hard_link(path, folder / "other name");
  require(is_refused([&] { claim_output(folder / "other name", {}); }), "nor by another name");
  release_input(path);
  claim_output(path, {".partial"});
  require(is_refused([&] { claim_output(path, {}); }), "an output has one owner");
  require(is_refused([&] { OutputFile(path, /*force=*/false); }), "a file is not replaced");
  folder.write("other", "its bytes");
  require(!place_new_file(folder / "other", path) && folder.read("other") == "its bytes",
          "a file that stands there stays");
}

void check_output(std::string_view data) {
  const TemporaryFolder folder;
  const std::string path = folder / "out.zst";
  {
    OutputFile file(path, /*force=*/false);
    file.output().write(data);
    file.finish();
  }
  require(decompressed(Compression::zstd, folder.read("out.zst")) == data, "a file has its bytes");
  write_whole(path, data);
  require(folder.read("out.zst") == data, "a replaced file has its bytes");
  check_refusals(folder, path);
  require(folder.read("out.zst") == data, "a refused output changes nothing");
}

}  // namespace

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

void run_written(std::string_view data) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    require(decompressed(compression, compressed_member(compression, data)) == data,
            "compressed bytes come back");
  }
  require(decode_base64(encode_base64(data)) == data, "base64 comes back");
  if (const auto bytes = decode_base64(data)) {
    require(bytes->size() <= data.size(), "base64 is longer than its bytes");
  }
  GrowingHash hash;
  for (std::size_t at = 0; at < data.size(); at += 5) hash.add(data.substr(at, 5));
  require(hash.text() == hash_of(data), "a hash does not depend on the pieces");
  const MemoryFile file(data);
  require(marks_of_input(file.descriptor(), "file")
              .at("size")
              .starts_with(std::to_string(data.size()) + " bytes"),
          "an input is known by its size");
  const std::vector<std::string> parts = parts_of(data);
  require(!find_bad_utf8(printable(listed(parts, 3))), "a list can be printed");
  check_json(data);
  check_tables(parts);
  check_sorting(parts);
  check_output(data);
}

}  // namespace headlight::fuzz
