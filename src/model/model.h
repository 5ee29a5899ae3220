// A loaded model: what it is, its numbers, and the way text becomes ids for it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "math/panel_memory.h"
#include "model/calibration.h"
#include "model/description.h"
#include "model/file_tensors.h"
#include "model/locate.h"
#include "model/weights.h"
#include "text/tokenizer.h"

namespace headlight {

/// As load_model() returns it, or prepared by an Engine; const then, and shared by threads.
struct Model {
  ModelPlace place;
  std::string family;        // model_type
  std::string architecture;  // the class its config names; empty where it names none
  Description description;
  Calibration calibration;
  Weights weights;
  std::unique_ptr<FileTensors> tensors;     // what the views in `weights` look into
  PanelMemory prepared;                     // and once they are prepared (engine.h)
  std::optional<Tokenizer> tokenizer;       // nothing: only ids can be read
  std::vector<std::string> files;           // all that were read, by path
  std::string tokenizer_file;               // where the words come from
  std::vector<std::string> contradictions;  // what in the folder says different things
  std::vector<std::string> warnings;        // what a person should know before trusting it
  std::vector<std::string> remarks;         // what is as it should be, and may be asked about
};

/// Throws Error{file, …} naming the field or tensor, what was found and what was expected.
Model load_model(const ModelPlace& place);

/// The labels that a config names, without reading its weights; empty where it names none.
std::vector<std::string> read_labels_only(const ModelPlace& place);

}  // namespace headlight
