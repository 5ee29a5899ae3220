// The fuzz targets: each reads bytes that a stranger may have written. A target returns if it
// refuses them with an Error, and throws, crashes or hangs if something is wrong.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headlight::fuzz {

using Run = void (*)(std::string_view data);

void run_safetensors(std::string_view data);  // the bytes of a file
void run_tokenizer(std::string_view data);    // tokenizer.json, NUL, a text, and NUL and its pair
void run_rows(std::string_view data);         // a byte for the reading, then the bytes of a file
void run_compressed(std::string_view data);   // 'g' or 'z', then the bytes of a file
void run_partial(std::string_view data);  // 'j', 'c', 'g' or 'z', then the rows of a stopped run
void run_unicode(std::string_view data);  // a text
void run_pattern(std::string_view data);  // a pattern, NUL, a text
void run_config(std::string_view data);   // a config.json

struct Target {
  const char* name;
  Run run;
};

inline constexpr std::array<Target, 8> kTargets = {{{"safetensors", run_safetensors},
                                                    {"tokenizer", run_tokenizer},
                                                    {"rows", run_rows},
                                                    {"compressed", run_compressed},
                                                    {"partial", run_partial},
                                                    {"unicode", run_unicode},
                                                    {"pattern", run_pattern},
                                                    {"config", run_config}}};

/// Thrown if a result is wrong.
inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace headlight::fuzz
