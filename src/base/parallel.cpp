#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include <sched.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>

namespace headlight {
namespace {

std::size_t positive_variable(const char* name) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread
  if (text == nullptr) return 0;
  const long value = std::strtol(text, nullptr, 10);
  return value > 0 ? static_cast<std::size_t>(value) : 0;
}

/// 0: not known.
std::size_t affinity() {
#ifdef __linux__
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return 0;
  return static_cast<std::size_t>(CPU_COUNT(&set));
#else
  return 0;
#endif
}

/// The quota of a control group in processors, rounded up; 0: none. Version 2 has "150000 100000"
/// or "max 100000", version 1 has two files.
std::size_t quota_of(const std::string& group) {
  double quota = 0.0;
  double period = 0.0;
  std::ifstream unified(group + "/cpu.max");
  std::ifstream quota_file(group + "/cpu.cfs_quota_us");
  std::ifstream period_file(group + "/cpu.cfs_period_us");
  if (!(unified >> quota >> period) && !(quota_file >> quota && period_file >> period)) return 0;
  return quota > 0.0 && period > 0.0 ? static_cast<std::size_t>(std::ceil(quota / period)) : 0;
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

/// Calling threads that can work in a team at the same time; more of them wait.
constexpr std::size_t kMostCallers = 64;

/// What this thread works for.
thread_local const TeamWork* current = nullptr;

/// During its lifetime this thread works for `work`.
class WorksFor {
 public:
  explicit WorksFor(const TeamWork* work) : other_(std::exchange(current, work)) {}
  WorksFor(const WorksFor&) = delete;
  WorksFor& operator=(const WorksFor&) = delete;
  ~WorksFor() { current = other_; }

 private:
  const TeamWork* other_;
};

/// The first process with a team of several threads.
std::atomic<pid_t> process_of_teams{0};

bool is_forked_from_a_team() {
  pid_t first = 0;
  return !process_of_teams.compare_exchange_strong(first, ::getpid()) && first != ::getpid();
}

/// Threads that oneTBB can start. It prints a warning if more are asked for.
std::size_t startable_threads() {
  return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism) - 1;
}

}  // namespace

std::size_t quota_threads(const std::string& root) {
  std::size_t least = 0;
  const auto look_at = [&](const std::string& group) {
    const std::size_t quota = quota_of(root + group);
    if (quota > 0 && (least == 0 || quota < least)) least = quota;
  };
  const std::string unified = "/sys/fs/cgroup";
  const std::string separate = "/sys/fs/cgroup/cpu";
  look_at(unified);  // of a container, whatever the host calls it
  look_at(separate);
  // "0::/a/b" is the group of version 2, "4:cpu,cpuacct:/a/b" one of version 1.
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t names = line.find(':') + 1;
    const std::size_t end = line.find(':', names);
    if (end == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(names, end - names) + ',';
    if (controllers != ",," && controllers.find(",cpu,") == std::string::npos) continue;
    const std::string group = line.substr(end + 1);
    for (std::size_t size = group.size(); size > 0 && size < std::string::npos;
         size = group.rfind('/', size - 1)) {
      look_at((controllers == ",," ? unified : separate) + group.substr(0, size));
    }
  }
  return least;
}

ThreadLimit default_threads() {
  ThreadLimit limit{std::max<std::size_t>(std::thread::hardware_concurrency(), 1), "processor"};
  const auto restrict = [&](std::size_t threads, const char* reason) {
    if (threads > 0 && threads < limit.threads) limit = {threads, reason};
  };
  restrict(affinity(), "affinity mask");
  restrict(quota_threads(""), "cgroup CPU quota");
  restrict(positive_variable("OMP_NUM_THREADS"), "OMP_NUM_THREADS");
  restrict(positive_variable("SLURM_CPUS_PER_TASK"), "SLURM_CPUS_PER_TASK");
  return limit;
}

struct ThreadTeam::Arena {
  Arena(std::size_t others, std::size_t callers)
      : size(others, callers),
        arena(static_cast<int>(others + callers), static_cast<unsigned>(callers)) {}

