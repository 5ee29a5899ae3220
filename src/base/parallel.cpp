#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <utility>

#include <sched.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace headlight {
namespace {

std::size_t positive_variable(const char* name) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread
  if (text == nullptr) return 0;
  const long value = std::strtol(text, nullptr, 10);
  return value > 0 ? static_cast<std::size_t>(value) : 0;
}

std::size_t affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return 0;
  return static_cast<std::size_t>(CPU_COUNT(&set));
}

std::size_t rounded_up(double quota, double period) {
  return quota > 0.0 && period > 0.0 ? static_cast<std::size_t>(std::ceil(quota / period)) : 0;
}

/// Control groups: version 2 has "150000 100000" or "max 100000", version 1 has two files.
std::size_t container_quota() {
  std::ifstream unified("/sys/fs/cgroup/cpu.max");
  double quota = 0.0;
  double period = 0.0;
  if (unified >> quota >> period) return rounded_up(quota, period);
  std::ifstream quota_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  std::ifstream period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  if (quota_file >> quota && period_file >> period) return rounded_up(quota, period);
  return 0;
}

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

std::atomic<std::size_t>& shared_by() {
  static std::atomic<std::size_t> threads = std::max(1U, std::thread::hardware_concurrency());
  return threads;
}

}  // namespace

ThreadLimit default_threads() {
  ThreadLimit limit{std::max<std::size_t>(std::thread::hardware_concurrency(), 1), "processor"};
  const auto restrict = [&](std::size_t threads, const char* reason) {
    if (threads > 0 && threads < limit.threads) limit = {threads, reason};
  };
  restrict(affinity(), "affinity mask");
  restrict(container_quota(), "cgroup CPU quota");
  restrict(positive_variable("OMP_NUM_THREADS"), "OMP_NUM_THREADS");
  restrict(positive_variable("SLURM_CPUS_PER_TASK"), "SLURM_CPUS_PER_TASK");
  return limit;
}

struct ThreadPermit::Limit {
  tbb::global_control control;
};

// One more than the computing threads, for the thread that waits for input.
ThreadPermit::ThreadPermit(std::size_t threads)
    : limit_(new Limit{{tbb::global_control::max_allowed_parallelism, threads + 1}}),
      before_(shared_by().exchange(threads)) {}

ThreadPermit::ThreadPermit(ThreadPermit&& other) noexcept = default;

ThreadPermit::~ThreadPermit() {
  if (limit_) shared_by() = before_;
}

std::size_t sharing_threads() { return shared_by(); }

void share_parts(std::size_t parts, PartsOfWork work) {
  std::atomic<std::size_t> finished = 0;
  const auto do_part = [&](std::size_t part) {
    work.run(work.work, part);
    finished.fetch_add(1, std::memory_order_release);
  };
  const HandedOver handed(do_part);
  tbb::this_task_arena::isolate(
      [&] { tbb::parallel_for(std::size_t{0}, parts, handed, tbb::simple_partitioner()); });
  finished.load(std::memory_order_acquire);  // now the results of the parts may be read
}

struct WorkerThreads::Arena {
  explicit Arena(std::size_t threads)
      : allowed(tbb::global_control::max_allowed_parallelism, threads + 1),
        arena(static_cast<int>(threads), 0) {}

  tbb::global_control allowed;
  tbb::task_arena arena;
};

WorkerThreads::WorkerThreads(std::size_t threads) : arena_(std::make_unique<Arena>(threads)) {}

WorkerThreads::~WorkerThreads() = default;

void WorkerThreads::start(const std::function<void()>& work) {
  arena_->arena.enqueue(HandedOver(work));
}

}  // namespace headlight
