// What the handles of the C interface are. engine.cpp, model.cpp and explanation.cpp define the
// functions.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/parallel.h"
#include "classifier/classifier.h"
#include "classifier/embedder.h"
#include "inside/attention_steps.h"
#include "inside/explanation.h"
#include "library/calls.h"
#include "library/headlight.h"
#include "model/engine.h"
#include "model/model.h"
#include "model/sentence_modules.h"
#include "text/token_words.h"

namespace headlight {

/// An engine, as long as its handle or a model needs it.
struct EngineState {
  explicit EngineState(const EngineSettings& settings);
  /// Whether this process was forked from the one that made it.
  bool is_inherited() const;

  Engine engine;
  ThreadTeam team;
  StopCount stops{0};
  std::vector<std::string> folders;  // of models by name
  pid_t process;
};

/// Memory for scoring that no thread uses now. It remembers texts for one call.
class ScratchStore {
 public:
  std::uint64_t new_call() { return ++calls_; }
  std::unique_ptr<ScoringScratch> take(std::uint64_t call);
  void give_back(std::uint64_t call, std::unique_ptr<ScoringScratch> scratch);

 private:
  struct Idle {
    std::uint64_t call;  // that used it last
    std::unique_ptr<ScoringScratch> scratch;
  };
  std::atomic<std::uint64_t> calls_{0};
  std::mutex mutex_;
  std::vector<Idle> idle_;
};

/// How vectors of texts are made.
struct Embedding {
  std::optional<Model> reading;  // for modules that read texts in another way than the model
  SentenceModules modules;
  std::string prompt;
  std::string problem;  // if not empty, there are no vectors
};

}  // namespace headlight

// NOLINTBEGIN(readability-identifier-naming): the names of C
struct hl_engine {
  std::shared_ptr<headlight::EngineState> state;
};

struct hl_model {
  std::shared_ptr<headlight::EngineState> engine;
  headlight::Model model;
  headlight::Embedding embedding;
  mutable headlight::ScratchStore scratches;
};

struct hl_encoding {
  struct Place {
    int32_t sequence = 0;  // 1 the text, 2 the pair
    std::size_t begin = 0;
    std::size_t end = 0;  // in bytes
  };
  std::vector<int32_t> ids;
  std::vector<std::string> tokens;
  std::vector<Place> places;
  std::vector<headlight::TokenWord> words;
  std::vector<std::uint32_t> word_numbers;  // of each token
  std::size_t truncated = 0;
  std::size_t unknown = 0;
};

struct hl_attention {
  struct Layer {
    std::vector<std::size_t> heads;  // their sizes
    std::vector<float> weights;      // [h, t, t]
    std::vector<float> queries;      // [t, e] of each head; so are the others
    std::vector<float> keys;
    std::vector<float> values;
  };
  hl_encoding encoding;
  std::vector<Layer> layers;
  std::vector<float> logits;         // [c]
  std::vector<float> probabilities;  // [c]
  std::vector<float> label_weights;  // [h, c, t]
  std::optional<headlight::AttentionScoring> scoring;
};

struct hl_entity_list {
  std::vector<std::string> labels;
  std::vector<hl_encoding::Place> places;
  std::vector<float> probabilities;
};

struct hl_explanation {
  std::vector<hl_encoding::Place> places;
  std::vector<std::vector<float>> effects;  // [w, c]
  std::vector<float> logits;
};
// NOLINTEND(readability-identifier-naming)

namespace headlight {

/// The model of a call. Throws ArgumentError if it is NULL or was made before fork().
const hl_model& usable(const hl_model* model);

/// The state of an engine. Throws ArgumentError as above.
const EngineState& usable(hl_engine* engine);

/// Throws ArgumentError unless the model labels texts.
void require_labels(const Model& model);

/// The model's own activation, unless that gives no probabilities. Not for a regression.
ScoreActivation activation_for_probabilities(const Description& model);

/// The words of a text, explained by the method of the options.
struct Explained {
  TextInput input;
  LabelSet labels;
  Explanation explanation;
};
/// explanation.cpp. Throws ArgumentError or TextError. The thread works for the engine of the
/// model.
Explained explained(const hl_model& model, const hl_text* text, const hl_run_options* options);

/// Makes a new handle with `fill`, on the threads of the model's engine.
template <typename Handle, typename Fill>
hl_status make_handle(const hl_model* model, Handle** out, const char* name, const Fill& fill) {
  return guarded([&] {
    required(out, name) = nullptr;
    const hl_model& usable_model = usable(model);
    const TeamWork work(usable_model.engine->team, &usable_model.engine->stops);
    auto made = std::make_unique<Handle>();
    fill(usable_model, *made);
    *out = made.release();
  });
}

}  // namespace headlight