  /// A team that ends leaves its arena to the next one of its size: oneTBB frees the memory of an
  /// arena, some 130 KB, only when its threads find the time to leave it, which they do not while a
  /// program makes team after team.
  static std::unique_ptr<Arena> take(std::size_t others, std::size_t callers);
  static void leave(std::unique_ptr<Arena> arena);

  std::pair<std::size_t, std::size_t> size;  // others, callers
  tbb::task_arena arena;
  pid_t process = ::getpid();

 private:
  struct Idle {
    std::mutex mutex;
    std::multimap<std::pair<std::size_t, std::size_t>, std::unique_ptr<Arena>> arenas;
  };
  static Idle& idle() {
    static auto* const kept = new Idle;  // teams may end after static objects
    return *kept;
  }
};

std::unique_ptr<ThreadTeam::Arena> ThreadTeam::Arena::take(std::size_t others,
                                                           std::size_t callers) {
  const std::lock_guard lock(idle().mutex);
  auto node = idle().arenas.extract({others, callers});
  return node.empty() ? std::make_unique<Arena>(others, callers) : std::move(node.mapped());
}

void ThreadTeam::Arena::leave(std::unique_ptr<Arena> arena) {
  const std::lock_guard lock(idle().mutex);
  idle().arenas.emplace(arena->size, std::move(arena));
}

ThreadTeam::ThreadTeam(std::size_t threads) : threads_(1) {
  if (threads <= 1 || is_forked_from_a_team()) return;
  const std::size_t others = std::min(threads - 1, startable_threads());
  if (others == 0) return;
  threads_ = threads;
  arena_ = Arena::take(others, kMostCallers);
}

ThreadTeam::ThreadTeam(std::size_t threads, std::size_t callers)
    : threads_(is_forked_from_a_team() ? 1 : threads),
      arena_(Arena::take(std::clamp<std::size_t>(startable_threads(), 1, threads), callers)) {}

ThreadTeam::~ThreadTeam() {
  // A lock of oneTBB that a thread held during fork() is never released in the child.
  if (arena_ && arena_->process != ::getpid()) {
    static_cast<void>(arena_.release());
  } else if (arena_) {
    Arena::leave(std::move(arena_));
  }
}

TeamWork::TeamWork(const ThreadTeam& team, const StopCount* stops)
    : team_(team),
      stops_(stops),
      before_(stops == nullptr ? 0 : stops->load()),
      outer_(std::exchange(current, this)) {}

TeamWork::TeamWork(const ThreadTeam& team, const TeamWork* whole)
    : team_(team),
      stops_(whole == nullptr ? nullptr : whole->stops_),
      before_(whole == nullptr ? 0 : whole->before_),
      outer_(std::exchange(current, this)) {}

const TeamWork* TeamWork::of_this_thread() { return current; }

TeamWork::~TeamWork() { current = outer_; }

std::size_t sharing_threads() { return current == nullptr ? 1 : current->team().threads(); }

void check_stopped() {
  if (current != nullptr && current->is_stopped()) throw WorkStopped();
}

void share_parts(std::size_t parts, PartsOfWork work) {
  const TeamWork* const shared = current;
  std::atomic<std::size_t> finished = 0;
  const auto do_part = [&](std::size_t part) {
    const WorksFor taken(shared);
    check_stopped();
    work.run(work.work, part);
    finished.fetch_add(1, std::memory_order_release);
  };
  const HandedOver handed(do_part);
  const auto do_all = [&] {
    tbb::this_task_arena::isolate(
        [&] { tbb::parallel_for(std::size_t{0}, parts, handed, tbb::simple_partitioner()); });
  };
  shared->team().arena_->arena.execute(HandedOver(do_all));
  finished.load(std::memory_order_acquire);  // now the results of the parts may be read
}

void WorkerThreads::start(const std::function<void()>& work) {
  if (is_forked_from_a_team()) return work();
  team_.arena_->arena.enqueue(HandedOver(work));
}

}  // namespace headlight
