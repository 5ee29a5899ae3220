// Text to ids, as classify and batch make them, and to tokens with offsets, as tokenize shows them:
// the tokenizer of the bundled encoder reads the project's own texts, a line at a time. The
// environment can name a folder with another tokenizer, and a file with other texts.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/error.h"
#include "base/file.h"
#include "groups.h"
#include "measure.h"
#include "text/files/native_tokenizer.h"
#include "text/files/published_tokenizer.h"
#include "text/files/vocabulary_file.h"
#include "text/tokenizer.h"

namespace headlight::bench {
namespace {

std::string source_file(const std::string& name) {
  return std::string(HEADLIGHT_SOURCE) + "/" + name;
}

std::vector<std::string> files() {
  if (const char* given = std::getenv("HEADLIGHT_TEXTS")) return {given};
  return {source_file("README.md"), source_file("CONTRIBUTING.md"), source_file("CHANGELOG.md")};
}

std::vector<std::string> read_lines() {
  std::vector<std::string> lines;
  for (const std::string& path : files()) {
    const MappedFile file(path);
    std::string_view rest = file.text();
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      if (!line.empty()) lines.emplace_back(line);
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
  }
  return lines;
}

Tokenizer read_tokenizer() {
  if (const char* given = std::getenv("HEADLIGHT_TOKENIZER")) {
    if (auto found = read_published_tokenizer(given, "")) return std::move(found->tokenizer);
    throw Error(given, "has no tokenizer");
  }
  const std::string path = source_file("data/models/encoder/vocab.txt");
  TokenizerSettings settings;
  settings.type = TokenizerSettings::Type::wordpiece;
  settings.lowercase = true;
  settings.strip_accents = true;
  return make_native_tokenizer(settings, read_vocabulary(path), path);
}

/// The number of tokens of a text.
using Count = std::size_t (*)(const Tokenizer& tokenizer, const std::string& text);

std::size_t count_ids(const Tokenizer& tokenizer, const std::string& text) {
  static TokenIds ids;
  tokenizer.encode_ids(text, std::nullopt, {}, ids);
  return ids.size();
}

std::size_t count_tokens(const Tokenizer& tokenizer, const std::string& text) {
  return tokenizer.encode(text, std::nullopt, {}).size();
}

void run_tokenizing(benchmark::State& state, Count count) {
  static const std::vector<std::string> kLines = read_lines();
  static const Tokenizer kTokenizer = read_tokenizer();
  std::size_t tokens = 0;
  std::size_t bytes = 0;
  for (const std::string& line : kLines) {
    tokens += count(kTokenizer, line);
    bytes += line.size();
  }
  const double seconds = seconds_each(state, [&] {
    for (const std::string& line : kLines) benchmark::DoNotOptimize(count(kTokenizer, line));
  });
  state.counters["tokens/s"] = static_cast<double>(tokens) / seconds;
  state.counters["MB/s"] = static_cast<double>(bytes) / seconds * 1e-6;
}

}  // namespace

void add_tokenizing() {
  benchmark::RegisterBenchmark("tokenizing/ids", run_tokenizing, count_ids)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("tokenizing/tokens", run_tokenizing, count_tokens)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace headlight::bench
