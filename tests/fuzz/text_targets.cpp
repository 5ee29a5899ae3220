// Texts, patterns, tokenizers, and what is typed on a command line.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/compression.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/nearest_name.h"
#include "base/parallel.h"
#include "base/temporary_folder.h"
#include "base/utf8.h"
#include "fuzz/targets.h"
#include "model/locate.h"
#include "rows/row_reading.h"
#include "text/blank_words.h"
#include "text/files/json_vocabulary.h"
#include "text/files/plain_vocabulary.h"
#include "text/files/published_tokenizer.h"
#include "text/files/tokenizer_json.h"
#include "text/normalizers/normal_form.h"
#include "text/splitters/pattern.h"
#include "text/token_words.h"
#include "text/typed_ids.h"
#include "text/unicode/columns.h"
#include "text/unicode/graphemes.h"

namespace headlight::fuzz {
namespace {

std::u32string in_form(const std::u32string& text, NormalForm form) {
  NormalizedText normalized(text, 0);
  to_normal_form(normalized, form);
  require(normalized.origins.size() == normalized.size(), "each character has an origin");
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < normalized.size(); ++i) {
    const std::uint32_t origin = normalized.origin_of(i);
    require(origin >= last && (origin < text.size() || origin == 0), "origins rise");
    last = origin;
  }
  return normalized.characters;
}

void check_encoding(const Encoding& encoding, std::size_t longest) {
  const std::size_t n = encoding.ids.size();
  require(encoding.tokens.size() == n && encoding.offsets.size() == n &&
              encoding.type_ids.size() == n && encoding.sequences.size() == n,
          "each token has all its data");
  for (const Offset& offset : encoding.offsets) {
    require(offset.begin <= offset.end && offset.end <= longest, "offsets are in the text");
  }
}

/// Windows hold all tokens of an encoding, in order.
void check_windows(const Tokenizer& tokenizer, std::string_view text,
                   std::optional<std::string_view> pair, const Encoding& whole) {
  EncodeOptions options;
  options.max_length = 8;
  const TokenWindows windows = tokenizer.encode_windows(text, pair, options);
  require(windows.whole.ids == whole.ids, "windows are of all tokens");
  std::size_t covered = windows.begin;
  for (std::size_t i = 0; i < windows.count(); ++i) {
    require(windows.window(i).ids.size() <= *options.max_length, "a window has a limit");
    const TokenRange range = windows.range(i);
    require(range.first <= covered && range.last >= covered, "windows leave nothing out");
    covered = range.last;
  }
  require(covered == windows.end, "windows reach the end");
}

/// What stands in no text was inserted.
void check_inserted(const Tokenizer& tokenizer, const Encoding& whole, bool pair) {
  std::size_t inserted = 0;
  for (std::size_t i = 0; i < whole.ids.size(); ++i) {
    if (whole.sequences[i] != Sequence::none) continue;
    ++inserted;
    require(tokenizer.inserts(whole.ids[i]), "only special tokens are inserted");
  }
  require(inserted == tokenizer.special_tokens(pair), "special tokens are counted");
  require(tokenizer.ending_tokens() <= tokenizer.special_tokens(false), "the last are among them");
  require(!tokenizer.describe().empty(), "a tokenizer can be described");
  const auto unknown = tokenizer.unknown_id();
  require(!unknown || tokenizer.token(*unknown).has_value(), "the unknown token has a name");
}

/// Every token is in exactly one word.
void check_words(const Encoding& encoding, const std::string& text,
                 const std::optional<std::string>& pair) {
  std::size_t covered = 0;
  for (const TokenWord& word : words_of(encoding, text, pair)) {
    require(word.begin == covered && word.end > covered, "words follow one another");
    covered = word.end;
  }
  require(covered == encoding.ids.size(), "words hold all tokens");
}

void check_columns(const std::u32string& text) {
  require(columns_of(text) <= 2 * text.size(), "a character has at most two columns");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = cluster_end(text, at);
    require(end > at && end <= text.size(), "clusters follow one another");
    at = end;
  }
  std::size_t last = 0;
  for (const Offset& word : words_between_blanks(text)) {
    require(word.begin >= last && word.begin < word.end && word.end <= text.size(), "words rise");
    last = word.end;
  }
}

