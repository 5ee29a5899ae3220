// A warm forward pass allocates nothing. Sanitizers have an allocator of their own, so there the
// count stays 0 and only the passes are run.
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "classifier/small_models.h"
#include "encoder/forward.h"
#include "math/with_blas.h"
#include "model/prepare.h"

namespace {

std::atomic<std::size_t> allocations = 0;

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCounts = false;
#else
constexpr bool kCounts = true;

static void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
#endif

namespace headlight::allocation_test {
namespace {

TEST_CASE("a warm forward pass allocates nothing, in whatever form the weights are") {
  const ThreadPermit one(1);
  const TemporaryFolder folder;
  Model model = encoder_model(folder);
  const std::vector<TokenId> ids(70, 1);
  const std::vector<TokenId> type_ids(70, 0);
  Batch batch;
  for (const std::size_t length : {70, 3, 1, 40}) {
    batch.add(std::span(ids).first(length), std::span(type_ids).first(length));
  }
  for (const LinearForm form : {LinearForm::stored, LinearForm::packed, LinearForm::int8,
                                LinearForm::bf16, LinearForm::blas}) {
    CAPTURE(static_cast<int>(form));
    model.prepared = prepare_weights(model.description, {form, form}, model.weights);
    Scratch scratch;
    const std::size_t cold = allocations;
    forward(model.description, model.weights, {batch, scratch});
    CHECK((allocations > cold) == kCounts);
    forward(model.description, model.weights,
            {batch, scratch});  // buffers have swapped their roles
    const std::size_t before = allocations;
    forward(model.description, model.weights, {batch, scratch});
    CHECK(allocations - before == 0);
  }
}

}  // namespace
}  // namespace headlight::allocation_test
