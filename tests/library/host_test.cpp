// What belongs to the host stays as it is: the state of its threads and its process, its forks and
// its other libraries.
#include <atomic>
#include <cerrno>
#include <cfenv>
#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/wait.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <unistd.h>

#include "base/temporary_folder.h"
#include "classifier/small_models.h"
#include "library/c_interface.h"
#include "sanitized.h"

extern char** environ;

namespace headlight::library_host_test {
namespace {

const std::vector<std::string> kTexts = {"one two three", "four", "five six", "one"};

/// Every function that computes.
void use_all(const hl_model* model) {
  const hl_text text = {"one two", 7, nullptr, 0};
  logits_of(model, kTexts);
  std::vector<float> vector(hl_model_embedding_width(model));
  expect_ok(hl_embed(model, &text, 1, nullptr, vector.data(), nullptr));
  hl_encoding* encoding = nullptr;
  expect_ok(hl_tokenize(model, &text, nullptr, &encoding));
  hl_encoding_free(encoding);
  hl_attention* attention = nullptr;
  expect_ok(hl_attend(model, &text, nullptr, &attention));
  hl_attention_free(attention);
  hl_explanation* explanation = nullptr;
  hl_run_options options = run_options();
  options.method = "integrated-gradients";
  expect_ok(hl_explain(model, &text, &options, &explanation));
  hl_explanation_free(explanation);
  hl_run_options wrong = run_options();
  wrong.method = "none";
  CHECK(hl_explain(model, &text, &wrong, &explanation) == HL_BAD_ARGUMENT);
}

void use_library() {
  const auto engine = new_engine();
  const auto model = load(engine.get(), published("bert-three-labels"));
  use_all(model.get());
  hl_model* none = nullptr;
  CHECK(hl_model_load(engine.get(), "none", &none) == HL_BAD_MODEL);
}

/// Exit status of `child` in a forked process: 0 if it returns true, 2 if it hangs.
int in_child(const std::function<bool()>& child) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::alarm(60);
    bool is_right = false;
    try {
      is_right = child();
    } catch (...) {
    }
    ::_exit(is_right ? 0 : 1);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

TEST_CASE("errno, rounding, flags and exceptions of floating point stay") {
  const auto engine = new_engine();
  const auto model = load(engine.get(), published("bert-three-labels"));
  const auto expected = logits_of(model.get(), kTexts);
  for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_TOWARDZERO}) {
    CAPTURE(rounding);
    std::fesetround(rounding);
    std::feclearexcept(FE_ALL_EXCEPT);
    std::feraiseexcept(FE_DIVBYZERO);
    errno = 77;
    const auto logits = logits_of(model.get(), kTexts);
    use_all(model.get());
    const int error_number = errno;
    const int found = std::fegetround();
    const int flags = std::fetestexcept(FE_ALL_EXCEPT);
    std::fesetenv(FE_DFL_ENV);
    CHECK(error_number == 77);
    CHECK(found == rounding);
    CHECK(flags == FE_DIVBYZERO);
    CHECK(logits == expected);
  }
}

#if defined(__x86_64__)
TEST_CASE("a host that flushes subnormal numbers gets the same results") {
  const auto engine = new_engine();
  const auto model = load(engine.get(), published("bert-three-labels"));
  const auto expected = logits_of(model.get(), kTexts);
  const unsigned before = __builtin_ia32_stmxcsr();
  constexpr unsigned kFlushing = 0x8040;
  __builtin_ia32_ldmxcsr(before | kFlushing);
  const auto logits = logits_of(model.get(), kTexts);
  const unsigned after = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before);
  CHECK((after & kFlushing) == kFlushing);
  CHECK(logits == expected);
}
#endif

TEST_CASE("signals, locale, environment and current directory stay") {
  struct sigaction before[NSIG] = {};
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, nullptr, &before[signal]);
  sigset_t mask;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  const std::string locale = std::setlocale(LC_ALL, nullptr);
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  const auto folder = std::filesystem::current_path();

  use_library();

  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction after {};
    ::sigaction(signal, nullptr, &after);
    const bool is_same = after.sa_handler == before[signal].sa_handler;
    CHECK(is_same);
  }
  sigset_t mask_after;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &mask_after);
  for (int signal = 1; signal < NSIG; ++signal) {
    CHECK(sigismember(&mask, signal) == sigismember(&mask_after, signal));
  }
  CHECK(locale == std::setlocale(LC_ALL, nullptr));
  std::vector<std::string> variables_after;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    variables_after.emplace_back(*variable);
  }
  CHECK(variables_after == variables);
  CHECK(std::filesystem::current_path() == folder);
}

