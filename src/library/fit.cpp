#include "training/fit.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/build.h"
#include "base/file.h"
#include "library/calls.h"
#include "library/handles.h"
#include "library/memory_rows.h"
#include "library/options.h"
#include "report/training/fit_report.h"

namespace headlight {
namespace {

/// Tells the caller how far the training is; it may stop it.
class CallWatch : public FitWatch {
 public:
  explicit CallWatch(const hl_fit_options& options) : options_(options) {}

  void begin(Stage stage, std::size_t /*before*/) override {
    stage_ = stage;
    tell(0.0);
  }
  void count(std::size_t /*done*/, double share) override { tell(share); }
  void step(const TrainingReport& report) override {
    tell(report.epoch / static_cast<double>(report.epochs));
  }

 private:
  void tell(double done) {
    if (options_.progress == nullptr) return;
    const char* const phase = kPhases.at(static_cast<std::size_t>(stage_));
    if (options_.progress(options_.user, done, phase) != 0) throw StoppedByProgress();
  }

  static constexpr std::array kPhases = {"encoding", "fitting",   "training",
                                         "folds",    "comparing", "inverting"};
  const hl_fit_options& options_;
  Stage stage_ = Stage::encoding;
};

Way way_of(const hl_fit_options& options) {
  const auto ways = all_ways({}, options.minutes);
  const char* const word = options.train == nullptr ? ways.front()->word : options.train;
  const auto is_named = [&](const Way& way) { return std::strcmp(way->word, word) == 0; };
  const auto found = std::ranges::find_if(ways, is_named);
  if (found != ways.end()) return *found;
  throw ArgumentError("train is \"" + shortened(word) + "\", expected " +
                      joined(ways, ", ", [](const Way& way) { return way->word; }));
}

/// As `headlight fit` does: a way that learns the words of the rows needs no model.
FitStart start_of(const EngineState& state, const hl_fit_options& options, const Way& way) {
  FitStart start;
  start.is_default = options.start == nullptr;
  if (start.is_default && way->learns_words) return start;
  start.bare = locate_model(start.is_default ? "encoder" : options.start, "", state.folders);
  if (start.bare.weights.empty()) return start;
  start.model = load_model(start.bare);
  require_layers(*start.model, "fit");
  return start;
}

FitRequest request_of(const EngineState& state, const hl_fit_options& options,
                      const char* directory) {
  if (!(options.minutes >= 0.0)) throw ArgumentError("minutes must be 0 or more");
  if (!(options.dev_share >= 0.0 && options.dev_share <= 1.0)) {
    throw ArgumentError("dev_share must be from 0 to 1");
  }
  FitRequest request;
  request.place.output = &required(directory, "directory");
  if (request.place.output.empty()) throw ArgumentError("directory is empty");
  request.place.force = options.overwrite != 0;
  request.data.dev_share = options.dev_share;
  request.data.seed = options.seed;
  request.way = way_of(options);
  request.origin = {build_name(), {}, {}, {}, state.engine.arithmetic(), false};
  request.command_line = std::string("headlight fit ROWS.jsonl -o my-model --train ") +
                         request.way->word + " --seed " + std::to_string(options.seed);
  request.card = fit_card;
  return request;
}

Fit fit_rows(const EngineState& state, const LabelledTexts& rows, const hl_fit_options& options,
             FitRequest& request) {
  const MemoryRows memory(rows, "texts");
  request.reads_pairs = memory.has_pairs();
  const auto train = memory.reader(request.reads_pairs);
  std::optional<MemoryRows> dev_memory;
  std::unique_ptr<RowReader> dev;
  FitRows files{*train};
  if (options.dev_n > 0) {
    dev_memory.emplace(LabelledTexts{options.dev_texts, options.dev_labels, options.dev_n},
                       "development texts");
    dev = dev_memory->reader(request.reads_pairs);
    files.dev = &*dev;
  }
  CallWatch watch(options);
  return fit(start_of(state, options, request.way), files, request, state.engine, watch);
}

}  // namespace
}  // namespace headlight

using namespace headlight;  // NOLINT(google-build-using-namespace): C has none

void hl_fit_options_defaults(hl_fit_options* options) {
  if (options == nullptr) return;
  *options = {};
  options->struct_size = sizeof(hl_fit_options);
  options->minutes = 2.0;
  options->dev_share = DataOptions().dev_share;
}

hl_status hl_fit(hl_engine* engine, const hl_text* texts, const char* const* labels, size_t n,
                 const hl_fit_options* options, const char* directory, char** report) {
  return guarded([&] {
    if (report != nullptr) *report = nullptr;
    const EngineState& state = usable(engine);
    if (state.engine.precision() != Precision::fp32) {
      throw ArgumentError("the precision of the engine is not fp32, in which models are trained");
    }
    hl_fit_options chosen{};
    hl_fit_options_defaults(&chosen);
    take_options(options, chosen);
    FitRequest request = request_of(state, chosen, directory);
    check_output(request);
    const TeamWork work(state.team, &state.stops);
    try {
      const Fit made = fit_rows(state, {texts, labels, n, chosen.weights}, chosen, request);
      if (report != nullptr) *report = c_string(fit_json(made));
    } catch (...) {
      remove_files_beside(request.place);
      throw;
    }
  });
}
