// The fuzz targets: each reads bytes that a stranger may have written. A target returns if it
// refuses them with an Error, and throws, crashes or hangs if something is wrong.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/error.h"
#include "fuzz/mutate.h"

namespace headlight::fuzz {

using Run = void (*)(std::string_view data);

void run_safetensors(std::string_view data);  // the bytes of a file
void run_fasttext(std::string_view data);     // a text, NUL, the bytes of a model of fastText
void run_sparse(std::string_view data);     // a text, a config.json, model.safetensors: NUL between
void run_tokenizer(std::string_view data);  // tokenizer.json, NUL, a text, and NUL and its pair
void run_vocabulary(std::string_view data);  // the bytes of a tokenizer.json
void run_folder(std::string_view data);      // files of a tokenizer, and a file "text"
void run_model(std::string_view data);       // files of a model, and what is typed: see the target
void run_rows(std::string_view data);        // a byte for the reading, then the bytes of a file
void run_compressed(std::string_view data);  // 'g' or 'z', then the bytes of a file
void run_scoring(std::string_view data);     // a byte for the reading, then the bytes of a file
void run_words(std::string_view data);       // a stream of words
void run_partial(std::string_view data);     // 'j', 'c', 'g', 'z' or 'v': rows of a stopped run
void run_manifest(std::string_view data);    // what a stopped run noted beside its rows
void run_outputs(std::string_view data);     // system calls that fail, then files: see the target
void run_unicode(std::string_view data);     // a text
void run_pattern(std::string_view data);     // a pattern, NUL, a text
void run_config(std::string_view data);      // a config.json
void run_side_file(std::string_view data);   // 'w' or 'c', then weights.json or calibration.json
void run_typed_ids(std::string_view data);   // ids, and NUL and type ids
void run_names(std::string_view data);       // a typed name, then NUL and a known one for each

void run_library(std::string_view data);  // calls of the C interface with their arguments

// Two ways to the same result.
void run_products(std::string_view data);  // see the target
void run_stream(std::string_view data);    // a byte for the lengths, then ids
void run_written(std::string_view data);   // what is written and read again

struct Target {
  const char* name;
  Run run;
  Structure structure;
};

inline constexpr std::array<Target, 24> kTargets = {
    {{"safetensors", run_safetensors, Structure::safetensors},
     {"fasttext", run_fasttext, Structure::bytes},
     {"sparse", run_sparse, Structure::bytes},
     {"tokenizer", run_tokenizer, Structure::json_and_text},
     {"vocabulary", run_vocabulary, Structure::json},
     {"folder", run_folder, Structure::folder},
     {"model", run_model, Structure::folder},
     {"rows", run_rows, Structure::byte_and_json},
     {"scoring", run_scoring, Structure::byte_and_json},
     {"words", run_words, Structure::bytes},
     {"compressed", run_compressed, Structure::bytes},
     {"partial", run_partial, Structure::bytes},
     {"manifest", run_manifest, Structure::json},
     {"outputs", run_outputs, Structure::bytes},
     {"unicode", run_unicode, Structure::bytes},
     {"pattern", run_pattern, Structure::bytes},
     {"config", run_config, Structure::json},
     {"side_file", run_side_file, Structure::byte_and_json},
     {"typed_ids", run_typed_ids, Structure::bytes},
     {"names", run_names, Structure::bytes},
     {"library", run_library, Structure::bytes},
     {"products", run_products, Structure::bytes},
     {"stream", run_stream, Structure::bytes},
     {"written", run_written, Structure::bytes}}};

/// Removes the bytes before the first NUL, and the NUL, from the front of `data`.
inline std::string_view take_part(std::string_view& data) {
  const std::string_view part = data.substr(0, data.find('\0'));
  data.remove_prefix(std::min(data.size(), part.size() + 1));
  return part;
}

/// Thrown if a result is wrong.
inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

/// Whether `action` throws Error.
inline bool is_refused(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error&) {
    return true;
  }
  return false;
}

}  // namespace headlight::fuzz
