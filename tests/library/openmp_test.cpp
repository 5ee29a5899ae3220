// A host whose threads are OpenMP's, compiled with it.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "library/c_interface.h"

namespace headlight::library_openmp_test {
namespace {

TEST_CASE("the threads of OpenMP share a model with those of an engine") {
  const std::vector<std::string> texts = {"one two three", "four"};
  for (const int threads : {1, 2}) {
    const auto engine = new_engine(threads);
    const auto model = load(engine.get(), published("bert-three-labels"));
    const auto expected = logits_of(model.get(), texts);
    int right = 0;
#pragma omp parallel for num_threads(4) reduction(+ : right)
    for (int i = 0; i < 64; ++i) right += logits_of(model.get(), texts) == expected ? 1 : 0;
    CHECK(right == 64);
  }
}

}  // namespace
}  // namespace headlight::library_openmp_test
