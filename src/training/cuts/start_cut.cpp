#include "training/cuts/start_cut.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"
#include "model/families/family.h"
#include "model/model_tokenizer.h"
#include "model/relative_tables.h"
#include "training/cuts/tokenizer_cut.h"

namespace headlight {
namespace {

constexpr std::string_view kContinuedWord = "##";

std::u32string characters_of(std::string_view piece) {
  if (piece.size() > kContinuedWord.size() && piece.starts_with(kContinuedWord)) {
    piece.remove_prefix(kContinuedWord.size());
  }
  return to_code_points(piece);
}

/// Latin letters, digits, punctuation and currency signs.
bool is_common(char32_t c) {
  return c < 0x250 || (c >= 0x2000 && c < 0x2070) || (c >= 0x20A0 && c < 0x20D0);
}

/// How often each token occurs in the texts, by id.
std::vector<std::uint64_t> count_tokens(const Tokenizer& tokenizer,
                                        const std::vector<const TextInput*>& inputs) {
  std::vector<std::uint64_t> counts(tokenizer.vocabulary_size());
  TokenIds tokens;
  for (const TextInput* input : inputs) {
    try {
      tokenizer.encode_ids(input->text, input->pair, {}, tokens);
    } catch (const TextError&) {
      continue;  // an error of its row
    }
    for (const TokenId id : tokens.ids) ++counts[id];
  }
  return counts;
}

/// The characters of all tokens that occur.
std::set<char32_t> characters_of(const Tokenizer& tokenizer,
                                 const std::vector<std::uint64_t>& counts) {
  std::set<char32_t> characters;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const std::u32string own = characters_of(*tokenizer.token(static_cast<TokenId>(i)));
    characters.insert(own.begin(), own.end());
  }
  return characters;
}

void refuse_other_vocabulary(const Model& model) {
  const auto parts = model.tokenizer->describe();
  const auto kind = std::ranges::find(parts, "model", &std::pair<std::string, std::string>::first);
  if (kind->second != "WordPiece") {
    throw Error(model.tokenizer_file,
                "has a vocabulary of the kind " + kind->second +
                    "; --vocabulary-size can only leave out pieces of WordPiece",
                "leave out --vocabulary-size");
  }
  if (model.description.ngrams || model.description.label_ngrams ||
      model.weights.embeddings.token.scales != nullptr) {
    throw Error(model.place.config,
                "has vectors of n-grams, or vectors of 8 bits; --vocabulary-size cannot cut these",
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

PieceChoice choose_pieces(const Tokenizer& tokenizer, const std::vector<const TextInput*>& inputs,
                          std::size_t size, const std::vector<TokenId>& always) {
  const std::vector<std::uint64_t> counts = count_tokens(tokenizer, inputs);
  const std::set<char32_t> used = characters_of(tokenizer, counts);
  const auto is_needed = [&](const std::string& piece) {
    const std::u32string own = characters_of(piece);
    return own.size() == 1 && (is_common(own[0]) || used.contains(own[0]));
  };
  PieceChoice choice;
  std::vector<TokenId> others;
  std::uint64_t pieces = 0;
  std::uint64_t kept_pieces = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto id = static_cast<TokenId>(i);
    const std::optional<std::string> piece = tokenizer.token(id);
    if (!piece) continue;
    const bool is_special = tokenizer.is_added(id) || tokenizer.inserts(id);
    if (!is_special) pieces += counts[i];
    if (is_special || is_needed(*piece) || std::ranges::find(always, id) != always.end()) {
      choice.kept.push_back(id);
      if (!is_special) kept_pieces += counts[i];
    } else {
      others.push_back(id);
    }
  }
  choice.required = choice.kept.size();
  std::ranges::sort(others, [&](TokenId a, TokenId b) {
    return std::tie(counts[b], a) < std::tie(counts[a], b);
  });
  for (const TokenId id : others) {
    if (choice.kept.size() >= size) break;
    choice.kept.push_back(id);
    kept_pieces += counts[id];
  }
  std::ranges::sort(choice.kept);
  if (pieces > 0) choice.share = static_cast<double>(kept_pieces) / static_cast<double>(pieces);
  return choice;
}

CutResult VocabularyCut::cut(std::size_t size, const std::vector<const TextInput*>& inputs,
                             Model& model) {
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
  const CutResult result = {kept.size(), description.vocab_size, choice.share};
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

void StartCut::cut(const std::vector<const TextInput*>& train, Model& model) {
  if (!settings_.kept_layers.empty()) {
    const std::size_t before = model.description.layers.size();
    keep_layers(settings_.kept_layers, model);
    watch_.note("kept " + std::to_string(model.description.layers.size()) + " of " +
                counted(before, "layer") + " of the start");
  }
  if (settings_.vocabulary_size) {
    const CutResult kept = vocabulary_.cut(*settings_.vocabulary_size, train, model);
    watch_.note("kept " + std::to_string(kept.count) + " of " + counted(kept.before, "token") +
                " of the start, which are " + formatted("%.1f", 100.0 * kept.share) +
                " % of the tokens of the rows");
  }
  if (settings_.feed_forward_size) {
    const CutResult kept = feed_forward_.cut(*settings_.feed_forward_size, train, model);
    watch_.note("kept " + std::to_string(kept.count) + " of " + counted(kept.before, "neuron") +
                " of each feed-forward of the start, which explain at least " +
                formatted("%.1f", 100.0 * kept.share) + " % of what it gives");
  }
}

}  // namespace headlight
