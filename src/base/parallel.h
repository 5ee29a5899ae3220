// Work shared by threads, with results in order, and the number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace headlight {

/// The number of threads to use, and the limit that it comes from: the lowest of those that are set
/// ("processor", "affinity mask", "cgroup CPU quota", "OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK").
struct ThreadLimit {
  std::size_t threads;
  std::string reason;
};
ThreadLimit default_threads();

/// During its lifetime, this process computes with at most `threads` threads. Only one should exist
/// at a time: of two, the lower limit applies.
class ThreadPermit {
 public:
  explicit ThreadPermit(std::size_t threads);
  ThreadPermit(ThreadPermit&&) = default;
  ThreadPermit& operator=(ThreadPermit&&) = delete;
  ThreadPermit(const ThreadPermit&) = delete;
  ThreadPermit& operator=(const ThreadPermit&) = delete;
  ~ThreadPermit();

 private:
  std::unique_ptr<tbb::global_control> limit_;
  std::size_t before_;
};

/// The number of threads that share_work() can use: that of the ThreadPermit, else all of the
/// processor.
std::size_t sharing_threads();

/// Passes a callable to another thread through oneTBB. ThreadSanitizer cannot see oneTBB's
/// synchronization, so the pointer is written with release and read with acquire order.
template <typename Target>
class HandedOver {
 public:
  explicit HandedOver(Target& target) { put(&target); }
  HandedOver(const HandedOver& other) { put(other.get()); }
  HandedOver& operator=(const HandedOver&) = delete;
  ~HandedOver() = default;

  template <typename... Arguments>
  void operator()(Arguments... arguments) const {
    (*get())(arguments...);
  }

 private:
  void put(Target* target) { __atomic_store_n(&target_, target, __ATOMIC_RELEASE); }
  Target* get() const { return __atomic_load_n(&target_, __ATOMIC_ACQUIRE); }

  Target* target_;
};

/// Runs work(0), …, work(parts - 1) on this thread and on idle threads, and waits for all. A thread
/// that waits here does not start other work of a pipeline.
template <typename Work>
void share_work(std::size_t parts, const Work& work) {
  if (parts <= 1 || sharing_threads() <= 1) {
    for (std::size_t part = 0; part < parts; ++part) work(part);
    return;
  }
  std::atomic<std::size_t> finished = 0;
  const auto do_part = [&](std::size_t part) {
    work(part);
    finished.fetch_add(1, std::memory_order_release);
  };
  const HandedOver handed(do_part);
  tbb::this_task_arena::isolate(
      [&] { tbb::parallel_for(std::size_t{0}, parts, handed, tbb::simple_partitioner()); });
  finished.load(std::memory_order_acquire);  // now the results of the parts may be read
}

/// Keeps the first exception of several threads. After it, no further action runs.
class FirstFailure {
 public:
  /// Runs `action` unless an earlier one failed, and keeps its exception.
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
  bool happened() const { return failed_; }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> failed_{false};
  std::once_flag once_;
  std::exception_ptr failure_;
};

/// A queue of at most `most` items between a producer and a consumer. Many threads take items and
/// return results in any order. The consumer gets the results in the original order, one at a time.
template <typename In, typename Out, typename Consume>
class InOrder {
 public:
  InOrder(std::size_t most, Consume& consume) : most_(most), consume_(consume) {}

  /// Waits until there is room for one more.
  void wait_for_room() {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [&] { return admitted_ - consumed_ < most_; });
  }
  void put(In item) {
    const std::lock_guard lock(mutex_);
    items_.emplace_back(admitted_++, std::move(item));
  }
  /// Takes the oldest item, with its number. There must be one.
  std::pair<std::size_t, In> take() {
    const std::lock_guard lock(mutex_);
    auto item = std::move(items_.front());
    items_.pop_front();
    return item;
  }
  /// The thread that returns the next result in order also passes on the results that follow it.
  /// nullopt: the work failed.
  void give_back(std::size_t number, std::optional<Out> result) {
    std::unique_lock lock(mutex_);
    results_.emplace(number, std::move(result));
    if (std::exchange(busy_, true)) return;
    while (!results_.empty() && results_.begin()->first == consumed_) {
      auto next = results_.extract(results_.begin());
      lock.unlock();
      if (next.mapped()) consume_(std::move(*next.mapped()));
      lock.lock();
      ++consumed_;
      moved_.notify_all();
    }
    busy_ = false;
    moved_.notify_all();
  }
  void wait_for_all() {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [&] { return consumed_ == admitted_ && !busy_; });
  }

 private:
  const std::size_t most_;
  Consume& consume_;
  std::mutex mutex_;
  std::condition_variable moved_;
  std::deque<std::pair<std::size_t, In>> items_;
  std::map<std::size_t, std::optional<Out>> results_;
  std::size_t admitted_ = 0;
  std::size_t consumed_ = 0;
  bool busy_ = false;
};

/// produce() → transform(in) on `threads` threads → consume(out) in the order of production. All
/// run at the same time, with a bounded number of items in between. produce() returns nullopt at
/// the end. produce() and consume() are never called by two threads at once. If produce() throws,
/// the earlier items are still consumed, then the exception is rethrown.
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
  // This thread reads and may wait for input. It does not compute, so all computing threads stay
  // available, even for a single item.
  FirstFailure work_failure;
  const auto hand_on = [&](Out&& out) { work_failure.guard([&] { consume(std::move(out)); }); };
  InOrder<In, Out, decltype(hand_on)> items(2 * threads, hand_on);
  const auto work = [&] {
    auto [number, item] = items.take();
    std::optional<Out> out;
    work_failure.guard([&, &item = item] { out = transform(std::move(item)); });
    items.give_back(number, std::move(out));
  };
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads + 1);
  tbb::task_arena arena(static_cast<int>(threads), 0);
  while (!work_failure.happened()) {
    items.wait_for_room();
    std::optional<In> item = next();
    if (!item) break;
    items.put(std::move(*item));
    arena.enqueue(HandedOver(work));
  }
  items.wait_for_all();
  work_failure.rethrow();
  input_failure.rethrow();
}

}  // namespace headlight
