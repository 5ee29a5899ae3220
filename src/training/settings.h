// What can be set of trainings, by subject. Each way gets those that it reads.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "math/number_format.h"

namespace headlight {

/// Of a last layer that is fitted to vectors.
struct HeadSettings {
  std::optional<double> penalty;  // empty: it is chosen
  std::string kept_vectors;       // a file that runs share (KeptVectors); empty: none
};

/// Of a training by back-propagation. What is empty depends on the start.
struct CourseSettings {
  std::optional<std::size_t> epochs;
  std::optional<float> learning_rate;
  std::optional<std::size_t> batch_tokens;
  std::optional<float> dropout;
};

/// What the rows have of another model, from which the new one learns.
struct TeacherSettings {
  std::string logits;   // a field of the rows, which must be read with all fields; or empty
  std::string vectors;  // an NPY file; empty: none
  float temperature = 2.0F;
  float share = 0.8F;
};

/// What is left out of a start with weights before all of them are trained.
struct CutSettings {
  std::vector<std::size_t> kept_layers;  // ascending; empty: all
  std::string kept_layers_as_given;      // tells vectors of the run apart from those of another
  std::optional<std::size_t> vocabulary_size;  // without weights: how many words are learned
  std::optional<std::size_t> feed_forward_size;
};

/// Of a model without layers.
struct StaticSettings {
  TeacherSettings teacher;
  std::optional<NumberFormat> stored_as;  // empty: int8 if it loses nothing on the rows, else f16
};

/// Of a training of all weights.
struct AllSettings {
  HeadSettings head;
  CourseSettings course;
  TeacherSettings teacher;
  CutSettings cut;
  bool keep_last = false;                 // not the best state
  std::optional<NumberFormat> stored_as;  // empty: f32; of a static one as above
  float label_smoothing = 0.0F;
};

}  // namespace headlight
