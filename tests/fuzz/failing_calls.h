// System calls that fail where an input says so. The linker passes the calls of the program to
// failing_calls.cpp (--wrap in tests/CMakeLists.txt); those of the standard library stay as they
// are.
#pragma once

#include <map>
#include <string_view>
#include <vector>

namespace headlight::fuzz {

/// The call with this number, counted from 0, of one function fails.
struct Fault {
  std::string_view function;  // such as "write"
  int call = 0;
  int error = 0;         // an errno value; 0: reads and writes only a part of the bytes
  bool forever = false;  // so do the later calls
};

/// During its lifetime, these calls fail. Only one may exist at a time.
class FailingCalls {
 public:
  explicit FailingCalls(std::vector<Fault> faults);
  ~FailingCalls();
  FailingCalls(const FailingCalls&) = delete;
  FailingCalls& operator=(const FailingCalls&) = delete;

  /// The number of descriptors that were opened and not closed.
  int open_descriptors() const { return open_descriptors_; }

  /// Counts a call of `function` and returns its fault; nullptr: it succeeds.
  const Fault* next(std::string_view function);
  void opened() { ++open_descriptors_; }
  void closed() { --open_descriptors_; }

 private:
  std::vector<Fault> faults_;
  std::map<std::string_view, int> calls_;
  int open_descriptors_ = 0;
};

}  // namespace headlight::fuzz
