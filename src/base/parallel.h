// Work shared by threads, with results in order, and the number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

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
  ThreadPermit(ThreadPermit&& other) noexcept;
  ThreadPermit& operator=(ThreadPermit&&) = delete;
  ThreadPermit(const ThreadPermit&) = delete;
  ThreadPermit& operator=(const ThreadPermit&) = delete;
  ~ThreadPermit();

 private:
  struct Limit;  // oneTBB's: its headers are read by parallel.cpp alone
  std::unique_ptr<Limit> limit_;
  std::size_t before_;
};

/// The number of threads that share_work() can use: that of the ThreadPermit, else all of the
/// processor.
std::size_t sharing_threads();

/// A callable with the number of a part; it must outlive the calls.
struct PartsOfWork {
  const void* work;
  void (*run)(const void* work, std::size_t part);
};

/// Runs the parts 0, …, parts - 1 on this thread and on idle threads, and waits for all.
void share_parts(std::size_t parts, PartsOfWork work);

/// Runs work(0), …, work(parts - 1) on this thread and on idle threads, and waits for all. A thread
/// that waits here does not start other work of a pipeline.
template <typename Work>
void share_work(std::size_t parts, const Work& work) {
  if (parts <= 1 || sharing_threads() <= 1) {
    for (std::size_t part = 0; part < parts; ++part) work(part);
    return;
  }
  const auto run = [](const void* shared, std::size_t part) {
    (*static_cast<const Work*>(shared))(part);
  };
  share_parts(parts, {&work, run});
}

/// Threads that compute besides the one that makes them.
class WorkerThreads {
 public:
  explicit WorkerThreads(std::size_t threads);
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;
  ~WorkerThreads();

  /// Returns at once. `work` must outlive its run.
  void start(const std::function<void()>& work);

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;
};

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
  const std::function<void()> work = [&] {
    auto [number, item] = items.take();
    std::optional<Out> out;
    work_failure.guard([&, &item = item] { out = transform(std::move(item)); });
    items.give_back(number, std::move(out));
  };
  WorkerThreads workers(threads);
  while (!work_failure.happened()) {
    items.wait_for_room();
    std::optional<In> item = next();
    if (!item) break;
    items.put(std::move(*item));
    workers.start(work);
  }
  items.wait_for_all();
  work_failure.rethrow();
  input_failure.rethrow();
}

}  // namespace headlight
