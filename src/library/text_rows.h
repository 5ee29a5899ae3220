// The texts of a call, scored on the threads of the engine, with their rows in the caller's memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "library/calls.h"
#include "library/handles.h"
#include "library/options.h"

namespace headlight {

/// Texts, and where their rows go.
struct TextRows {
  TextRows(const hl_text* texts, std::size_t n, hl_row* to);
  /// A column. Throws ArgumentError if it is none of texts.
  TextRows(const ArrowSchema* schema, const ArrowArray* texts, hl_row* to);

  std::size_t count;
  std::function<std::optional<TextInput>(std::size_t row)> input;  // empty: a null
  hl_row* rows;                                                    // nullptr: not wanted
  std::uint32_t* unknown = nullptr;                                // as rows
};

/// Why a null cannot be scored.
inline constexpr const char* kMissingText = "the text is missing";

/// `score` gives results of texts that follow each other, `write` puts the numbers of one result.
template <typename Score, typename Write>
void score_texts(const hl_model& model, const TextRows& all, const Score& score,
                 const Write& write) {
  constexpr std::size_t kTextsAtOnce = 64;
  const TeamWork work(model.engine->team, &model.engine->stops);
  const std::size_t threads = sharing_threads();
  const std::size_t size =
      std::clamp<std::size_t>((all.count + threads - 1) / threads, 1, kTextsAtOnce);
  const std::uint64_t call = model.scratches.new_call();
  const auto score_some = [&](std::size_t part) {
    const std::size_t first = part * size;
    const std::size_t count = std::min(size, all.count - first);
    std::vector<TextInput> inputs;
    std::vector<std::size_t> read;  // their rows
    for (std::size_t i = first; i < first + count; ++i) {
      auto input = all.input(i);
      if (!input) continue;
      inputs.push_back(std::move(*input));
      read.push_back(i);
    }
    auto scratch = model.scratches.take(call);
    auto results = score(std::span<const TextInput>(inputs), *scratch);
    model.scratches.give_back(call, std::move(scratch));
    typename decltype(results)::value_type missing;
    missing.error = kMissingText;
    std::size_t next = 0;
    for (std::size_t i = first; i < first + count; ++i) {
      const bool is_next = next < results.size() && read[next] == i;
      const auto& result = is_next ? results[next++] : missing;
      write(i, result);
      if (all.unknown != nullptr) all.unknown[i] = static_cast<std::uint32_t>(result.unknown);
      if (all.rows == nullptr) continue;
      all.rows[i] = {result.error.empty() ? HL_OK : HL_BAD_TEXT,
                     static_cast<std::uint32_t>(result.tokens),
                     static_cast<std::uint32_t>(result.truncated)};
    }
  };
  share_work((all.count + size - 1) / size, score_some);
}

/// Row `row` of [n, width]; NaN if there are no numbers.
void put_row(std::span<const float> numbers, std::size_t width, std::size_t row, float* out);

}  // namespace headlight
