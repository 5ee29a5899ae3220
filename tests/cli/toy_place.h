// A temporary directory with toys in it, and the program run there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "cli/process.h"
#include "model/model_files.h"

namespace headlight {

using EditConfig = std::function<void(OrderedJson&)>;
using EditTensors = std::function<void(std::vector<Tensor>&)>;

/// Holds the folder "toy", the rows "rows.txt" (good, bad) and the file "plain" ("not a model").
class ToyPlace {
 public:
  ToyPlace();

  /// Another toy beside the first, changed.
  void add(const std::string& name, const EditConfig& edit_config,
           const EditTensors& edit_tensors = {}) const;

  /// The toy "attending", in which each word also gets the mean of all words: head 0 carries what
  /// the classifier reads.
  void add_attending() const;

  /// A model without layers that labels the tokens "of" O, "ada" B-PER and "lovelace" I-PER.
  void add_token_labels(const std::string& name) const;

  const TemporaryFolder& files() const { return files_; }
  /// With the directory set to run in.
  Command command(std::vector<std::string> arguments, const std::string& input = "") const;
  Outcome run(std::vector<std::string> arguments, const std::string& input = "") const;
  /// Standard output of a run that must succeed with nothing to say.
  std::string output(std::vector<std::string> arguments, const std::string& input = "") const;
  /// The same, read as JSON.
  OrderedJson json(std::vector<std::string> arguments, const std::string& input = "") const;
  /// The same without the field "provenance".
  OrderedJson bare_json(std::vector<std::string> arguments, const std::string& input = "") const;

 private:
  TemporaryFolder files_;
};

/// Runs `training` with the log "log", and stops it once that has a development score.
Outcome stop_training(const ToyPlace& place, std::vector<std::string> training);

/// CSV of texts and labels with words that no toy has, each in several rows: "first3 other1,a".
std::string unknown_rows(std::size_t count);

/// A vocabulary with what BERT's tokenizer needs: "[UNK]", "[CLS]", "[SEP]", "good", "##ness",
/// "bad".
void use_word_pieces(OrderedJson& config);

}  // namespace headlight
