// What labelled rows taught about a model's probabilities: a file of our own beside its config.
//
//     {"temperature": 1.37, "thresholds": {"toxic": 0.4, "threat": 0.12}}
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/description.h"
#include "model/locate.h"

namespace headlight {

struct Calibration {
  std::string file;                   // where it stands; empty: there is none
  std::optional<double> temperature;  // what logits are divided by before the activation
  std::vector<float> thresholds;      // [c] of a multi-label model; empty: none
};

/// calibration.json in the model's directory, or NAME.calibration.json beside a bare NAME.json.
std::string calibration_path(const ModelPlace& place);

/// What stands there, or nothing. Labels without a threshold have 0.5. Throws Error{file, …} naming
/// the field: unknown, out of range, or of no use to such a model.
Calibration read_calibration(const ModelPlace& place, const Description& model);

}  // namespace headlight
