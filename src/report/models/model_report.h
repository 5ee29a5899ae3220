// The description of a model as JSON and as text, and the list of models that can be found by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "model/card.h"
#include "model/model.h"

namespace headlight {

/// "maps": what these layers of a model with a decoder attend from and to; else nothing.
void write_maps(JsonWriter& json, const Description& model, const std::vector<std::size_t>& layers);

void write_model(JsonWriter& json, const Model& model, const std::vector<CardField>& card);
std::string model_text(const Model& model, const std::vector<CardField>& card);

/// BibTeX for the program, and for the model, of what its card says: author, base_model, datasets,
/// license. `hash`: of the model's files.
std::string citation(const std::string& name, const std::vector<CardField>& card,
                     const std::string& hash);

struct ListedModel {
  ModelPlace place;
  std::vector<std::string> labels;
  std::uintmax_t bytes = 0;  // of its files
  std::string summary = {};  // what it is for; may be empty
};
void write_models(JsonWriter& json, const std::vector<ListedModel>& models);
std::string models_text(const std::vector<ListedModel>& models, std::size_t columns);

}  // namespace headlight
