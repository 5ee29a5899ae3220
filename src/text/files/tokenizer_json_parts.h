// The readers of the components of a tokenizer.json. All throw Error that names the field.
#pragma once

#include <memory>
#include <optional>

#include "text/files/json_components.h"
#include "text/models/vocabulary.h"
#include "text/models/word_model.h"
#include "text/normalizers/normalizer.h"
#include "text/pipeline/post_processor.h"
#include "text/splitters/splitter.h"

namespace headlight {

/// json_normalizer.cpp: adds the steps of the `normalizer`, those of a Sequence in order. Null adds
/// none.
void read_normalizer(const Component& component, Normalizer& normalizer);

/// json_splitter.cpp: the same for the `pre_tokenizer`.
void read_splitter(const Component& component, Splitter& splitter);

/// json_model.cpp: the `model`. `vocabulary` is used instead of its field `vocab`, if it was read
/// before.
std::unique_ptr<const WordModel> read_model(const Component& component,
                                            std::optional<Vocabulary> vocabulary);

/// json_post_processor.cpp: the `post_processor`.
PostProcessor read_post_processor(const Component& component);

}  // namespace headlight
