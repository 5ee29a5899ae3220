// Calibration of a model's probabilities, fitted to labelled rows. It is a file next to the config:
//
//     {"temperature": 1.37, "thresholds": {"toxic": 0.4, "threat": 0.12}}
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "model/description.h"
#include "model/locate.h"

namespace headlight {

struct Calibration {
  std::string file;                   // its path; empty if there is none
  std::optional<double> temperature;  // divides the logits before the activation
  std::vector<float> thresholds;      // [c] of a multi-label model; empty: none
};

/// calibration.json in the model's directory, or NAME.calibration.json next to a bare NAME.json.
std::string calibration_path(const ModelPlace& place);

/// Reads the calibration; empty if there is no file. Labels without a threshold have 0.5. Throws
/// Error{file, …} that names a field that is unknown, out of range, or not applicable to the model.
Calibration read_calibration(const ModelPlace& place, const Description& model);

/// Writes the fields of the file. `labels` [c]
void write_calibration(JsonWriter& json, const std::vector<std::string>& labels,
                       const Calibration& calibration);
/// The content of the file.
std::string calibration_document(const std::vector<std::string>& labels,
                                 const Calibration& calibration);

}  // namespace headlight
