#include "library/calls.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

#include "base/build.h"
#include "base/parallel.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::uint32_t kMajor = 0;
constexpr std::uint32_t kMinor = 1;

thread_local std::string last_error;

hl_status failed(hl_status status, const std::string& line) noexcept {
  try {
    last_error = printable(line);
  } catch (...) {
    last_error.clear();
  }
  return status;
}

}  // namespace

CallerState::CallerState() : error_number_(errno) {
  std::fegetenv(&environment_);
  std::fesetenv(FE_DFL_ENV);
}

CallerState::~CallerState() {
  std::fesetenv(&environment_);
  errno = error_number_;
}

hl_status status_of_failure() noexcept {
  try {
    throw;
  } catch (const StoppedByProgress&) {
    return failed(HL_STOPPED, "stopped by the progress function");
  } catch (const WorkStopped&) {
    return failed(HL_STOPPED, "stopped by hl_stop()");
  } catch (const ArgumentError& error) {
    return failed(HL_BAD_ARGUMENT, error.line());
  } catch (const TextError& error) {
    return failed(HL_BAD_TEXT, error.line());
  } catch (const Error& error) {
    return failed(HL_BAD_MODEL, error.line());
  } catch (const std::bad_alloc&) {
    return failed(HL_NO_MEMORY, "not enough memory");
  } catch (const std::length_error&) {
    return failed(HL_NO_MEMORY, "not enough memory: a size is too large");
  } catch (const std::exception& error) {
    return failed(HL_INTERNAL, error.what());
  } catch (...) {
    return failed(HL_INTERNAL, "an internal error");
  }
}

char* c_string(const std::string& text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace headlight

void hl_string_free(char* string) {
  std::free(string);  // NOLINT(cppcoreguidelines-no-malloc): C has no delete
}

uint32_t hl_abi_version(void) { return headlight::kMajor << 16U | headlight::kMinor; }

const char* hl_version(void) { return headlight::build_line(); }

const char* hl_last_error(void) { return headlight::last_error.c_str(); }
