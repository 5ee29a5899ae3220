#include "text/tokenizer.h"

#include <algorithm>
#include <utility>

#include "text/pipeline.h"

namespace headlight {
namespace {

void append_special(const TemplatePart& part, Encoding& encoding) {
  for (std::size_t i = 0; i < part.ids.size(); ++i) {
    encoding.tokens.push_back(part.tokens[i]);
    encoding.ids.push_back(part.ids[i]);
    encoding.type_ids.push_back(part.type_id);
    encoding.offsets.push_back({});
    encoding.sequences.push_back(Sequence::none);
  }
}

/// Cuts `tokens` down to `count`, from the left or from the right.
void keep(std::size_t count, bool cuts_left, std::vector<FoundToken>& tokens) {
  const auto cut = static_cast<std::ptrdiff_t>(tokens.size() - count);
  if (cuts_left) {
    tokens.erase(tokens.begin(), tokens.begin() + cut);
  } else {
    tokens.erase(tokens.end() - cut, tokens.end());
  }
}

void reserve(Encoding& encoding, std::size_t size) {
  encoding.tokens.reserve(size);
  encoding.ids.reserve(size);
  encoding.type_ids.reserve(size);
  encoding.offsets.reserve(size);
  encoding.sequences.reserve(size);
}

}  // namespace

Tokenizer::Tokenizer(std::unique_ptr<Pipeline> pipeline) : pipeline_(std::move(pipeline)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Encoding Tokenizer::encode(std::string_view text, std::optional<std::string_view> pair,
                           const EncodeOptions& options) const {
  const bool plain_text = options.plain_text || pipeline_->split_special_tokens;
  FoundTokens first = pipeline_->find_tokens(text, plain_text);
  FoundTokens second;
  if (pair) second = pipeline_->find_tokens(*pair, plain_text);

  Encoding encoding;
  if (options.max_length) {
    const std::size_t special = special_tokens(pair.has_value());
    const std::size_t budget = *options.max_length - std::min(*options.max_length, special);
    const PairLengths lengths{first.tokens.size(), second.tokens.size()};
    const PairLengths kept = truncate(options.truncation, lengths, budget);
    encoding.truncated = lengths.first + lengths.second - kept.first - kept.second;
    keep(kept.first, pipeline_->cuts_left, first.tokens);
    keep(kept.second, pipeline_->cuts_left, second.tokens);
  }
  const Template& parts = pipeline_->post_processor.parts(pair.has_value());
  reserve(encoding, first.tokens.size() + second.tokens.size() + count_special_tokens(parts));
  for (const TemplatePart& part : parts) {
    if (part.sequence == Sequence::none) {
      append_special(part, encoding);
    } else {
      pipeline_->append_text(part.sequence == Sequence::first ? first : second, part, encoding);
    }
  }
  return encoding;
}

std::optional<std::string> Tokenizer::token(TokenId id) const {
  const std::string* token = pipeline_->token(id);
  return token == nullptr ? std::nullopt : std::optional(*token);
}

std::optional<TokenId> Tokenizer::id(std::string_view token) const { return pipeline_->id(token); }

std::size_t Tokenizer::vocabulary_size() const {
  const auto largest = pipeline_->post_processor.largest_id();
  return std::max({pipeline_->model->vocabulary().id_limit(), pipeline_->added_tokens->id_limit(),
                   largest ? std::size_t{*largest} + 1 : 0});
}

std::size_t Tokenizer::special_tokens(bool pair) const {
  return count_special_tokens(pipeline_->post_processor.parts(pair));
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
      {"unknown", pipeline_->model->unk_token().value_or("left out")},
  };
}

}  // namespace headlight
