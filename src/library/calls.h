// The border of the C interface: exceptions become statuses, and the state of the calling thread
// stays as it was.
#pragma once

#include <cfenv>
#include <string>

#include "base/error.h"
#include "base/parallel.h"
#include "library/headlight.h"

namespace headlight {

/// What a caller did wrong: HL_BAD_ARGUMENT.
class ArgumentError : public Error {
 public:
  explicit ArgumentError(const std::string& what) : Error("", what) {}
};

/// What the progress function of hl_fit() asked for: HL_STOPPED.
class StoppedByProgress : public WorkStopped {};

/// During its lifetime this thread computes with the default floating-point environment. At its end
/// errno and the environment are those of the caller again.
class CallerState {
 public:
  CallerState();
  ~CallerState();
  CallerState(const CallerState&) = delete;
  CallerState& operator=(const CallerState&) = delete;

 private:
  int error_number_;
  std::fenv_t environment_{};
};

/// The status of the exception that is handled now; its line becomes hl_last_error().
hl_status status_of_failure() noexcept;

/// The status of `action`.
template <typename Action>
hl_status guarded(const Action& action) noexcept {
  const CallerState state;
  try {
    action();
    return HL_OK;
  } catch (...) {
    return status_of_failure();
  }
}

/// For hl_string_free().
char* c_string(const std::string& text);

template <typename Handle>
void free_handle(Handle* handle) noexcept {
  const CallerState state;
  delete handle;
}

/// The argument, which must not be NULL. Throws ArgumentError that names it.
template <typename T>
T& required(T* argument, const char* name) {
  if (argument == nullptr) throw ArgumentError(std::string(name) + " is NULL");
  return *argument;
}

}  // namespace headlight
