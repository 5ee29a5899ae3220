// What trainings of a model that is made from the rows share.
#pragma once

#include <utility>

#include "training/ways/way.h"
#include "training/whole/fresh_model.h"

namespace headlight {

class FreshTraining : public Training {
 public:
  explicit FreshTraining(FreshModel fresh) : fresh_(std::move(fresh)) {}

  Origin::Facts marks() const override { return marks_of_files({fresh_.model().place.config}); }
  TextReading reading() override {
    return {fresh_.model(), fresh_.needs_words(),
            [this](const TextInput& input) { return fresh_.key_of(input); },
            [this](const std::vector<const TextInput*>& texts) {
              if (fresh_.needs_words()) fresh_.learn_words(texts);
            }};
  }
  const Model& model() const override { return fresh_.model(); }

 protected:
  FreshModel fresh_;
};

}  // namespace headlight
