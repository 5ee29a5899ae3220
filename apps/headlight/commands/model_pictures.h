// inspect --positions and --mask: matrices that describe a model, with drawings of them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "model/model.h"
#include "report/formats/heat_map.h"

namespace headlight {

struct ModelPicture {
  std::string name;
  std::array<std::size_t, 2> shape;
  std::vector<float> values;
  Drawing drawing;
};

/// The vectors of the first n positions. `dimensions` are drawn as curves: numbers such as 0-3,100,
/// or empty for a few of decreasing frequency. Throws UsageError for those that the model lacks,
/// and Error if it has no position vectors.
ModelPicture position_picture(const Model& model, std::size_t n, const std::string& dimensions);

/// Which of n tokens may attend to which. Throws Error if the model has no layers.
ModelPicture mask_picture(const Model& model, std::size_t n);

}  // namespace headlight
