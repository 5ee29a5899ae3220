#include "text/files/json_model.h"

#include <utility>

#include "base/fields.h"
#include "base/json.h"
#include "text/files/json_bpe.h"
#include "text/files/json_unigram.h"
#include "text/files/json_vocabulary.h"

namespace headlight {
namespace {

/// Files of older releases do not name the type. The fields determine it.
std::string type_of(Fields& fields) {
  if (fields.find("type") != nullptr) return fields.required_string("type");
  if (fields.find("merges") != nullptr) return "BPE";
  const Json* vocabulary = fields.find("vocab");
  if (vocabulary != nullptr && vocabulary->is_array()) return "Unigram";
  return fields.find("continuing_subword_prefix") != nullptr ? "WordPiece" : "WordLevel";
}

}  // namespace

std::unique_ptr<const WordModel> read_model(const Component& component,
                                            std::optional<Vocabulary> vocabulary) {
  Fields fields = component.fields();
  const std::string type = type_of(fields);
  if (type == "BPE") return read_bpe(fields, std::move(vocabulary));
  if (type == "Unigram") return read_unigram(fields);
  if (type != "WordPiece" && type != "WordLevel") {
    refuse_type(fields, type, "WordPiece, WordLevel, BPE and Unigram");
  }
  if (!vocabulary) {
    vocabulary = read_token_ids(fields.required("vocab"), fields.where(), fields.path_of("vocab"));
  }
  if (type == "WordLevel") {
    auto unk_token = fields.nullable_string_or("unk_token", "<unk>");
    return std::make_unique<WordLevel>(std::move(*vocabulary), std::move(unk_token));
  }
  auto unk_token = fields.nullable_string_or("unk_token", "[UNK]");
  const std::string continuation = fields.string_or("continuing_subword_prefix", "##");
  const std::size_t longest_word = fields.size_or("max_input_chars_per_word", 100, 0);
  return std::make_unique<WordPiece>(std::move(*vocabulary), std::move(unk_token), continuation,
                                     longest_word);
}

}  // namespace headlight
