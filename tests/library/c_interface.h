// Calls of the C interface that must succeed, for tests.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "library/headlight.h"
#include "library/held.h"

namespace headlight {

inline void expect_ok(hl_status status) {
  if (status != HL_OK) throw std::runtime_error(hl_last_error());
}

inline Held<hl_engine> new_engine(int threads = 2, const char* precision = "fp32") {
  hl_engine_options options;
  hl_engine_options_defaults(&options);
  options.threads = threads;
  options.precision = precision;
  hl_engine* engine = nullptr;
  expect_ok(hl_engine_new(&options, &engine));
  return Held<hl_engine>(engine);
}

inline Held<hl_model> load(hl_engine* engine, const std::string& path) {
  hl_model* model = nullptr;
  expect_ok(hl_model_load(engine, path.c_str(), &model));
  return Held<hl_model>(model);
}

/// A model of the tests whose files are in the repository.
inline std::string published(const std::string& name) {
  return std::string(HEADLIGHT_TEST_DATA) + "/golden/published/" + name;
}
inline const std::string kSentiment = std::string(HEADLIGHT_SOURCE) + "/data/models/sentiment";

inline hl_text text_of(const std::string& text) { return {text.data(), text.size(), nullptr, 0}; }

inline std::vector<hl_text> texts_of(const std::vector<std::string>& texts) {
  std::vector<hl_text> all;
  for (const std::string& text : texts) all.push_back(text_of(text));
  return all;
}

/// [n, c]
inline std::vector<float> logits_of(const hl_model* model, const std::vector<std::string>& texts,
                                    const hl_run_options* options = nullptr) {
  std::vector<float> logits(texts.size() * hl_model_labels(model));
  expect_ok(hl_classify(model, texts_of(texts).data(), texts.size(), options, logits.data(),
                        nullptr, nullptr));
  return logits;
}

inline hl_run_options run_options() {
  hl_run_options options;
  hl_run_options_defaults(&options);
  return options;
}

}  // namespace headlight
