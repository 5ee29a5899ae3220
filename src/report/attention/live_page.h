// The page of attention with models in it instead of weights: whoever opens the file types a text,
// and the library, as WebAssembly, computes its attention and the effects of its words there.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "classifier/text_classifier.h"
#include "report/attention/attention_page.h"

namespace headlight {

/// What the page shows when it is opened.
struct LiveStart {
  TextInput text = {};
  std::string explained_by = {};  // the method of the words' effects; empty: attention is shown
  bool merged = false;            // attention between words instead of tokens
};

/// A model of the page.
struct LiveModel {
  std::string name;
  std::map<std::string, std::string> files = {};  // name → content (model/copied_files.h)
  std::size_t weights = 0;                        // how many it has
  std::size_t linear_weights = 0;                 // of these, in linear layers
  std::vector<LayerDescription> layers = {};
};

class LivePage {
 public:
  /// `script` and `wasm`: the files of the module, which are compressed (gzip).
  LivePage(LiveStart start, std::string_view script, std::string_view wasm);

  /// Adds a side; at most AttentionPage::kSides. Throws Error if a file is too large for a browser.
  void add(const LiveModel& model);

  /// Of the file.
  std::size_t bytes() const;
  /// An estimate of the memory that a browser needs for the page.
  std::size_t browser_bytes() const { return bytes() + memory_; }
  void write(const WritePiece& write) const;

 private:
  void embed(const std::string& attributes, std::string_view gzip);

  LiveStart start_;
  std::vector<std::string> models_;  // their names
  std::string data_;                 // one script element after another
  std::size_t memory_ = 0;           // of all sides
};

}  // namespace headlight
