#include <filesystem>

#include <dlfcn.h>
#include <unistd.h>

#include "base/words.h"
#include "library/calls.h"
#include "library/handles.h"
#include "library/options.h"

namespace headlight {
namespace {

constexpr std::int32_t kMostThreads = 1024;

/// The folder of the file that this code was loaded from, without links: the loader says /lib for
/// /usr/lib. Empty if the system does not say it.
std::string folder_of_library() {
  Dl_info info{};
  const auto* here = reinterpret_cast<const void*>(&hl_engine_new);
  if (::dladdr(here, &info) == 0 || info.dli_fname == nullptr) return "";
  std::error_code ignored;
  return std::filesystem::canonical(info.dli_fname, ignored).parent_path().string();
}

EngineSettings settings_of(const hl_engine_options* given) {
  hl_engine_options options{};
  hl_engine_options_defaults(&options);
  take_options(given, options);
  if (options.threads < 0 || options.threads > kMostThreads) {
    throw ArgumentError("threads is " + std::to_string(options.threads) + ", expected 0 to " +
                        std::to_string(kMostThreads));
  }
  EngineSettings settings;
  if (options.threads > 0) {
    settings.threads = {static_cast<std::size_t>(options.threads), "the engine's options"};
  }
  settings.precision = word_of("precision", options.precision, kPrecisionWords);
  settings.kernels = Kernels::packed;
  return settings;
}

}  // namespace

EngineState::EngineState(const EngineSettings& settings)
    : engine(settings),
      team(engine.threads()),
      folders(model_folders(folder_of_library())),
      process(::getpid()) {}

bool EngineState::is_inherited() const { return process != ::getpid(); }

}  // namespace headlight

using namespace headlight;  // NOLINT(google-build-using-namespace): C has none

void hl_engine_options_defaults(hl_engine_options* options) {
  if (options != nullptr) *options = {sizeof(hl_engine_options), 0, "fp32"};
}

hl_status hl_engine_new(const hl_engine_options* options, hl_engine** engine) {
  return guarded([&] {
    required(engine, "engine") = nullptr;
    auto made = std::make_unique<hl_engine>();
    made->state = std::make_shared<EngineState>(settings_of(options));
    *engine = made.release();
  });
}

void hl_stop(hl_engine* engine) {
  if (engine != nullptr) engine->state->stops.fetch_add(1);
}

void hl_engine_free(hl_engine* engine) { free_handle(engine); }
