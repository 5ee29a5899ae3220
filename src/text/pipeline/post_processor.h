// The special tokens that are inserted around a text or a pair, and the segment of each token.
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
  std::vector<TokenId> ids;  // the same number as `tokens`
};

using Template = std::vector<TemplatePart>;

/// The number of special tokens that a template inserts.
std::size_t count_special_tokens(const Template& parts);

/// For example "[CLS] A [SEP]", for display.
std::string to_string(const Template& parts);

/// Excludes leading and trailing spaces of a token's spelling from its offset (for byte-level
/// tokenizers, which write a space as Ġ).
struct OffsetTrim {
  bool has_prefix_space;  // the space before a text may be an inserted one
};

/// `is_first`: the first token of its text.
void trim_offset(const OffsetTrim& trim, std::string_view token, bool is_first, Offset& offset);

struct PostProcessor {
  Template single;
  Template pair;
  std::vector<OffsetTrim> trims;  // applied to the tokens of the texts, in order

  const Template& parts(bool is_pair) const { return is_pair ? pair : single; }
  /// The largest id that it inserts, or nullopt.
  std::optional<TokenId> largest_id() const;
  /// Sets the segment of every token to 0.
  void forget_segments();
};

/// Without special tokens: A, and A B with segments 0 and 1.
PostProcessor plain_post_processor();

struct SpecialToken {
  std::string token;
  TokenId id;
};

/// BERT's: `[CLS] A [SEP]` and `[CLS] A [SEP] B [SEP]`, where `B [SEP]` is segment 1. A token that
/// is nullopt is not inserted.
PostProcessor bert_post_processor(const std::optional<SpecialToken>& cls,
                                  const std::optional<SpecialToken>& sep);

/// RoBERTa's: `<s> A </s>` and `<s> A </s> </s> B </s>`, all of it segment 0.
PostProcessor roberta_post_processor(const SpecialToken& cls, const SpecialToken& sep);

}  // namespace headlight
