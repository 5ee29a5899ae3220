// Work shared by threads, with results in order, and the number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
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

/// The lowest CPU quota of this process's control groups and those around them, rounded up; 0:
/// none. `root` has `proc` and `sys`: "" or a folder.
std::size_t quota_threads(const std::string& root);

/// Threads that share work: those that call, and at most `threads` - 1 others. Any number of teams
/// can exist, and any number of threads can use one.
class ThreadTeam {
 public:
  /// With one thread, each caller works alone. So it does in a process that was forked from one
  /// with a team: the other threads stayed behind.
  explicit ThreadTeam(std::size_t threads);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  std::size_t threads() const { return threads_; }

 private:
  friend class WorkerThreads;
  friend void share_parts(std::size_t parts, struct PartsOfWork work);
  struct Arena;  // oneTBB's: its headers are read by parallel.cpp alone
  ThreadTeam(std::size_t threads, std::size_t callers);

  std::size_t threads_;
  std::unique_ptr<Arena> arena_;  // empty: callers work alone
};

/// Thrown by share_work() after a stop.
struct WorkStopped {};

/// How often work was to be stopped. A signal handler can add one.
using StopCount = std::atomic<std::uint32_t>;
static_assert(StopCount::is_always_lock_free);

/// During its lifetime, share_work() of this thread uses `team`, until `stops` is increased. A
/// thread without one works alone.
class TeamWork {
 public:
  explicit TeamWork(const ThreadTeam& team, const StopCount* stops = nullptr);
  /// For a part of `whole`, which ends with it; nullptr: of nothing.
  TeamWork(const ThreadTeam& team, const TeamWork* whole);
  TeamWork(const TeamWork&) = delete;
  TeamWork& operator=(const TeamWork&) = delete;
  ~TeamWork();

  /// That of this thread; nullptr without.
  static const TeamWork* of_this_thread();
  const ThreadTeam& team() const { return team_; }
  bool is_stopped() const { return stops_ != nullptr && stops_->load() != before_; }

 private:
  const ThreadTeam& team_;
  const StopCount* stops_;
  std::uint32_t before_;
  const TeamWork* outer_;
};

/// A team for its maker: during its lifetime, this thread computes with at most `threads` threads.
class ThreadPermit {
 public:
  explicit ThreadPermit(std::size_t threads) : team_(threads), work_(team_) {}

 private:
  ThreadTeam team_;
  TeamWork work_;
};

/// The number of threads that share_work() of this thread can use.
std::size_t sharing_threads();

/// Throws WorkStopped if the work of this thread is to stop.
void check_stopped();

/// A callable with the number of a part; it must outlive the calls.
struct PartsOfWork {
  const void* work;
  void (*run)(const void* work, std::size_t part);
};

/// Runs the parts 0, …, parts - 1 on this thread and on idle threads, and waits for all.
void share_parts(std::size_t parts, PartsOfWork work);

/// Runs work(0), …, work(parts - 1) on this thread and on idle threads of its team, and waits for
/// all. A thread that waits here does not start other work of the team.
template <typename Work>
void share_work(std::size_t parts, const Work& work) {
  if (parts <= 1 || sharing_threads() <= 1) {
    for (std::size_t part = 0; part < parts; ++part) {
      check_stopped();
      work(part);
    }
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
  explicit WorkerThreads(std::size_t threads) : team_(threads, 0) {}

  /// Returns at once. `work` must outlive its run.
  void start(const std::function<void()>& work);
  /// Which `work` shares its own work with.
  const ThreadTeam& team() const { return team_; }

 private:
  ThreadTeam team_;
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
  WorkerThreads workers(threads);
  const TeamWork* const whole = TeamWork::of_this_thread();
  const std::function<void()> work = [&] {
    const TeamWork shared(workers.team(), whole);
    auto [number, item] = items.take();
    std::optional<Out> out;
    work_failure.guard([&, &item = item] { out = transform(std::move(item)); });
    items.give_back(number, std::move(out));
  };
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
