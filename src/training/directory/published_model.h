// Writes a trained model in the published layout of its start, so that the reference reads it.
#pragma once

#include <string>

#include "training/directory/model_directory.h"

namespace headlight {

/// Whether a classifier that is made from the model can keep its layout: it has one of a family
/// whose class for texts the reference has.
bool has_published_class(const Model& model);

struct PublishedConfig {
  std::string text;      // of config.json
  std::string obstacle;  // why that layout does not hold the model; empty: it does
};

/// Of a model that was made from one that is not native. The class is the reference's for texts,
/// numbers are float32, and sizes are those of the model.
PublishedConfig published_config(const Model& model);

/// Writes a model without an obstacle, with its tokenizer. `format` as in write_native().
void write_published(const Model& model, ModelDirectory& directory, NumberFormat format);

}  // namespace headlight
