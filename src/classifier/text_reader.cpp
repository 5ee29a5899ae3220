#include "classifier/text_reader.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "model/foreign_files.h"
#include "text/token_words.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

constexpr const char* kNoTokens = "gives no tokens, so there is nothing to score";

/// Where the word at a code point ends, or the text.
std::size_t word_end(std::string_view text, std::size_t at) {
  return to_code_points(text).find(U' ', at);
}

}  // namespace

std::size_t token_limit(const Model& model, const ReadingOptions& options) {
  const Description& description = model.description;
  const std::size_t limit =
      std::min(description.max_positions, description.pad_to_length.value_or(SIZE_MAX));
  return std::min(limit, options.max_length.value_or(SIZE_MAX));
}

std::size_t token_room(const Model& model, const ReadingOptions& options) {
  const std::size_t limit = token_limit(model, options);
  const std::size_t special = model.tokenizer ? model.tokenizer->special_tokens(false) : 0;
  return limit - std::min(limit, special);
}

bool reads_windows(const Model& model, const ReadingOptions& options) {
  if (!options.long_texts) return model.description.reads_windows;
  return *options.long_texts == LongTexts::window;
}

void require_vocabulary(const Model& model, const ReadingOptions& options) {
  if (options.ids || model.tokenizer || model.features) return;
  throw missing_vocabulary(model.place);
}

void require_one_text(const FeatureModel& model, const TextInput& input) {
  const std::string models = std::string("but models of ") + model.kind();
  if (input.pair) throw TextError("is a pair, " + models + " read one text");
  if (input.ids) throw TextError("is ids, " + models + " read words");
}

std::string too_long(std::size_t tokens, std::size_t limit) {
  return "has " + std::to_string(tokens) + " tokens, more than the " + std::to_string(limit) +
         " that can be read";
}

std::string note_of_unknown(const TextSize& sum) {
  constexpr std::size_t kNoteworthy = 5;
  if (sum.unknown * kNoteworthy <= sum.own) return "";
  return std::to_string((100 * sum.unknown + sum.own / 2) / sum.own) +
         " % of the tokens are unknown to this model; is the text in its language?";
}

TextReader::TextReader(const Model& model, const ReadingOptions& options)
    : model_(model), options_(options), has_windows_(reads_windows(model, options)) {
  require_vocabulary(model_, options_);
  if (options_.ids || !model_.tokenizer) return;
  may_be_empty_ = model_.tokenizer->may_be_empty() && model_.description.layers.empty() &&
                  model_.description.pooling == Pooling::mean;
  unknown_ = model_.tokenizer->unknown_id();
  if (unknown_ && model_.tokenizer->inserts(*unknown_)) unknown_.reset();  // it says something else
}

ReadText TextReader::read(const TextInput& input) const {
  TokenWindows text = windows_of(input);
  if (text.count() == 1) check_length(input, text.whole);
  const std::size_t special =
      input.ids ? 0 : model_.tokenizer->special_tokens(input.pair.has_value());
  const std::size_t own = text.whole.size() - std::min(special, text.whole.size());
  fill(text.whole);
  check_ids(input, text.whole);
  const std::size_t windows = text.count();
  ReadText read{size_of(text.whole, own, windows), {}};
  const bool is_whole = read.size.unknown == 0 && read.size.truncated == 0;
  if (options_.finds_equal) read.size.key = key_of(input, text.whole, is_whole);
  if (windows == 1) {
    read.windows.push_back(std::move(text.whole));
    return read;
  }
  for (std::size_t window = 0; window < windows; ++window) {
    fill(read.windows.emplace_back(text.window(window)));
  }
  return read;
}

ReadTokens TextReader::read_tokens(const TextInput& input) const {
  ReadTokens read;
  if (!input.ids && has_windows_) {
    read.layout = windows_of(input);
    const std::size_t windows = read.layout.count();
    if (windows > 1) {
      read.encoding = encode_up_to(input, std::nullopt);
      check_ids(input, read.encoding);
      for (std::size_t window = 0; window < windows; ++window) {
        fill(read.windows.emplace_back(read.layout.window(window)));
      }
      return read;
    }
  }
  read.encoding = encode(input);
  read.windows.push_back(read.encoding);
  return read;
}

TokenWindows TextReader::windows_of(const TextInput& input) const {
  if (!input.ids && has_windows_) {
    return model_.tokenizer->encode_windows(input.text, input.pair, options_up_to(limit()));
  }
  TokenWindows windows;
  windows.whole = ids_up_to(input, limit());
  return windows;
}

Encoding TextReader::encode(const TextInput& input) const {
  Encoding encoding = encode_up_to(input, limit());
  check_length(input, encoding);
  fill(encoding);
  fill_names(encoding);
  check_ids(input, encoding);
  return encoding;
}

