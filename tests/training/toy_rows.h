// Made-up rows over the words of a toy model, for tasks that its layout can express.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/temporary_folder.h"
#include "gradient/parameters.h"
#include "model/init.h"
#include "model/locate.h"
#include "model/model.h"
#include "training/rows/labelled_rows.h"
#include "training/whole/trainer.h"

namespace headlight {

using Ids = std::vector<TokenId>;

/// The labels of a text; an empty list for a single-label task: draw another text.
using ToyTask = std::function<std::vector<std::size_t>(const Ids&)>;

/// A model of configs/NAME.json with random weights.
inline Parameters toy_parameters(const std::string& name, std::uint64_t seed = 1) {
  const TemporaryFolder folder;
  const std::string config = std::string(HEADLIGHT_SOURCE) + "/configs/" + name + ".json";
  init_model(config, folder / "toy", seed, /*force=*/true);
  const Model model = load_model(locate_model(folder / "toy", ""));
  return random_start(model.description, seed);
}

/// The number of a word in the model's vocabulary of configs/NAME.json, or of "[UNK] the film is
/// not bad at all but it could have been a good one".
enum ToyWord : TokenId { kNot = 4, kBad = 5, kBut = 8, kGood = 14 };

class ToyRows {
 public:
  ToyRows(std::size_t words, ToyTask task) : words_(words), task_(std::move(task)) {}

  /// Texts of 3 to 8 words, as many of each label where the task has two.
  std::vector<LabelledRow> draw(std::size_t count, std::uint64_t seed) const {
    std::mt19937_64 engine(seed);
    std::vector<LabelledRow> rows;
    while (rows.size() < count) {
      LabelledRow row;
      row.number = rows.size();
      const std::size_t length = 3 + engine() % 6;
      for (std::size_t i = 0; i < length; ++i) {
        row.tokens.ids.push_back(static_cast<TokenId>(engine() % words_));
      }
      row.tokens.type_ids.assign(length, 0);
      row.target.labels = task_(row.tokens.ids);
      const std::size_t wanted = rows.size() % 2;
      const bool single = row.target.labels.size() == 1;
      if (!is_multi_label && (!single || row.target.labels.front() != wanted)) continue;
      rows.push_back(std::move(row));
    }
    return rows;
  }

  LabelledRows train_and_dev(const Description& model, std::size_t count) const {
    LabelledRows rows;
    rows.labels = {model.labels, model.problem_type};
    rows.train = draw(count, 1);
    rows.dev = draw(count / 5, 2);
    return rows;
  }

  bool is_multi_label = false;

 private:
  std::size_t words_;
  ToyTask task_;
};

/// The index of the last `word`, or nullopt.
inline std::optional<std::size_t> last_of(const Ids& ids, TokenId word) {
  for (std::size_t i = ids.size(); i-- > 0;) {
    if (ids[i] == word) return i;
  }
  return std::nullopt;
}

inline bool has_word(const Ids& ids, TokenId word) { return last_of(ids, word).has_value(); }

}  // namespace headlight
