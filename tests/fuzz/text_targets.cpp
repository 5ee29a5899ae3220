// Texts, patterns and tokenizers.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "base/utf8.h"
#include "fuzz/targets.h"
#include "text/files/tokenizer_json.h"
#include "text/normalizers/normal_form.h"
#include "text/splitters/pattern.h"

namespace headlight::fuzz {
namespace {

/// Removes the bytes before the first NUL, and the NUL, from the front of `data`.
std::string_view take_part(std::string_view& data) {
  const std::string_view part = data.substr(0, data.find('\0'));
  data.remove_prefix(std::min(data.size(), part.size() + 1));
  return part;
}

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
    options.max_length = 8;
    const Encoding cut = tokenizer.encode(text, pair, options);
    check_encoding(cut, longest);
    for (const TokenId id : whole.ids)
      require(id < tokenizer.vocabulary_size(), "ids have a limit");
  } catch (const Error&) {
  }
}

}  // namespace headlight::fuzz