TEST_CASE("a locale with a decimal comma changes nothing") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  const auto engine = new_engine();
  const auto expected = logits_of(load(engine.get(), published("bert-three-labels")).get(), kTexts);
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    CHECK(logits_of(load(engine.get(), published("bert-three-labels")).get(), kTexts) == expected);
  }
  std::setlocale(LC_ALL, before.c_str());
}

std::size_t threads_of_process() {
  std::size_t count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    count += task.is_directory() ? 1 : 0;
  }
  return count;
}

TEST_CASE("one thread is the calling one, n are at most n - 1 more") {
  for (const int threads : {1, 2}) {
    CAPTURE(threads);
    CHECK(in_child([&] {  // a process without threads of other tests
            const std::size_t before = threads_of_process();
            const auto engine = new_engine(threads);
            const auto model = load(engine.get(), published("bert-three-labels"));
            use_all(model.get());
            return threads_of_process() <= before + static_cast<std::size_t>(threads) - 1;
          }) == 0);
  }
}

TEST_CASE("after fork, what was inherited is refused and what is new works") {
  const auto unused = new_engine();
  const auto engine = new_engine();
  const auto model = load(engine.get(), published("bert-three-labels"));
  const auto expected = logits_of(model.get(), kTexts);
  CHECK(in_child([&] {
          float logits[3];
          const hl_text text = {"one", 3, nullptr, 0};
          hl_model* other = nullptr;
          if (hl_classify(model.get(), &text, 1, nullptr, logits, nullptr, nullptr) !=
              HL_BAD_ARGUMENT) {
            return false;
          }
          if (std::string(hl_last_error()).find("made before fork") == std::string::npos)
            return false;
          if (hl_model_load(engine.get(), "x", &other) != HL_BAD_ARGUMENT) return false;
          for (int i = 0; i < 2; ++i) {
            const auto own = new_engine(2);
            const auto loaded = load(own.get(), published("bert-three-labels"));
            if (logits_of(loaded.get(), kTexts) != expected) return false;
            use_all(loaded.get());
          }
          return true;
        }) == 0);
  CHECK(in_child([&] {  // freed by its destructors, and again forked
          hl_model_free(load(new_engine().get(), published("bert-three-labels")).release());
          return in_child([&] {
                   const auto own = new_engine();
                   const auto loaded = load(own.get(), published("bert-three-labels"));
                   return logits_of(loaded.get(), kTexts) == expected;
                 }) == 0;
        }) == 0);
  CHECK(logits_of(model.get(), kTexts) == expected);
}

TEST_CASE("eight threads of the host share one model and get the same bits") {
  for (const int threads : {1, 2}) {
    const auto engine = new_engine(threads);
    const auto model = load(engine.get(), published("bert-three-labels"));
    const auto expected = logits_of(model.get(), kTexts);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> hosts;
    for (int i = 0; i < 8; ++i) {
      hosts.emplace_back([&] {
        for (int j = 0; j < (kSanitized ? 5 : 50); ++j) {
          if (logits_of(model.get(), kTexts) != expected) ++wrong;
          if (j % 5 == 0) use_all(model.get());
        }
      });
    }
    for (std::thread& host : hosts) host.join();
    CHECK(wrong == 0);
  }
}

TEST_CASE("threads load and free models of several engines at once") {
  const auto shared = new_engine();
  std::vector<std::thread> hosts;
  for (int i = 0; i < 4; ++i) {
    hosts.emplace_back([&, i] {
      for (int j = 0; j < 3; ++j) {
        const auto engine = new_engine(1 + i % 2, i % 2 == 0 ? "fp32" : "int8");
        logits_of(load(engine.get(), published("bert-three-labels")).get(), kTexts);
        logits_of(load(shared.get(), kSentiment).get(), {"good"});
      }
    });
  }
  for (std::thread& host : hosts) host.join();
}

