#include "text/tokenizer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "text/pipeline/pipeline.h"

namespace headlight {
namespace {

void append_ids(const Template& parts, const FoundPair& found, TokenIds& all) {
  const std::size_t size =
      count_special_tokens(parts) + found.first.tokens().size() + found.second.tokens().size();
  all.ids.reserve(size);
  all.type_ids.reserve(size);
  for (const TemplatePart& part : parts) {
    if (part.sequence == Sequence::none) {
      all.ids.insert(all.ids.end(), part.ids.begin(), part.ids.end());
    } else {
      for (const FoundToken& token : found.of(part.sequence).tokens()) all.ids.push_back(token.id);
    }
    all.type_ids.resize(all.ids.size(), part.type_id);
  }
}

/// The position of a text's tokens among the inserted tokens; nullopt unless the text occurs
/// exactly once.
std::optional<std::size_t> place_of(Sequence sequence, const Template& parts,
                                    const FoundPair& found) {
  std::optional<std::size_t> place;
  std::size_t tokens = 0;
  for (const TemplatePart& part : parts) {
    if (part.sequence == sequence) {
      if (place) return std::nullopt;
      place = tokens;
    }
    const bool is_special = part.sequence == Sequence::none;
    tokens += is_special ? part.ids.size() : found.of(part.sequence).count();
  }
  return place;
}

bool repeats_text(const Template& parts) {
  const auto is_twice = [&](Sequence sequence) {
    return std::count_if(parts.begin(), parts.end(),
                         [&](const TemplatePart& part) { return part.sequence == sequence; }) > 1;
  };
  return is_twice(Sequence::first) || is_twice(Sequence::second);
}

void append_special(const TemplatePart& part, Encoding& encoding) {
  for (const std::string& token : part.tokens) {
    encoding.tokens.push_back(token);
    encoding.offsets.push_back({});
    encoding.sequences.push_back(Sequence::none);
  }
}

}  // namespace

Tokenizer::Tokenizer(std::unique_ptr<Pipeline> pipeline) : pipeline_(std::move(pipeline)) {
  pipeline_->cut_texts();
}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

void Tokenizer::lowercase_first() {
  pipeline_->normalizer.add_first(std::make_unique<Lowercase>());
  lowercased_first_ = true;
  pipeline_->cut_texts();
}

void Tokenizer::encode_ids(std::string_view text, std::optional<std::string_view> pair,
                           const EncodeOptions& options, TokenIds& ids) const {
  const FoundPair found = pipeline_->find_tokens(text, pair, options, Detail::ids);
  ids.ids.clear();
  ids.type_ids.clear();
  ids.truncated = found.truncated;
  append_ids(pipeline_->post_processor.parts(pair.has_value()), found, ids);
}

TokenWindows Tokenizer::encode_windows(std::string_view text, std::optional<std::string_view> pair,
                                       const EncodeOptions& options) const {
  EncodeOptions uncut = options;
  uncut.max_length = std::nullopt;
  const FoundPair found = pipeline_->find_tokens(text, pair, uncut, Detail::ids);
  const Template& parts = pipeline_->post_processor.parts(pair.has_value());
  TokenWindows windows;
  append_ids(parts, found, windows.whole);
  if (!options.max_length) return windows;
  if (windows.whole.size() > *options.max_length && repeats_text(parts)) {
    throw TextError("has " + std::to_string(windows.whole.size()) +
                    " tokens, but no windows, because the tokenizer's template repeats a text");
  }
  const std::size_t special = count_special_tokens(parts);
  const std::size_t budget = *options.max_length - std::min(*options.max_length, special);
  const PairLengths lengths{found.first.count(), found.second.count()};
  const auto size = window_size(options.truncation, lengths, budget);
  const auto begin = size ? place_of(size->moving, parts, found) : std::nullopt;
  if (!begin) return windows;
  windows.begin = *begin;
  windows.end = *begin + found.of(size->moving).count();
  windows.room = size->room;
  windows.step = size->room - shared_tokens(options.stride, size->room);
  windows.from_end = pipeline_->cuts_left;
  return windows;
}

Encoding Tokenizer::encode(std::string_view text, std::optional<std::string_view> pair,
                           const EncodeOptions& options) const {
  const FoundPair found = pipeline_->find_tokens(text, pair, options, Detail::spellings);
  const Template& parts = pipeline_->post_processor.parts(pair.has_value());
  Encoding encoding;
  encoding.truncated = found.truncated;
  append_ids(parts, found, encoding);
  encoding.tokens.reserve(encoding.size());
  encoding.offsets.reserve(encoding.size());
  encoding.sequences.reserve(encoding.size());
  for (const TemplatePart& part : parts) {
    if (part.sequence == Sequence::none) {
      append_special(part, encoding);
    } else {
      pipeline_->append_shown(found.of(part.sequence), part.sequence, encoding);
    }
  }
  return encoding;
}

std::uint64_t Tokenizer::key_of(std::string_view text, std::optional<std::string_view> pair) const {
  const std::uint64_t key = pipeline_->key_of(text, 0);
  return pair ? pipeline_->key_of(*pair, key + 1) : key;
}

std::optional<std::string> Tokenizer::token(TokenId id) const {
  const std::string* token = pipeline_->token(id);
  return token == nullptr ? std::nullopt : std::optional(*token);
}

std::optional<TokenId> Tokenizer::id(std::string_view token) const { return pipeline_->id(token); }

std::size_t Tokenizer::vocabulary_size() const {
  const auto largest = pipeline_->post_processor.largest_id();
  const std::size_t words = pipeline_->model->vocabulary().id_limit();
  return std::max({words + character_ngrams(), pipeline_->added_tokens->id_limit(),
                   largest ? std::size_t{*largest} + 1 : 0});
}

std::size_t Tokenizer::character_ngrams() const { return pipeline_->model->ngrams(); }

std::size_t Tokenizer::special_tokens(bool pair) const {
  return count_special_tokens(pipeline_->post_processor.parts(pair));
}

std::size_t Tokenizer::ending_tokens() const {
  const Template& parts = pipeline_->post_processor.single;
  const auto text = std::find_if(parts.rbegin(), parts.rend(), [](const TemplatePart& part) {
    return part.sequence != Sequence::none;
  });
  return count_special_tokens({text.base(), parts.end()});
}

bool Tokenizer::is_added(TokenId id) const { return pipeline_->added_tokens->find(id) != nullptr; }

bool Tokenizer::inserts(TokenId id) const {
  const auto has = [&](const Template& parts) {
    return std::any_of(parts.begin(), parts.end(), [&](const TemplatePart& part) {
      return std::find(part.ids.begin(), part.ids.end(), id) != part.ids.end();
    });
  };
  return has(pipeline_->post_processor.single) || has(pipeline_->post_processor.pair);
}

bool Tokenizer::reads_forward() const {
  return !pipeline_->cuts_left && pipeline_->normalizer.reach() != Reach::text &&
         pipeline_->splitter.cuts().any();
}

bool Tokenizer::may_be_empty() const { return pipeline_->may_be_empty; }

bool Tokenizer::leaves_out_unknown() const { return pipeline_->left_out.has_value(); }

bool Tokenizer::marks_continuations() const { return pipeline_->model->marks_continuations(); }

std::optional<TokenId> Tokenizer::unknown_id() const {
  return pipeline_->unk_token ? pipeline_->id(*pipeline_->unk_token) : std::nullopt;
}

std::vector<std::pair<std::string, std::string>> Tokenizer::describe() const {
  const auto or_none = [](const std::string& name) { return name.empty() ? "none" : name; };
  return {
      {"model", pipeline_->model->name()},
      {"vocabulary", std::to_string(vocabulary_size())},
      {"normalizer", or_none(pipeline_->normalizer.name())},
      {"pre_tokenizer", or_none(pipeline_->splitter.name())},
      {"added_tokens", std::to_string(pipeline_->added_tokens->size())},
      {"single", to_string(pipeline_->post_processor.single)},
      {"pair", to_string(pipeline_->post_processor.pair)},
      {"unknown",
       leaves_out_unknown() ? "left out" : pipeline_->model->unk_token().value_or("left out")},
  };
}

}  // namespace headlight
