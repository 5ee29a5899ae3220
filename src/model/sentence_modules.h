// What makes one vector of a text out of the vectors of its tokens: the modules of a
// sentence-transformers folder (release 6.2), or the pooling of a model without them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "math/linear.h"
#include "model/file_tensors.h"
#include "model/model.h"

namespace headlight {

/// mean_sqrt_length: the sum divided by √n. weighted_mean: token i, counted from 1, has weight i.
enum class TokenPooling : std::uint8_t { cls, max, mean, mean_sqrt_length, weighted_mean, last };

/// act(weight · x + bias), plus x or its projection.
struct DenseModule {
  Linear linear;
  Activation activation = Activation::tanh;
  bool residual = false;             // add x
  std::optional<Linear> projection;  // of the x that is added
};

/// x / max(‖x‖, 1e-12)
struct NormalizeModule {};

using VectorModule = std::variant<DenseModule, NormalizeModule, LayerNorm>;

struct SentenceModules {
  std::vector<TokenPooling> poolings;  // the vectors are joined in this order
  bool pools_prompt = true;            // tokens of the prompt are pooled too
  std::vector<VectorModule> after;     // in the order of application
  std::size_t width = 0;               // of the finished vectors, at most that of the last module
  std::optional<std::size_t> max_tokens;  // replaces the limit of the tokenizer
  bool lowercase = false;                 // texts are lower-cased before all other normalization
  std::map<std::string, std::string> prompts;  // by name; a prompt is put before the text
  std::optional<std::string> default_prompt;   // a name in `prompts`

  std::optional<ScoreActivation> score_activation;  // of a cross-encoder

  std::string note;  // what was chosen without a file that says so; empty: nothing

  std::vector<std::unique_ptr<FileTensors>> tensors;  // own the memory of `after`
  std::vector<std::string> files;                     // the paths of all files that were read
};

/// The modules of the model's folder. Without modules.json, the model's own pooling: that of its
/// native config or of its classification head; without a head the last token of a causal model and
/// the mean of the tokens of others, as sentence-transformers chooses. `pooling` replaces all
/// modules after the first, which reads the texts. Throws Error that names the module or the field
/// that is not supported.
SentenceModules read_sentence_modules(const Model& model, std::optional<TokenPooling> pooling);

/// The prompts and the activation of a cross-encoder, if its folder has a modules.json.
SentenceModules read_cross_encoder(const Model& model);

/// Makes `model` read texts as the modules do: their limit of tokens, and lower-casing.
void apply_reading(const SentenceModules& modules, Model& model);

/// The prompt with this name, or the default one if `name` is empty; empty if there is none. Throws
/// Error that lists the names.
std::string prompt_of(const SentenceModules& modules, const std::optional<std::string>& name,
                      const ModelPlace& place);

}  // namespace headlight
