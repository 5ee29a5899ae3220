// A model that the C interface has loaded by its path, with an engine of its own.
#pragma once

#include <string>

#include <doctest/doctest.h>

#include "library/headlight.h"

namespace headlight {

struct Loaded {
  explicit Loaded(const std::string& path) {
    REQUIRE(hl_engine_new(nullptr, &engine) == HL_OK);
    REQUIRE(hl_model_load(engine, path.c_str(), &model) == HL_OK);
  }
  ~Loaded() {
    hl_model_free(model);
    hl_engine_free(engine);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  hl_engine* engine = nullptr;
  hl_model* model = nullptr;
};

}  // namespace headlight
