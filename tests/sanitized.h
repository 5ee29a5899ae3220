// Under the sanitizers tests take several times as long, and show how memory and threads are used:
// a part of many alike cases is enough for that. All of them run without sanitizers.
#pragma once

namespace headlight {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// The step from one of many alike cases to the next.
inline constexpr unsigned kCaseStep = kSanitized ? 3 : 1;

}  // namespace headlight
