// The same logits on every processor, to the last bit: hashes of what AVX2 gave, for each
// instruction set that rounds a multiply-add once.
#include "bits.h"

#include <string>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "math/instruction_set.h"
#include "math/with_instruction_sets.h"
#include "model/init.h"
#include "model/model.h"

namespace headlight::bits_test {
namespace {

TEST_CASE("the logits of models have the same bits on every processor") {
  struct Row {
    std::string config;  // of configs/
    std::string text;
    std::string hash;  // of the logits
  };
  const Row rows[] = {
      {"pre-norm", "not bad at all", "a1bedb1561559be7"},
      {"pre-norm", "it could have been a good film but it is not the one", "4413f2230caeda1b"},
      {"label-attention", "not bad at all", "1f566351fbc7b1ce"},
      {"label-attention", "it could have been a good film but it is not the one",
       "e2ca5c8b95fcc39c"},
  };
  const TemporaryFolder folder;
  for (const auto& [config, text, hash] : rows) {
    CAPTURE(config);
    CAPTURE(text);
    init_model(HEADLIGHT_SOURCE "/configs/" + config + ".json", folder / config, 1, true);
    const Model model = load_model(locate_model(folder / config, ""));
    const Classifier classifier(model, {});
    const TextInput input{text, {}, {}};
    with_each_instruction_set([&, &expected = hash] {
      if (!has_fused_multiply_add()) return;
      ScoringScratch scratch;
      CHECK(bits_hash(classifier.classify({&input, 1}, scratch).at(0).logits) == expected);
    });
  }
}

}  // namespace
}  // namespace headlight::bits_test
