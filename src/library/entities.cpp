#include <limits>

#include "classifier/token_classifier.h"
#include "library/calls.h"
#include "library/encoding.h"
#include "library/handles.h"
#include "library/options.h"

using namespace headlight;  // NOLINT(google-build-using-namespace): C has none

hl_status hl_entities(const hl_model* model, const hl_text* text, const hl_run_options* options,
                      hl_entity_list** entities) {
  return make_handle(model, entities, "entities", [&](const hl_model& m, hl_entity_list& made) {
    if (m.model.description.classes() == 0) {
      throw ArgumentError("the model has no classification head");
    }
    if (m.model.description.pooling != Pooling::each_token) {
      throw ArgumentError("the model labels texts, not each token");
    }
    refuse_pair(required(text, "text"), "text", "the search for entities");
    const std::vector<TextInput> input = {input_of(required(text, "text"))};
    const TokenClassifier classifier(m.model, CallOptions(options, m.model).reading, {});
    ScoringScratch scratch;
    const auto found = classifier.classify(input, scratch, leave_if_stopped);
    if (!found.front().error.empty()) throw TextError(found.front().error);
    const BytePlaces places(input.front());
    for (const Entity& entity : found.front().token_labels.entities) {
      made.labels.push_back(entity.label);
      made.places.push_back(places.of(Sequence::first, entity.offset));
      made.probabilities.push_back(entity.probability);
    }
  });
}

size_t hl_entity_list_size(const hl_entity_list* entities) {
  return entities == nullptr ? 0 : entities->labels.size();
}

const char* hl_entity_list_label(const hl_entity_list* entities, size_t entity) {
  return entity < hl_entity_list_size(entities) ? entities->labels[entity].c_str() : nullptr;
}

int32_t hl_entity_list_place(const hl_entity_list* entities, size_t entity, size_t* begin,
                             size_t* end) {
  return give_place(entities, entity, begin, end);
}

float hl_entity_list_probability(const hl_entity_list* entities, size_t entity) {
  if (entity >= hl_entity_list_size(entities)) return std::numeric_limits<float>::quiet_NaN();
  return entities->probabilities[entity];
}

void hl_entity_list_free(hl_entity_list* entities) { free_handle(entities); }
