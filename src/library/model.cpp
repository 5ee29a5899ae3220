#include <algorithm>
#include <mutex>
#include <utility>

#include <pthread.h>

#include "base/words.h"
#include "classifier/zero_shot.h"
#include "library/calls.h"
#include "library/handles.h"

namespace headlight {
namespace {

/// FilesRead is for one model at a time. A fork() waits for it, so that the child can load, too.
std::mutex& loading() {
  static std::mutex mutex;
  [[maybe_unused]] static const int kKept =
      ::pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); }, [] { mutex.unlock(); });
  return mutex;
}

/// `headlight embed` reads texts as the modules of the folder say, other commands do not.
Embedding embedding_of(const Model& model) {
  Embedding embedding;
  try {
    embedding.modules = read_sentence_modules(model, {});
    embedding.prompt = prompt_of(embedding.modules, {}, model.place);
  } catch (const Error& error) {
    embedding.problem = error.line();
    return embedding;
  }
  if (embedding.modules.max_tokens || embedding.modules.lowercase) {
    embedding.reading = with_own_reading(model);
    apply_reading(embedding.modules, *embedding.reading);
  }
  return embedding;
}

const HeadsDescription* heads_of(const hl_model* model, std::size_t layer) {
  if (model == nullptr || layer >= model->model.description.layers.size()) return nullptr;
  return &model->model.description.layers[layer].heads;
}

}  // namespace

std::unique_ptr<ScoringScratch> ScratchStore::take(std::uint64_t call) {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<ScoringScratch>();
  auto place = std::ranges::find(idle_, call, &Idle::call);
  const bool remembers = place != idle_.end();
  if (!remembers) --place;
  auto scratch = std::move(place->scratch);
  idle_.erase(place);
  if (!remembers) scratch->recent = {};
  return scratch;
}

void ScratchStore::give_back(std::uint64_t call, std::unique_ptr<ScoringScratch> scratch) {
  const std::lock_guard lock(mutex_);
  idle_.push_back({call, std::move(scratch)});
}

const hl_model& usable(const hl_model* model) {
  const hl_model& given = required(model, "model");
  if (given.engine->is_inherited()) {
    throw ArgumentError("the model was made before fork(); load it again with a new engine");
  }
  return given;
}

const EngineState& usable(hl_engine* engine) {
  const EngineState& state = *required(engine, "engine").state;
  if (state.is_inherited()) {
    throw ArgumentError("the engine was made before fork(); make a new one");
  }
  return state;
}

void require_labels(const Model& model) {
  if (model.description.classes() == 0) {
    throw ArgumentError("the model has no classification head");
  }
  if (model.description.pooling == Pooling::each_token) {
    throw ArgumentError("the model labels each token, not the text");
  }
}

ScoreActivation activation_for_probabilities(const Description& model) {
  const ScoreActivation own = default_activation(model);
  return own == ScoreActivation::none ? activation_of_problem(model.problem_type, model.classes())
                                      : own;
}

}  // namespace headlight

using namespace headlight;  // NOLINT(google-build-using-namespace): C has none

hl_status hl_model_load(hl_engine* engine, const char* path_or_name, hl_model** model) {
  return guarded([&] {
    required(model, "model") = nullptr;
    usable(engine);
    const auto& state = engine->state;
    required(path_or_name, "path_or_name");
    const TeamWork work(state->team, &state->stops);
    auto made = std::make_unique<hl_model>();
    made->engine = state;
    const std::lock_guard lock(loading());
    made->model = state->engine.ready(load_model(locate_model(path_or_name, "", state->folders)),
                                      Workload::many);
    made->embedding = embedding_of(made->model);
    *model = made.release();
  });
}

void hl_model_free(hl_model* model) { free_handle(model); }

size_t hl_model_labels(const hl_model* model) {
  return model == nullptr ? 0 : model->model.description.labels.size();
}

const char* hl_model_label(const hl_model* model, size_t label) {
  if (label >= hl_model_labels(model)) return nullptr;
  return model->model.description.labels[label].c_str();
}

const char* hl_model_problem_type(const hl_model* model) {
  if (model == nullptr) return nullptr;
  return word_for(model->model.description.problem_type, kProblemTypeWords);
}

size_t hl_model_layers(const hl_model* model) {
  return model == nullptr ? 0 : model->model.description.layers.size();
}

size_t hl_model_heads(const hl_model* model, size_t layer) {
  const auto* heads = heads_of(model, layer);
  return heads == nullptr ? 0 : heads->sizes.size();
}

size_t hl_model_label_heads(const hl_model* model) {
  if (model == nullptr || !model->model.weights.label_attention) return 0;
  return model->model.description.label_heads.sizes.size();
}

size_t hl_model_embedding_width(const hl_model* model) {
  return model == nullptr ? 0 : model->embedding.modules.width;
}

size_t hl_model_max_tokens(const hl_model* model) {
  return model == nullptr || model->model.features ? 0 : token_limit(model->model, {});
}

size_t hl_model_thresholds(const hl_model* model, float* thresholds) {
  if (model == nullptr || model->model.description.problem_type != ProblemType::multi_label) {
    return 0;
  }
  const std::size_t c = hl_model_labels(model);
  const auto& stored = model->model.calibration.thresholds;
  for (std::size_t i = 0; thresholds != nullptr && i < c; ++i) {
    thresholds[i] = stored.empty() ? kDefaultThreshold : stored[i];
  }
  return c;
}

int32_t hl_model_reads_pairs(const hl_model* model) {
  if (model == nullptr) return 0;
  const Model& m = model->model;
  const Description& description = m.description;
  const auto entailment = find_entailment(description.labels);
  if (description.reads_pairs || (entailment && !entailment->guessed)) return 1;
  // Of a published classifier nothing tells what it was trained on.
  const bool marks_pairs = description.embedding.type_vocab_size > 1 ||
                           (m.tokenizer && m.tokenizer->special_tokens(/*pair=*/true) >
                                               m.tokenizer->special_tokens(/*pair=*/false));
  return m.family != "headlight" && description.classes() > 0 && marks_pairs ? 1 : 0;
}
