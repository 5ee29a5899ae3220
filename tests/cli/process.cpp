#include "cli/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace headlight {
namespace {

constexpr std::size_t kPieceSize = std::size_t{64} * 1024;

void close_descriptor(int& descriptor) {
  if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

/// The two ends of one standard stream.
struct Stream {
  int ours = -1;
  int theirs = -1;  // -1: closed there
};

Stream open_terminal() {
  Stream stream;
  stream.ours = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  std::array<char, 64> name{};
  if (stream.ours < 0 || ::grantpt(stream.ours) != 0 || ::unlockpt(stream.ours) != 0 ||
      ::ptsname_r(stream.ours, name.data(), name.size()) != 0) {
    throw std::runtime_error("no terminal");
  }
  stream.theirs = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  return stream;
}

/// `reads`: the program reads from it.
Stream open_stream(Channel channel, bool reads) {
  Stream stream;
  if (channel == Channel::closed) return stream;
  if (channel == Channel::terminal) return open_terminal();
  if (channel == Channel::full) {
    stream.theirs = ::open("/dev/full", O_RDWR | O_CLOEXEC);
    if (stream.theirs < 0) throw std::runtime_error("no /dev/full");
    return stream;
  }
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  stream.ours = reads ? ends[1] : ends[0];
  stream.theirs = reads ? ends[0] : ends[1];
  ::fcntl(stream.ours, F_SETFL, O_NONBLOCK);
  if (channel == Channel::departed) close_descriptor(stream.ours);
  return stream;
}

/// Pointers as execve() wants them; `strings` must outlive them.
std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// The command's own, and how sanitizers were told to behave.
std::vector<std::string> environment_of(const Command& command) {
  std::vector<std::string> environment = command.environment;
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"}) {
    // The tests run on one thread.
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    if (value != nullptr) environment.push_back(std::string(name) + "=" + value);
  }
  return environment;
}

void use_one_processor() {
  cpu_set_t granted;
  CPU_ZERO(&granted);
  ::sched_getaffinity(0, sizeof granted, &granted);
  int first = 0;
  while (first < CPU_SETSIZE && !CPU_ISSET(first, &granted)) ++first;
  CPU_ZERO(&granted);
  CPU_SET(first, &granted);
  ::sched_setaffinity(0, sizeof granted, &granted);
}

/// Between fork() and exec(): nothing here allocates.
[[noreturn]] void become(const Command& command, const std::array<Stream, 3>& streams,
                         char* const* arguments, char* const* environment) {
  for (int number = 0; number < 3; ++number) {
    const int theirs = streams.at(static_cast<std::size_t>(number)).theirs;
    if (theirs < 0) {
      ::close(number);
    } else {
      ::dup2(theirs, number);
    }
  }
  if (command.own_terminal) {
    ::setsid();
    ::ioctl(STDIN_FILENO, TIOCSCTTY, 0);
  }
  if (!command.directory.empty() && ::chdir(command.directory.c_str()) != 0) ::_exit(126);
  if (command.one_processor) use_one_processor();
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const auto set_limit = [](auto resource, long most) {
    const rlimit limit{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
    if (most >= 0) ::setrlimit(resource, &limit);
  };
  set_limit(RLIMIT_FSIZE, command.largest_file);
  set_limit(RLIMIT_AS, command.most_memory);
  std::signal(SIGPIPE, SIG_DFL);  // ignored here, which exec() would hand on
  ::execve(arguments[0], arguments, environment);
  ::_exit(127);
}

}  // namespace

std::string Outcome::complaint() const {
  if (timed_out) return "it did not end";
  if (signal != 0) return "it was ended by signal " + std::to_string(signal);
  if (status == 126 || status == 127) return "it could not be started";
  for (const char* report : {"Sanitizer", "runtime error:"}) {
    if (err.find(report) != std::string::npos) return "a sanitizer reported: " + err;
  }
  return "";
}

Process::Process(const Command& command) {
  std::signal(SIGPIPE, SIG_IGN);  // a program that ends early is no end of the test
  std::vector<std::string> arguments{command.program.empty() ? HEADLIGHT_PROGRAM : command.program};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> environment = environment_of(command);
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> environment_pointers = pointers_to(environment);
  const bool own = command.own_terminal;
  std::array<Stream, 3> streams = {own ? open_terminal() : open_stream(command.in, true),
                                   own ? Stream{} : open_stream(command.out, false),
                                   open_stream(command.err, false)};
  if (own) {
    streams[1] = {::fcntl(streams[0].ours, F_DUPFD_CLOEXEC, 0),
                  ::fcntl(streams[0].theirs, F_DUPFD_CLOEXEC, 0)};
  }
  child_ = ::fork();
  if (child_ == 0) {
    become(command, streams, argument_pointers.data(), environment_pointers.data());
  }
  for (Stream& stream : streams) close_descriptor(stream.theirs);
  if (child_ < 0) throw std::runtime_error("no process");
  in_ = streams[0].ours;
  out_ = streams[1].ours;
  err_ = streams[2].ours;
  if (command.out == Channel::unread) unread_ = std::exchange(out_, -1);
}

Process::~Process() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    has_ended(0);
  }
  for (int* descriptor : {&in_, &out_, &err_, &unread_}) close_descriptor(*descriptor);
}