void TextReader::check(const TextInput& input) const {
  model_.features ? require_one_text(*model_.features, input) : void(read(input));
}

Encoding TextReader::encode_whole(const TextInput& input) const {
  if (model_.features) {
    require_one_text(*model_.features, input);
    return model_.features->features_of(input.text);
  }
  Encoding encoding = encode_up_to(input, options_.max_length);
  fill(encoding);
  fill_names(encoding);
  return encoding;
}

TextReaches TextReader::reach_of(const TextInput& input) const {
  TextReaches reaches;
  const Encoding kept = has_windows_ ? encode_up_to(input, std::nullopt) : encode(input);
  add_cuts(input, kept, reaches);
  if (has_windows_ || kept.truncated == 0) return reaches;
  for (TextReach& reach : reaches) reach.read = {SIZE_MAX, 0};
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept.sequences[i] == Sequence::none) continue;
    const auto text = static_cast<std::size_t>(kept.sequences[i]);
    Offset& read = reaches.at(text).read;
    read.begin = std::min(read.begin, kept.offsets[i].begin);
    read.end = std::max({read.end, kept.offsets[i].begin + 1, kept.offsets[i].end});
  }
  if (!model_.tokenizer->reads_forward()) return reaches;
  const Encoding more = encode_up_to(input, 4 * limit());
  const std::array word_ends = {word_end(input.text, reaches[0].read.end),
                                word_end(input.pair.value_or(""), reaches[1].read.end)};
  std::array<std::size_t, 2> behind{};  // tokens of words behind those read
  for (std::size_t i = 0; i < more.size(); ++i) {
    if (more.sequences[i] == Sequence::none) continue;
    const auto text = static_cast<std::size_t>(more.sequences[i]);
    if (more.offsets[i].begin < word_ends.at(text)) continue;
    if (++behind.at(text) == limit()) reaches.at(text).enough = more.offsets[i].end;
  }
  // Which of two cut texts loses more depends on their whole lengths.
  const auto is_cut = [&](Sequence text) {
    return std::ranges::count(more.sequences, text) > std::ranges::count(kept.sequences, text);
  };
  if (is_cut(Sequence::first) && is_cut(Sequence::second)) {
    reaches[0].enough = reaches[1].enough = SIZE_MAX;
  }
  return reaches;
}

/// Where tokens end, but not inside of a character, as tokens of bytes do.
void TextReader::add_cuts(const TextInput& input, const Encoding& tokens,
                          TextReaches& reaches) const {
  if (input.ids) return;
  const std::array texts = {to_code_points(input.text), to_code_points(input.pair.value_or(""))};
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const Sequence sequence = tokens.sequences[i];
    if (sequence == Sequence::none || tokens.sequences[i - 1] != sequence) continue;
    const auto number = static_cast<std::size_t>(sequence);
    const std::size_t at = tokens.offsets[i - 1].end;
    const auto& text = texts.at(number);
    if (at == 0 || at > tokens.offsets[i].begin || at >= text.size() || is_mark(text[at])) continue;
    if (!options_.tokens_are_words && !has_no_blanks(text[at - 1]) && !has_no_blanks(text[at])) {
      continue;
    }
    reaches.at(number).cuts.push_back(at);
  }
}

TextSize TextReader::size_of(const TokenIds& tokens, std::size_t own, std::size_t windows) const {
  TextSize size{tokens.size(), tokens.truncated, windows, 0, own};
  if (unknown_) size.unknown = static_cast<std::size_t>(std::ranges::count(tokens.ids, *unknown_));
  return size;
}

TextSize TextReader::size_of(const Encoding& encoding, std::size_t windows) const {
  const auto inserted = std::ranges::count(encoding.sequences, Sequence::none);
  return size_of(encoding, encoding.size() - static_cast<std::size_t>(inserted), windows);
}

ReadText TextReader::read_beginning(const TextInput& input) const {
  TokenIds tokens = ids_up_to(input, std::nullopt);
  std::size_t inserted = 0;
  if (!input.ids) {
    const std::size_t ending = model_.tokenizer->ending_tokens();
    inserted = model_.tokenizer->special_tokens(input.pair.has_value()) - ending;
    tokens.ids.resize(tokens.size() - ending);
    tokens.type_ids.resize(tokens.size());
  }
  check_ids(input, tokens);
  if (tokens.size() == 0) throw TextError(kNoTokens);
  const TextSize size = size_of(tokens, tokens.size() - std::min(tokens.size(), inserted));
  return {size, {std::move(tokens)}};
}

