// Work shared by threads, results in order; and how many threads that may be.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

namespace headlight {

/// How many threads to use, and which limit said so ("processor", "affinity mask", "cgroup CPU
/// quota", "OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK"): the least of those that are set.
struct ThreadLimit {
  std::size_t threads;
  std::string reason;
};
ThreadLimit default_threads();

/// produce() → transform(in) on `threads` threads → consume(out) in the order produced, all at the
/// same time and with a bounded number of items on the way. produce() gives an empty optional at
/// the end; it and consume() are never called by two threads at once. Where produce() throws, what
/// it gave before is still consumed; then the exception leaves.
template <typename In, typename Out, typename Produce, typename Transform, typename Consume>
void ordered_parallel_map(std::size_t threads, Produce produce, Transform transform,
                          Consume consume) {
  std::exception_ptr failure;
  const auto guarded_produce = [&]() -> std::optional<In> {
    try {
      return produce();
    } catch (...) {
      failure = std::current_exception();
      return std::nullopt;
    }
  };
  if (threads == 1) {
    while (std::optional<In> item = guarded_produce()) consume(transform(std::move(*item)));
  } else {
    // A pipeline wants items that are cheap to copy.
    using SharedIn = std::shared_ptr<In>;
    using SharedOut = std::shared_ptr<Out>;
    const auto input = [&](tbb::flow_control& control) -> SharedIn {
      std::optional<In> item = guarded_produce();
      if (item) return std::make_shared<In>(std::move(*item));
      control.stop();
      return nullptr;
    };
    const auto work = [&](const SharedIn& item) {
      return std::make_shared<Out>(transform(std::move(*item)));
    };
    const auto output = [&](const SharedOut& item) { consume(std::move(*item)); };
    const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads);
    tbb::task_arena arena(static_cast<int>(threads));
    arena.execute([&] {
      tbb::parallel_pipeline(
          2 * threads,
          tbb::make_filter<void, SharedIn>(tbb::filter_mode::serial_in_order, input) &
              tbb::make_filter<SharedIn, SharedOut>(tbb::filter_mode::parallel, work) &
              tbb::make_filter<SharedOut, void>(tbb::filter_mode::serial_in_order, output));
    });
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace headlight