template <typename Done>
void Process::pump(Done done, Clock::time_point deadline) {
  while (!done()) {
    if (out_ < 0 && err_ < 0 && (in_ < 0 || waiting_.empty())) return;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return;
    std::array<pollfd, 3> waits = {
        {{out_, POLLIN, 0}, {err_, POLLIN, 0}, {waiting_.empty() ? -1 : in_, POLLOUT, 0}}};
    if (::poll(waits.data(), waits.size(), static_cast<int>(left)) <= 0) continue;
    if (waits[0].revents != 0) read_some(out_, out_bytes_);
    if (waits[1].revents != 0) read_some(err_, err_bytes_);
    if (waits[2].revents != 0) write_some();
  }
}

void Process::write_some() {
  const ssize_t count = ::write(in_, waiting_.data() + taken_, waiting_.size() - taken_);
  if (count > 0) {
    taken_ += static_cast<std::size_t>(count);
    if (taken_ == waiting_.size()) waiting_.clear();
  } else if (errno != EAGAIN && errno != EINTR) {
    waiting_.clear();  // nobody reads it any more
    close_descriptor(in_);
  }
  if (waiting_.empty()) taken_ = 0;
}

void Process::read_some(int& descriptor, std::string& bytes) {
  const std::size_t size = bytes.size();
  bytes.resize(size + kPieceSize);
  const ssize_t count = ::read(descriptor, bytes.data() + size, kPieceSize);
  bytes.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) close_descriptor(descriptor);
}

bool Process::write(std::string_view bytes) {
  waiting_ += bytes;
  pump([&] { return waiting_.empty(); }, Clock::now() + kPatience);
  return waiting_.empty() && in_ >= 0;
}

void Process::close_input() { close_descriptor(in_); }

void Process::close_output() {
  close_descriptor(out_);
  close_descriptor(unread_);
}

std::optional<std::string> Process::read_line() {
  const auto has_line = [&] { return out_bytes_.find('\n') != std::string::npos; };
  pump(has_line, Clock::now() + kPatience);
  if (!has_line()) return std::nullopt;
  const std::size_t end = out_bytes_.find('\n');
  std::string line = out_bytes_.substr(0, end);
  out_bytes_.erase(0, end + 1);
  return line;
}

bool Process::says(std::string_view part) {
  const auto said = [&] { return err_bytes_.find(part) != std::string::npos; };
  pump(said, Clock::now() + kPatience);
  return said();
}

bool Process::shows(std::string_view part) {
  const auto shown = [&] { return out_bytes_.find(part) != std::string::npos; };
  pump(shown, Clock::now() + kPatience);
  return shown();
}

bool Process::is_silent_for(std::chrono::milliseconds time) {
  const std::size_t before = out_bytes_.size();
  pump([&] { return out_bytes_.size() != before; }, Clock::now() + time);
  return out_bytes_.size() == before && !has_ended(WNOHANG);
}

void Process::send(int signal_number) const {
  if (child_ > 0) ::kill(child_, signal_number);
}

bool Process::has_ended(int options) {
  if (child_ < 0) return true;
  int state = 0;
  rusage usage{};
  if (::wait4(child_, &state, options, &usage) != child_) return false;
  child_ = -1;
  if (WIFEXITED(state)) outcome_.status = WEXITSTATUS(state);
  if (WIFSIGNALED(state)) outcome_.signal = WTERMSIG(state);
  outcome_.peak_kilobytes = usage.ru_maxrss;
  return true;
}

void Process::wait_for_end(Clock::time_point deadline) {
  constexpr std::chrono::microseconds kPause{200};
  while (!has_ended(WNOHANG)) {
    if (Clock::now() >= deadline) {
      outcome_.timed_out = true;
      ::kill(child_, SIGKILL);
      has_ended(0);
    } else {
      std::this_thread::sleep_for(kPause);
    }
  }
}

Outcome Process::finish() {
  pump([&] { return waiting_.empty(); }, Clock::now() + kPatience);
  close_input();
  return wait();
}

Outcome Process::wait() {
  const Clock::time_point deadline = Clock::now() + kPatience;
  pump([] { return false; }, deadline);
  wait_for_end(deadline);
  outcome_.out = std::move(out_bytes_);
  outcome_.err = std::move(err_bytes_);
  return outcome_;
}

Outcome run(const Command& command) {
  Process process(command);
  if (!command.input.empty()) process.write(command.input);
  return process.finish();
}

}  // namespace headlight
