// The components of a tokenizer.json, each read into the stage it stands for. All throw Error that
// names the field: what is broken, or what is not supported.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "text/models/bpe.h"
#include "text/models/word_model.h"
#include "text/normalizers/normalizer.h"
#include "text/pipeline/added_tokens.h"
#include "text/pipeline/post_processor.h"
#include "text/splitters/pattern.h"
#include "text/splitters/splitter.h"

namespace headlight {

/// A component of the file and where it stands, for errors.
struct Component {
  const Json& json;
  std::string where;  // the file
  std::string path;   // in the file: "normalizer.normalizers[1]"

  Fields fields() const { return Fields(json, where, path); }
};

/// The items of the list `name`, each a component.
std::vector<Component> read_list(Fields& fields, const std::string& name);

/// A flag that the reference has no default for.
bool required_flag(Fields& fields, const std::string& name);

/// A string of one character.
char32_t required_character(Fields& fields, const std::string& name);

/// `"pattern": {"String": " "}` or `{"Regex": "\\s+"}`
Pattern read_pattern(Fields& fields);

/// Throws: `type` is one that we don't read.
[[noreturn]] void refuse_type(const Fields& fields, const std::string& type,
                              const std::string& supported);

void read_normalizer(const Component& component, Normalizer& normalizer);
void read_splitter(const Component& component, Splitter& splitter);
std::unique_ptr<const WordModel> read_model(const Component& component);
std::unique_ptr<const WordModel> read_bpe(Fields& model);
std::unique_ptr<const WordModel> read_unigram(Fields& model);
PostProcessor read_post_processor(const Component& component);

AddedToken read_added_token(const Component& component);
/// The list `added_tokens`, without ids. Of two with one content the first is taken.
std::vector<AddedToken> read_added_tokens(Fields& file);
/// Ids are the model's or new ones, whatever a file says.
void number_added_tokens(std::vector<AddedToken>& tokens, const Vocabulary& vocabulary);

/// An object of tokens and their ids, with at least one; `path` is where in the file it stands.
Vocabulary read_token_ids(const Json& object, const std::string& where, const std::string& path);

/// A BPE from the files it was published in before there was a tokenizer.json: vocab.json, an
/// object of tokens and their ids, and merges.txt, two tokens a line.
std::unique_ptr<const WordModel> read_bpe_files(const std::string& vocab_json,
                                                const std::string& merges_txt,
                                                BPE::Options options);

}  // namespace headlight
