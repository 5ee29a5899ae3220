// defaults MODEL TEXT: fails unless headlight.hpp without options has the bits of headlight.h
// without options. Prints the effect of each word on the first label, then the labels that are
// given.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <headlight.hpp>

namespace {

bool same(const char* what, const float* left, const float* right, std::size_t count) {
  if (std::memcmp(left, right, count * sizeof(float)) == 0) return true;
  std::fprintf(stderr, "defaults: %s differ\n", what);
  return false;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  const headlight::Model model(argv[1]);
  const hl_text text = {argv[2], HL_C_STRING, nullptr, 0};
  std::vector<float> logits(hl_model_labels(model.get()));
  headlight::detail::check(
      hl_classify(model.get(), &text, 1, nullptr, logits.data(), nullptr, nullptr));
  const auto prediction = model.classify(argv[2]);
  bool is_same = same("logits", logits.data(), prediction.logits.data(), logits.size());
  hl_explanation* plain = nullptr;
  headlight::detail::check(hl_explain(model.get(), &text, nullptr, &plain));
  const auto explanation = model.explain(argv[2]);
  for (std::size_t word = 0; word < explanation.words(); ++word) {
    const float* effects = explanation.effects(word);
    is_same &= same("effects", hl_explanation_effects(plain, word), effects, logits.size());
    std::printf("%.2f\n", effects[0]);
  }
  hl_explanation_free(plain);
  for (const std::size_t label : prediction.labels) std::puts(model.labels()[label].c_str());
  return is_same ? 0 : 1;
} catch (const headlight::Failure& failure) {
  std::fprintf(stderr, "defaults: %s\n", failure.what());
  return 1;
}
