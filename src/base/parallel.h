// Work shared by threads, results in order; and how many threads that may be.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
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

/// How many threads this process may use from now on; the default is default_threads().
void limit_threads(std::size_t threads);

/// How many threads share_work() can use.
inline std::size_t sharing_threads() {
  return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
}

/// work(0), …, work(parts - 1), by this thread and by those that have nothing to do; waits for all.
/// No other work of a pipeline is begun on a thread that waits here.
template <typename Work>
void share_work(std::size_t parts, const Work& work) {
  if (parts <= 1 || sharing_threads() <= 1) {
    for (std::size_t part = 0; part < parts; ++part) work(part);
    return;
  }
  tbb::this_task_arena::isolate(
      [&] { tbb::parallel_for(std::size_t{0}, parts, work, tbb::simple_partitioner()); });
}

/// Keeps the first exception of several threads, after which nothing more is done.
class FirstFailure {
 public:
  /// Runs `action` unless something failed before; what it throws is kept.
  template <typename Action>
  void guard(const Action& action) {
    if (failed_) return;
    try {
      action();
    } catch (...) {
      std::call_once(once_, [&] { failure_ = std::current_exception(); });
      failed_ = true;
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> failed_{false};
  std::once_flag once_;
  std::exception_ptr failure_;
};

/// produce() → transform(in) on `threads` threads → consume(out) in the order produced, all at the
/// same time and with a bounded number of items on the way. produce() gives an empty optional at
/// the end; it and consume() are never called by two threads at once. Where produce() throws, what
/// it gave before is still consumed; then the exception leaves.
template <typename In, typename Out, typename Produce, typename Transform, typename Consume>
void ordered_parallel_map(std::size_t threads, Produce produce, Transform transform,
                          Consume consume) {
  FirstFailure input_failure;
  const auto next = [&] {
    std::optional<In> item;
    input_failure.guard([&] { item = produce(); });
    return item;
  };
  if (threads == 1) {
    while (std::optional<In> item = next()) consume(transform(std::move(*item)));
    return input_failure.rethrow();
  }
  // A pipeline wants items that are cheap to copy, and loses those on the way where an exception
  // crosses it: none does.
  using SharedIn = std::shared_ptr<In>;
  using SharedOut = std::shared_ptr<Out>;
  FirstFailure work_failure;
  const auto input = [&](tbb::flow_control& control) -> SharedIn {
    std::optional<In> item;
    work_failure.guard([&] { item = next(); });
    if (item) return std::make_shared<In>(std::move(*item));
    control.stop();
    return nullptr;
  };
  const auto work = [&](const SharedIn& item) {
    SharedOut out;
    work_failure.guard([&] { out = std::make_shared<Out>(transform(std::move(*item))); });
    return out;
  };
  const auto output = [&](const SharedOut& item) {
    if (item) work_failure.guard([&] { consume(std::move(*item)); });
  };
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] {
    constexpr auto kInOrder = tbb::filter_mode::serial_in_order;
    tbb::parallel_pipeline(
        2 * threads, tbb::make_filter<void, SharedIn>(kInOrder, input) &
                         tbb::make_filter<SharedIn, SharedOut>(tbb::filter_mode::parallel, work) &
                         tbb::make_filter<SharedOut, void>(kInOrder, output));
  });
  work_failure.rethrow();
  input_failure.rethrow();
}

}  // namespace headlight
