#include "training/cuts/start_cut.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "model/families/family.h"
#include "model/model_tokenizer.h"
#include "model/relative_tables.h"
#include "training/cuts/piece_choice.h"
#include "training/cuts/tokenizer_cut.h"

namespace headlight {
namespace {

void refuse_other_vocabulary(const Model& model) {
  const auto parts = model.tokenizer->describe();
  const auto kind = std::ranges::find(parts, "model", &std::pair<std::string, std::string>::first);
  if (kind->second != "WordPiece") {
    throw Error(model.tokenizer_file,
                "has a vocabulary of the kind " + kind->second +
                    "; --vocabulary-size can only leave out pieces of WordPiece",
                "leave out --vocabulary-size");
  }
  if (model.tokenizer_file == model.place.config) {
    throw Error(model.tokenizer_file,
                "has the vocabulary itself; --vocabulary-size can only leave out pieces of a "
                "vocab.txt or tokenizer.json",
                "move tokenizer.vocabulary to a vocab.txt");
  }
}

/// Changes an id of the whole vocabulary to that of the small one.
void renumber(const std::vector<TokenId>& kept, TokenId& id) {
  const auto found = std::ranges::lower_bound(kept, id);
  if (found != kept.end() && *found == id) id = static_cast<TokenId>(found - kept.begin());
}

void renumber(const std::vector<TokenId>& kept, const std::string& where, Description& model) {
  renumber(kept, model.pad_token_id);
  if (model.last_skips) renumber(kept, *model.last_skips);
  if (!model.embedding.skipped_pad) return;
  TokenId pad = *model.embedding.skipped_pad;
  renumber(kept, pad);
  if (pad != *model.embedding.skipped_pad) {
    throw Error(where, "counts positions from the id of the padding token, which would change",
                "leave out --vocabulary-size");
  }
}

std::vector<TokenId> ids_of(const Description& model) {
  std::vector<TokenId> ids = {model.pad_token_id};
  if (model.last_skips) ids.push_back(*model.last_skips);
  if (model.embedding.skipped_pad) ids.push_back(*model.embedding.skipped_pad);
  return ids;
}

/// Reads the tokenizer from another folder. What is inconsistent was said when the model was
/// loaded.
void reopen_tokenizer(const std::string& folder, Model& model) {
  const Json json = read_json_file(model.place.config);
  const auto& [family, type] = find_family(json, model.place.config);
  const FamilyConfig config = read_family_config(family, json, model.place.config);
  const std::vector<std::string> contradictions = model.contradictions;
  const std::string own = std::exchange(model.place.directory, folder);
  open_tokenizer(model, type, config);
  model.place.directory = own;
  model.contradictions = contradictions;
}

}  // namespace

void keep_layers(const std::vector<std::size_t>& layers, Model& model) {
  Description& description = model.description;
  std::vector<LayerDescription> kept;
  std::vector<LayerWeights> weights;
  std::vector<std::size_t> taken;  // weights by their old index, which layers may share
  for (const std::size_t layer : layers) {
    LayerDescription& one = kept.emplace_back(description.layers[layer]);
    const auto found = std::ranges::find(taken, one.weights);
    const auto place = static_cast<std::size_t>(found - taken.begin());
    if (found == taken.end()) {
      taken.push_back(one.weights);
      weights.push_back(model.weights.layers[one.weights]);
    }
    one.weights = place;
  }
  description.layers = std::move(kept);
  model.weights.layers = std::move(weights);
  make_relative_tables(description, model.weights);
}

VocabularyCut::Kept VocabularyCut::cut(std::size_t size,
                                       const std::vector<const TextInput*>& inputs, Model& model) {
  refuse_other_vocabulary(model);
  Description& description = model.description;
  const PieceChoice choice = choose_pieces(*model.tokenizer, inputs, size, ids_of(description));
  const std::vector<TokenId>& kept = choice.kept;
  if (choice.required > size) {
    throw Error(model.tokenizer_file,
                "has " + std::to_string(choice.required) +
                    " special tokens and needed single characters, which --vocabulary-size " +
                    std::to_string(size) + " has to keep",
                "give a larger number");
  }
  const Kept result = {kept.size(), description.vocab_size, choice.share};
  const Table whole = model.weights.embeddings.token;
  embeddings_.clear();
  for (const TokenId id : kept) {
    if (id >= whole.rows) break;  // an added token without a vector
    const std::byte* row = whole.bytes + id * whole.row_bytes();
    embeddings_.insert(embeddings_.end(), row, row + whole.row_bytes());
  }
  const std::size_t rows = embeddings_.size() / whole.row_bytes();
  model.weights.embeddings.token = {whole.format, embeddings_.data(), rows, whole.cols};
  renumber(kept, model.place.config, description);
  description.vocab_size = rows;
  files_.emplace(path_, /*force=*/true);
  write_cut_tokenizer(model, kept, *files_);
  reopen_tokenizer(files_->folder(), model);
  return result;
}

}  // namespace headlight
