// Options that select which attention of a text is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "inside/attention_view.h"
#include "model/description.h"
#include "report/attention/attention_format.h"
#include "text/encoding.h"

namespace headlight {

/// "--format html or svg": the formats that show a feature, such as kTakesQuery.
std::string formats_with(unsigned feature);

/// --layers, --heads, --query, --words, --weight, --rollout, --stats, --digits, --numbers
class AttentionOptions {
 public:
  void add_to(CLI::App& command);
  /// Throws UsageError if a layer, head or token does not exist.
  AttentionChoice choose(const Description& model, const Encoding& encoding,
                         const TextInput& input) const;

  bool selects_heads() const { return !layers_.empty() || !heads_.empty(); }
  bool has_query() const { return !query_.empty(); }
  bool weighted() const { return weight_ == Weight::norm; }
  bool rollout() const { return rollout_; }
  bool statistics() const { return statistics_; }
  bool numbers() const { return numbers_; }
  std::optional<unsigned> digits() const { return digits_; }

 private:
  enum class Weight : std::uint8_t { bare, norm };

  std::string layers_;
  std::string heads_;
  std::string query_;
  bool words_ = false;
  Weight weight_ = Weight::bare;
  bool rollout_ = false;
  bool statistics_ = false;
  std::optional<unsigned> digits_;
  bool numbers_ = false;
};

}  // namespace headlight
