// Models for the tests of classifiers, rows and reports: one whose logits can be counted by hand,
// and one with a whole encoder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "classifier/text_classifier.h"
#include "inside/explanation.h"
#include "model/init.h"
#include "model/model.h"

namespace headlight {

/// The logits of a text are the mean of its words' numbers, first for "negative", then for
/// "positive": good [0, 4], bad [4, 0], dull and what is unknown [0, 0], pad [-8, -8]. At most 8
/// words. `fields` come at the end of the config.
inline Model lexicon_model(const TemporaryFolder& folder, const std::string& fields = "") {
  folder.write("lexicon/config.json", R"({"model_type": "headlight", "vocab_size": 4,
      "hidden_size": 2, "num_hidden_layers": 0, "num_attention_heads": 1,
      "position_embedding_type": "none", "max_position_embeddings": 8, "classifier_bias": false,
      "id2label": ["negative", "positive"], "pad_token_id": 3,
      "tokenizer": {"type": "whitespace", "vocabulary": ["good", "bad", "dull", "pad"],
                    "unk_token": "dull"})" +
                                          fields + "}");
  folder.write("lexicon/weights.json", R"({"tensors": {
      "embeddings.token.weight": [[0, 4], [4, 0], [0, 0], [-8, -8]],
      "classifier.weight": [[1, 0], [0, 1]]}})");
  return load_model(locate_model(folder / "lexicon", ""));
}

/// Two layers of three heads with seeded random weights, over the words w0 … w49. At most 512
/// tokens.
inline Model encoder_model(const TemporaryFolder& folder) {
  std::string words;
  for (int i = 0; i < 50; ++i) words += (i == 0 ? "\"w" : ", \"w") + std::to_string(i) + '"';
  const std::string config = folder.write("encoder.json", R"({"model_type": "headlight",
      "vocab_size": 50, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3,
      "hidden_act": "gelu", "id2label": ["a", "b", "c"],
      "tokenizer": {"type": "whitespace", "unk_token": "w0", "vocabulary": [)" +
                                                              words + "]}}");
  init_model(config, folder / "encoder", 1, true);
  return load_model(locate_model(folder / "encoder", ""));
}

/// Token ids as they are typed, instead of a text.
inline TextInput typed_ids(const std::string& ids,
                           const std::optional<std::string>& type_ids = std::nullopt) {
  return {ids, {}, parse_typed_ids(ids, type_ids)};
}

/// "w7 w24 …": `count` words that depend on `seed`.
inline std::string random_words(std::size_t count, std::size_t seed) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += (i == 0 ? "w" : " w") + std::to_string((seed * 31 + i * (seed + 17)) % 50);
  }
  return text;
}

/// The words of a text that are kept, joined by one blank.
inline TextInput text_with(const std::vector<ExplainedWord>& words, const TextInput& like,
                           const std::vector<bool>& kept) {
  WordNumbers numbers;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) numbers.push_back(i);
  }
  return text_of(words, like, numbers);
}

}  // namespace headlight
