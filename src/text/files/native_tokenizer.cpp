#include "text/files/native_tokenizer.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "text/pipeline/pipeline.h"

namespace headlight {
namespace {

using Type = TokenizerSettings::Type;

Normalizer make_normalizer(const TokenizerSettings& settings) {
  const bool is_wordpiece = settings.type == Type::wordpiece;
  Normalizer normalizer;
  add_bert_steps(normalizer, {.clean_text = is_wordpiece,
                              .handle_chinese_chars = is_wordpiece,
                              .strip_accents = settings.strip_accents.value_or(settings.lowercase),
                              .lowercase = settings.lowercase});
  if (settings.remove_punctuation) normalizer.add(std::make_unique<RemovePunctuation>());
  return normalizer;
}

Splitter make_splitter(Type type) {
  Splitter splitter;
  if (type == Type::wordpiece) splitter.add(std::make_unique<BertSplit>());
  if (type == Type::words) splitter.add(std::make_unique<WordSplit>());
  if (type == Type::whitespace) splitter.add(std::make_unique<WhiteSpaceSplit>());
  return splitter;
}

std::unique_ptr<const WordModel> make_model(const TokenizerSettings& settings,
                                            Vocabulary vocabulary) {
  if (settings.type == Type::wordpiece) {
    return std::make_unique<WordPiece>(std::move(vocabulary), settings.unk_token);
  }
  if (const auto& ngrams = settings.character_ngrams) {
    return std::make_unique<NgramWords>(std::move(vocabulary), settings.unk_token, *ngrams);
  }
  return std::make_unique<WordLevel>(std::move(vocabulary), settings.unk_token);
}

/// The special tokens that are extracted from a text: those in the vocabulary.
std::vector<AddedToken> find_special_tokens(const TokenizerSettings& settings,
                                            const Vocabulary& vocabulary) {
  std::vector<std::optional<std::string>> names = {settings.unk_token, settings.cls_token,
                                                   settings.sep_token};
  if (settings.type == Type::wordpiece) names.insert(names.end(), {"[PAD]", "[MASK]"});
  std::vector<AddedToken> tokens;
  for (const auto& name : names) {
    const auto is_same = [&](const AddedToken& token) { return token.content == *name; };
    if (!name || std::any_of(tokens.begin(), tokens.end(), is_same)) continue;
    const auto id = vocabulary.id(*name);
    if (id && !name->empty()) tokens.push_back({.content = *name, .id = *id, .special = true});
  }
  return tokens;
}

std::optional<SpecialToken> find_required(const std::optional<std::string>& token,
                                          const std::string& field, const Vocabulary& vocabulary,
                                          const std::string& where) {
  if (!token) return std::nullopt;
  const auto id = vocabulary.id(*token);
  if (!id) {
    throw Error(
        where,
        field + " \"" + *token + "\" is not one of the " +
            std::to_string(vocabulary.entries().size()) + " tokens of the vocabulary",
        "name a token of the vocabulary, use null for none, or set add_special_tokens to false");
  }
  return SpecialToken{*token, *id};
}

}  // namespace

Tokenizer make_native_tokenizer(const TokenizerSettings& settings,
                                std::vector<std::string> vocabulary, const std::string& where) {
  if (vocabulary.empty()) throw Error(where, "the vocabulary has no tokens");
  auto pipeline = std::make_unique<Tokenizer::Pipeline>();
  pipeline->normalizer = make_normalizer(settings);
  pipeline->splitter = make_splitter(settings.type);
  pipeline->model = make_model(settings, Vocabulary(std::move(vocabulary)));
  const Vocabulary& known = pipeline->model->vocabulary();
  pipeline->added_tokens =
      std::make_unique<AddedTokens>(find_special_tokens(settings, known), pipeline->normalizer);
  pipeline->check_token_lengths(where);
  pipeline->post_processor = plain_post_processor();
  if (settings.add_special_tokens.value_or(settings.type == Type::wordpiece)) {
    const auto cls = find_required(settings.cls_token, "tokenizer.cls_token", known, where);
    const auto sep = find_required(settings.sep_token, "tokenizer.sep_token", known, where);
    pipeline->post_processor = bert_post_processor(cls, sep);
  }
  pipeline->unk_token = pipeline->model->unk_token();
  return Tokenizer(std::move(pipeline));
}

std::vector<std::u32string> native_words(const TokenizerSettings& settings, std::string_view text) {
  SplitText split{NormalizedText(to_code_points(text), 0), {}};
  make_normalizer(settings).apply(split.text);
  if (split.text.size() == 0) return {};
  split.pieces.push_back({0, static_cast<std::uint32_t>(split.text.size())});
  make_splitter(settings.type).apply(split);
  std::vector<std::u32string> words;
  words.reserve(split.pieces.size());
  for (const Span piece : split.pieces) words.emplace_back(split.text.view(piece));
  return words;
}

}  // namespace headlight