/// They take several seconds to classify.
std::vector<std::string> many_texts() {
  std::vector<std::string> texts;
  unsigned state = 1;
  for (int i = 0; i < 20000; ++i) {
    std::string& text = texts.emplace_back();
    for (int word = 0; word < 200; ++word) {
      state = state * 1664525U + 1013904223U;
      text += "w" + std::to_string((state >> 16U) % 50) + " ";
    }
  }
  return texts;
}

hl_engine* engine_to_stop = nullptr;

TEST_CASE("hl_stop ends the calls that run, from a thread or a signal handler, and no later ones") {
  const TemporaryFolder folder;
  encoder_model(folder);
  const std::vector<std::string> many = many_texts();
  const auto texts = texts_of(many);
  for (const int threads : {1, 2}) {
    const auto engine = new_engine(threads);
    const auto model = load(engine.get(), folder / "encoder");
    std::vector<float> logits(texts.size() * 3);
    const auto classify = [&] {
      return hl_classify(model.get(), texts.data(), texts.size(), nullptr, logits.data(), nullptr,
                         nullptr);
    };
    for (const bool by_signal : {false, true}) {
      CAPTURE(by_signal);
      engine_to_stop = engine.get();
      const auto handler = std::signal(SIGUSR1, [](int) { hl_stop(engine_to_stop); });
      std::chrono::steady_clock::time_point stopped;
      const pthread_t caller = ::pthread_self();
      std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        stopped = std::chrono::steady_clock::now();
        by_signal ? static_cast<void>(::pthread_kill(caller, SIGUSR1)) : hl_stop(engine.get());
      });
      CHECK(classify() == HL_STOPPED);
      const auto end = std::chrono::steady_clock::now();
      other.join();
      std::signal(SIGUSR1, handler);
      CHECK(end - stopped < std::chrono::seconds(kSanitized ? 10 : 1));
      CHECK(hl_last_error() == std::string("stopped by hl_stop()"));
      CHECK_NOTHROW(logits_of(model.get(), {"w1 w2"}));
    }
  }
}

TEST_CASE("the memory of a process does not grow with its calls") {
  if (kSanitized) return;
  const auto engine = new_engine();
  const auto model = load(engine.get(), published("bert-three-labels"));
  const auto use = [&](int calls) {
    for (int i = 0; i < calls; ++i) {
      logits_of(model.get(), {"one two " + std::to_string(i), "three"});
      if (i % 50 == 0) use_all(model.get());
    }
    return ::mallinfo2().uordblks;
  };
  const std::size_t before = use(500);
  CHECK(use(3000) < before + std::size_t{64} * 1024);
}

/// Of the process, in memory now.
std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST_CASE("the memory of a process does not grow with engines that it makes and frees") {
  if (kSanitized) return;
  const auto use = [](int cycles) {
    for (int i = 0; i < cycles; ++i) {
      const auto engine = new_engine(2);
      logits_of(load(engine.get(), published("bert-three-labels")).get(), {"one", "two three"});
    }
    return resident_bytes();
  };
  const std::size_t before = use(100);
  CHECK(use(400) < before + std::size_t{16} * 1024 * 1024);
}

#if !defined(__SANITIZE_THREAD__)  // which does not see how oneTBB orders the host's own work
TEST_CASE("a host that uses oneTBB keeps its number of threads") {
  use_library();
  const std::size_t limit =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  const auto engine = new_engine(1);
  const auto model = load(engine.get(), published("bert-three-labels"));
  CHECK(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism) == limit);
  const auto wide = new_engine(2);
  const auto other = load(wide.get(), published("bert-three-labels"));
  const auto expected = logits_of(model.get(), kTexts);
  std::atomic<int> right = 0;
  for (const hl_model* one : {model.get(), other.get()}) {
    tbb::parallel_for(0, 64, [&](int) { right += logits_of(one, kTexts) == expected ? 1 : 0; });
  }
  CHECK(right == 2 * 64);
}
#endif

}  // namespace
}  // namespace headlight::library_host_test