TokenIds TextReader::ids_up_to(const TextInput& input, std::optional<std::size_t> limit) const {
  TokenIds tokens;
  if (!input.ids) {
    model_.tokenizer->encode_ids(input.text, input.pair, options_up_to(limit), tokens);
    return tokens;
  }
  const std::size_t whole = input.ids->ids.size();
  const std::size_t kept = std::min(whole, limit.value_or(whole));
  tokens.ids.assign(input.ids->ids.begin(),
                    input.ids->ids.begin() + static_cast<std::ptrdiff_t>(kept));
  tokens.type_ids.assign(input.ids->type_ids.begin(),
                         input.ids->type_ids.begin() + static_cast<std::ptrdiff_t>(kept));
  tokens.truncated = whole - kept;
  return tokens;
}

/// Of the tokens if they say all of the text.
std::uint64_t TextReader::key_of(const TextInput& input, const TokenIds& tokens,
                                 bool is_whole) const {
  if (!is_whole && !input.ids) return model_.tokenizer->key_of(input.text, input.pair);
  const auto bytes = [](const std::vector<TokenId>& ids) {
    return std::string_view(reinterpret_cast<const char*>(ids.data()),
                            ids.size() * sizeof(TokenId));
  };
  const auto& ids = input.ids ? input.ids->ids : tokens.ids;
  const auto& type_ids = input.ids ? input.ids->type_ids : tokens.type_ids;
  return short_hash_of(bytes(type_ids), short_hash_of(bytes(ids)));
}

Encoding TextReader::encode_up_to(const TextInput& input, std::optional<std::size_t> limit) const {
  if (!input.ids) {
    return model_.tokenizer->encode(input.text, input.pair, options_up_to(limit));
  }
  Encoding encoding{ids_up_to(input, limit), {}, {}, {}};
  for (const TokenId id : encoding.ids) encoding.tokens.push_back(token_name(id));
  encoding.offsets = input.ids->offsets;
  encoding.offsets.resize(encoding.size());
  encoding.sequences.assign(encoding.size(), Sequence::first);
  return encoding;
}

EncodeOptions TextReader::options_up_to(std::optional<std::size_t> limit) const {
  return {limit, options_.plain_text, options_.truncation, options_.stride};
}

void TextReader::check_length(const TextInput& input, const TokenIds& tokens) const {
  // Typed ids cannot be split into windows: it is unknown which of them are special tokens that
  // every window needs.
  const bool windows_of_ids = input.ids && has_windows_;
  const bool refuses = windows_of_ids || options_.long_texts == LongTexts::error;
  // Special tokens are added even if they exceed the limit.
  if ((refuses && tokens.truncated > 0) || tokens.size() > limit()) {
    throw TextError(too_long(tokens.size() + tokens.truncated, limit()) +
                    (windows_of_ids ? "; windows are not supported for token ids" : ""));
  }
}

void TextReader::check_ids(const TextInput& input, const TokenIds& tokens) const {
  if (tokens.size() == 0 && !may_be_empty_) throw TextError(kNoTokens);
  const Description& model = model_.description;
  for (const TokenId id : tokens.ids) {
    if (id >= model.vocab_size) {
      throw TextError("token id " + std::to_string(id) + " is not below the model's vocab_size " +
                      std::to_string(model.vocab_size));
    }
  }
  if (model.last_reads && std::ranges::find(tokens.ids, *model.last_reads) == tokens.ids.end()) {
    throw TextError("has no token " + token_name(*model.last_reads) +
                    ", by whose vector this model classifies");
  }
  const std::size_t types = std::max<std::size_t>(model.embedding.type_vocab_size, 1);
  // A tokenizer may set segments for which the model has no table; only typed segments are checked.
  if (types == 1 && !input.ids) return;
  for (const TokenId type : tokens.type_ids) {
    if (type >= types) {
      throw TextError("type id " + std::to_string(type) + " is not below the model's " +
                      std::to_string(types) + " types");
    }
  }
}

/// Pads to pad_to_length, for models that were trained with padding as tokens.
void TextReader::fill(TokenIds& tokens) const {
  const std::size_t length = model_.description.pad_to_length.value_or(0);
  if (tokens.size() >= length) return;
  tokens.ids.resize(length, model_.description.pad_token_id);
  tokens.type_ids.resize(length, 0);
}

void TextReader::fill_names(Encoding& encoding) const {
  while (encoding.tokens.size() < encoding.size()) {
    encoding.tokens.push_back(token_name(model_.description.pad_token_id));
    encoding.offsets.push_back({});
    encoding.sequences.push_back(Sequence::none);
  }
}

/// The vocabulary's token, or the id itself if there is no vocabulary.
std::string TextReader::token_name(TokenId id) const {
  const auto token = model_.tokenizer ? model_.tokenizer->token(id) : std::nullopt;
  return token.value_or(std::to_string(id));
}

}  // namespace headlight