/// Two models that are found by their names.
struct KnownModels {
  KnownModels() {
    folder.write("positive/config.json", "{}");
    folder.write("negative/modules.json", "[]");
    ::setenv("HEADLIGHT_MODELS", folder.path().c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
  TemporaryFolder folder;
};

/// A name that leads to no file here: nothing but the known models is read.
void check_name(const std::string& name) {
  static const KnownModels known;
  const std::string first = name.substr(0, name.find('/'));
  if (first.empty() || file_exists(first)) return;
  const bool is_known = name == "positive" || name == "negative";
  require(is_refused([&] { locate_model(name, ""); }) != is_known, "known models are found");
}

/// The environment may say anything of the threads.
void check_threads(const std::string& typed) {
  const std::size_t most = default_threads().threads;
  ::setenv("OMP_NUM_THREADS", typed.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  const std::size_t threads = default_threads().threads;
  require(threads > 0 && threads <= most, "a variable only lowers the number of threads");
  ::unsetenv("OMP_NUM_THREADS");  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace

void run_unicode(std::string_view data) {
  const auto bad = find_bad_utf8(data);
  require(!find_bad_utf8(printable(data)), "printable text is UTF-8");
  require(bad || to_utf8(to_code_points(data)) == data, "code points and back");
  if (bad) return;
  const std::u32string text = to_code_points(data);
  for (const NormalForm form :
       {NormalForm::nfd, NormalForm::nfkd, NormalForm::nfc, NormalForm::nfkc}) {
    const std::u32string once = in_form(text, form);
    require(in_form(once, form) == once, "a normal form is its own normal form");
  }
  require(
      in_form(in_form(text, NormalForm::nfd), NormalForm::nfc) == in_form(text, NormalForm::nfc),
      "NFC of NFD is NFC");
  check_columns(text);
}

void run_pattern(std::string_view data) {
  const std::string expression(take_part(data));
  if (find_bad_utf8(expression) || find_bad_utf8(data)) return;
  const std::u32string text = to_code_points(data);
  try {
    const Pattern pattern = Pattern::of_expression(expression);
    std::uint32_t last = 0;
    for (const Span match : pattern.find_all(text)) {
      require(match.begin >= last && match.end <= text.size(), "matches rise");
      last = std::max(match.begin, match.end);
    }
  } catch (const Error&) {
  }
}

void run_folder(std::string_view data) {
  constexpr std::array<std::string_view, 8> kNames = {
      "config.json", "tokenizer_config.json", "tokenizer.json",         "vocab.txt", "vocab.json",
      "merges.txt",  "added_tokens.json",     "special_tokens_map.json"};
  const TemporaryFolder folder;
  std::string text = "a b";
  for (const NamedFile& file : files_of(data)) {
    if (file.name == "text") text = file.content;
    if (std::find(kNames.begin(), kNames.end(), file.name) != kNames.end()) {
      folder.write(std::string(file.name), file.content);
    }
  }
  try {
    const auto published = read_published_tokenizer(folder.path(), "");
    if (!published) return;
    check_encoding(published->tokenizer.encode(text, std::nullopt, EncodeOptions()), text.size());
  } catch (const Error&) {
  }
}

/// Where the vocabulary is taken out of a file, reading the whole file as JSON gives the same.
void run_vocabulary(std::string_view data) {
  const auto taken = take_vocabulary(data);
  if (!taken) return;
  const auto read_whole = [&] { return parse_json(data, "file"); };
  if (is_refused([&] { parse_json(taken->rest, "rest"); })) {
    require(is_refused([&] { read_whole(); }), "a file is refused if its rest is");
    return;
  }
  Json whole = read_whole();
  const Json found = std::exchange(whole.at("model").at("vocab"), Json::object());
  require(whole == parse_json(taken->rest, "rest"), "the rest is the file without its vocabulary");
  const Vocabulary expected = read_token_ids(found, "file", "model.vocab");
  const auto is_same = [](const Vocabulary::Entry& a, const Vocabulary::Entry& b) {
    return a.token == b.token && a.id == b.id;
  };
  require(std::equal(taken->vocabulary.entries().begin(), taken->vocabulary.entries().end(),
                     expected.entries().begin(), expected.entries().end(), is_same),
          "the vocabulary is that of the JSON reader");
}

void run_typed_ids(std::string_view data) {
  const std::string_view text = take_part(data);
  const auto types = data.empty() ? std::nullopt : std::optional(std::string(data));
  try {
    const TypedIds typed = parse_typed_ids(text, types);
    require(typed.type_ids.size() == typed.ids.size() && typed.offsets.size() == typed.ids.size(),
            "each id has all its data");
    for (std::size_t i = 0; i < typed.ids.size(); ++i) {
      const Offset offset = typed.offsets[i];
      require(offset.begin < offset.end && offset.end <= text.size(), "ids are in the text");
      const std::string typed_id(text.substr(offset.begin, offset.end - offset.begin));
      require(std::stoull(typed_id) == typed.ids[i], "an id is the number in its place");
    }
  } catch (const TextError&) {
  }
}

void run_names(std::string_view data) {
  const std::string name(take_part(data));
  std::vector<std::string> known;
  while (!data.empty() && known.size() < 100) known.emplace_back(take_part(data));
  const std::string nearest = nearest_name(name, known);
  require(nearest.empty() || std::find(known.begin(), known.end(), nearest) != known.end(),
          "a suggestion is a known name");
  require(did_you_mean(name, known).empty() == nearest.empty(), "a near name is suggested");
  check_name(name);
  check_threads(name);
  require(compression_of(name) != Compression::none ||
              row_format_of(name + ".gz") == row_format_of(name),
          "a compressed file has the format of what is in it");
}

void run_tokenizer(std::string_view data) {
  const TemporaryFolder folder;
  const std::string file = folder.write("tokenizer.json", take_part(data));
  const std::string_view text = take_part(data);
  const std::optional<std::string_view> pair = data.empty() ? std::nullopt : std::optional(data);
  try {
    const Tokenizer tokenizer = read_tokenizer_json(file);
    EncodeOptions options;
    const std::size_t longest = std::max(text.size(), data.size());
    const Encoding whole = tokenizer.encode(text, pair, options);
    check_encoding(whole, longest);
    TokenIds ids;
    tokenizer.encode_ids(text, pair, options, ids);
    require(ids.ids == whole.ids, "ids alone are those of an encoding");
    check_inserted(tokenizer, whole, pair.has_value());
    check_words(whole, std::string(text), pair ? std::optional(std::string(*pair)) : std::nullopt);
    for (const TokenId id : whole.ids) {
      require(id < tokenizer.vocabulary_size(), "ids have a limit");
      tokenizer.token(id);
    }
    options.plain_text = true;
    check_encoding(tokenizer.encode(text, pair, options), longest);
    options.max_length = 8;
    check_encoding(tokenizer.encode(text, pair, options), longest);
    options.truncation = Truncation::only_first;
    check_encoding(tokenizer.encode(text, pair, options), longest);
    check_windows(tokenizer, text, pair, whole);
  } catch (const Error&) {
  }
}

}  // namespace headlight::fuzz
