#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"

namespace headlight::parallel_test {
namespace {

constexpr int kItems = 300;
constexpr std::size_t kThreads[] = {1, 2, 7};

/// 0, 1, … `count` - 1, then the end, or an exception where `fails`.
struct Counter {
  int count;
  bool fails = false;
  int next = 0;

  std::optional<int> operator()() {
    if (next < count) return next++;
    if (fails) throw std::runtime_error("no more");
    return std::nullopt;
  }
};

/// Takes longer for some than for others, so that results overtake each other.
int squared(int item) {
  if (item % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(500));
  return item * item;
}

std::vector<int> squares(int count) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i) all.push_back(i * i);
  return all;
}

TEST_CASE("results are consumed in the order produced, by one thread at a time") {
  for (const std::size_t threads : kThreads) {
    CAPTURE(threads);
    std::vector<int> consumed;
    std::atomic<int> inside{0};
    int most_inside = 0;
    ordered_parallel_map<int, int>(threads, Counter{kItems}, squared, [&](int result) {
      most_inside = std::max(most_inside, ++inside);
      consumed.push_back(result);
      --inside;
    });
    CHECK(consumed == squares(kItems));
    CHECK(most_inside == 1);
  }
}

TEST_CASE("no items are no results") {
  for (const std::size_t threads : kThreads) {
    int consumed = 0;
    ordered_parallel_map<int, int>(threads, Counter{0}, squared, [&](int) { ++consumed; });
    CHECK(consumed == 0);
  }
}

TEST_CASE("what was produced before an exception is still consumed") {
  for (const std::size_t threads : kThreads) {
    CAPTURE(threads);
    std::vector<int> consumed;
    const auto run = [&] {
      ordered_parallel_map<int, int>(threads, Counter{50, true}, squared,
                                     [&](int result) { consumed.push_back(result); });
    };
    CHECK_THROWS_WITH_AS(run(), "no more", std::runtime_error);
    CHECK(consumed == squares(50));
  }
}

TEST_CASE("an exception of the consumer or of a worker leaves, after a prefix of the results") {
  for (const std::size_t threads : kThreads) {
    for (const bool in_consumer : {true, false}) {
      CAPTURE(threads);
      CAPTURE(in_consumer);
      std::vector<int> consumed;
      const auto run = [&] {
        ordered_parallel_map<int, int>(
            threads, Counter{kItems},
            [&](int item) {
              if (!in_consumer && item == 20) throw std::runtime_error("full");
              return squared(item);
            },
            [&](int result) {
              if (in_consumer && result == 400) throw std::runtime_error("full");
              consumed.push_back(result);
            });
      };
      CHECK_THROWS_WITH_AS(run(), "full", std::runtime_error);
      CHECK(consumed.size() <= 20);
      CHECK(consumed == squares(static_cast<int>(consumed.size())));
      if (in_consumer) CHECK(consumed.size() == 20);
    }
  }
}

TEST_CASE("the number of items on the way is bounded") {
  for (const std::size_t threads : kThreads) {
    std::atomic<int> on_the_way{0};
    std::atomic<int> most{0};
    Counter counter{kItems};
    ordered_parallel_map<int, int>(
        threads,
        [&] {
          const auto item = counter();
          if (item) most = std::max(most.load(), ++on_the_way);
          return item;
        },
        squared, [&](int) { --on_the_way; });
    CHECK(most <= static_cast<int>(2 * threads));
  }
}

TEST_CASE("an environment variable can only lower the number of threads") {
  const std::size_t all = default_threads().threads;
  CHECK(all >= 1);
  struct Row {
    const char* value;
    std::size_t threads;
  };
  for (const auto& [value, threads] :
       {Row{"1", 1}, {"100000", all}, {"0", all}, {"-3", all}, {"many", all}, {"", all}}) {
    CAPTURE(value);
    ::setenv("OMP_NUM_THREADS", value, 1);
    CHECK(default_threads().threads == threads);
  }
  ::unsetenv("OMP_NUM_THREADS");
}

struct ControlGroup {
  const char* own;   // what /proc/self/cgroup says
  const char* file;  // below /sys/fs/cgroup
  const char* quota;
  const char* period;  // of version 1
  std::size_t threads;
};

TEST_CASE(
    "the CPU quota of a control group is found in both versions, in a container and around it") {
  for (const auto& [own, file, quota, period, threads] : {
           ControlGroup{"0::/\n", "cpu.max", "100000 100000\n", nullptr, 1},  // a container
           {"0::/\n", "cpu.max", "150000 100000\n", nullptr, 2},
           {"0::/\n", "cpu.max", "max 100000\n", nullptr, 0},
           {"", "cpu.max", "50000 100000\n", nullptr, 1},  // no /proc
           {"0::/batch.slice/job.scope\n", "batch.slice/job.scope/cpu.max", "300000 100000\n",
            nullptr, 3},
           {"0::/batch.slice/job.scope\n", "batch.slice/cpu.max", "200000 100000\n", nullptr, 2},
           {"0::/batch.slice/job.scope\n", "batch.slice/other.scope/cpu.max", "200000 100000\n",
            nullptr, 0},
           {"2:memory:/a\n1:cpu,cpuacct:/docker/b\n", "cpu/cpu.cfs_quota_us", "250000\n",
            "100000\n", 3},
           {"2:memory:/a\n1:cpuacct,cpu:/b\n", "cpu/b/cpu.cfs_quota_us", "100000\n", "100000\n", 1},
           {"2:memory:/a\n1:cpu:/b\n0::/\n", "cpu/a/cpu.cfs_quota_us", "100000\n", "100000\n", 0},
           {"1:cpu:/b\n", "cpu/b/cpu.cfs_quota_us", "-1\n", "100000\n", 0},
           {"not a group\n::\n0::a\n", "cpu.max", "many\n", nullptr, 0},
       }) {
    CAPTURE(own);
    CAPTURE(file);
    const TemporaryFolder root;
    root.write("proc/self/cgroup", own);
    root.write("sys/fs/cgroup/" + std::string(file), quota);
    const std::string folder =
        "sys/fs/cgroup/" + std::string(file, std::string(file).rfind('/') + 1);
    if (period != nullptr) root.write(folder + "cpu.cfs_period_us", period);
    CHECK(quota_threads(root.path()) == threads);
  }
}

TEST_CASE("of several quotas around a process the lowest counts") {
  const TemporaryFolder root;
  root.write("proc/self/cgroup", "0::/a/b\n");
  root.write("sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
  root.write("sys/fs/cgroup/a/cpu.max", "200000 100000\n");
  root.write("sys/fs/cgroup/cpu.max", "300000 100000\n");
  CHECK(quota_threads(root.path()) == 2);
}

}  // namespace
}  // namespace headlight::parallel_test
