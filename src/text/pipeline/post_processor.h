// What is put around a text or a pair, and which segment each token belongs to.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// A text, or special tokens.
struct TemplatePart {
  Sequence sequence = Sequence::none;  // none: the special tokens below
  TokenId type_id = 0;
  std::vector<std::string> tokens;
  std::vector<TokenId> ids;  // as many as `tokens`
};

using Template = std::vector<TemplatePart>;

/// Special tokens that a template puts in.
std::size_t count_special_tokens(const Template& parts);

/// "[CLS] A [SEP]", for people.
std::string to_string(const Template& parts);

/// Takes the blanks that a token's spelling begins and ends with out of its offset. (byte-level
/// tokenizers, where a blank is written Ġ)
struct OffsetTrim {
  bool has_prefix_space;  // the blank before a text may be one that we put there
};

/// `is_first`: the first token of its text.
void trim_offset(const OffsetTrim& trim, std::string_view token, bool is_first, Offset& offset);

struct PostProcessor {
  Template single;
  Template pair;
  std::vector<OffsetTrim> trims;  // of the texts' tokens, one after another

  const Template& parts(bool is_pair) const { return is_pair ? pair : single; }
  /// The largest id that it puts in, or nothing.
  std::optional<TokenId> largest_id() const;
  /// Every token becomes one of segment 0.
  void forget_segments();
};

/// Nothing put in: A, and A B with segments 0 and 1.
PostProcessor plain_post_processor();

struct SpecialToken {
  std::string token;
  TokenId id;
};

/// BERT's: `[CLS] A [SEP]` and `[CLS] A [SEP] B [SEP]`, where `B [SEP]` is segment 1. One that is
/// nothing is not put in.
PostProcessor bert_post_processor(const std::optional<SpecialToken>& cls,
                                  const std::optional<SpecialToken>& sep);

/// RoBERTa's: `<s> A </s>` and `<s> A </s> </s> B </s>`, all of it segment 0.
PostProcessor roberta_post_processor(const SpecialToken& cls, const SpecialToken& sep);

}  // namespace headlight
