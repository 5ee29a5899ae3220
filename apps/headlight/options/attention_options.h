// Options that select what is shown of the inside of a model, and which attention.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "encoder/ablation.h"
#include "inside/attention_view.h"
#include "model/description.h"
#include "options/options.h"
#include "report/attention/attention_format.h"
#include "text/encoding.h"

namespace headlight {

/// "--format html or svg": the formats that show a feature, such as kTakesQuery.
std::string formats_with(unsigned feature);

/// --layers, --heads, --query, --words, --weight, --rollout, --stats, --digits, --numbers, --title,
/// --head-names, --scale, --all, --hidden, --compare, --head, --ablate
class AttentionOptions {
 public:
  /// Adds those for what is chosen of the weights.
  void add_to(CLI::App& command);
  /// Adds the others. Must be called after the output's.
  void add_others_to(CLI::App& command);
  /// All of them.
  const std::vector<CLI::Option*>& all() const { return all_; }
  /// Why only one text can be shown; empty: several can. Throws UsageError if these are too many.
  std::string reason_for_one_text(const AttentionFormat& format, std::size_t texts) const;

  bool words() const { return words_; }
  const std::string& hidden() const { return hidden_; }      // a file; empty: none, here and below
  const std::string& compared() const { return compared_; }  // a model
  const std::string& ablated() const { return ablated_; }    // heads, as typed

  /// The layer and the head of --head. Throws UsageError if there is no such head.
  Part head(const Description& model) const;

  bool has_head() const { return !head_.empty(); }
  bool has_layers() const { return !layers_.empty(); }

  /// The names of --head-names. Throws Error if the file cannot be read, and UsageError if a line
  /// names no head.
  HeadNames head_names(const Description& model) const;

  /// The heads of --ablate. Throws UsageError if there is no such head.
  std::vector<Part> ablated_heads(const Description& model) const;

  /// The parts of the trace that attention needs.
  Trace wanted() const;
  /// The fields that these options say.
  AttentionLook look() const;
  /// Throws UsageError if a layer, head or token does not exist.
  AttentionChoice choose(const Description& model, const Encoding& encoding,
                         const TextInput& input) const;

 private:
  enum class Weight : std::uint8_t { bare, norm };
  enum class Scale : std::uint8_t { zero, max };
  bool has_query() const { return !query_.empty(); }
  bool weighted() const { return weight_ == Weight::norm; }

  std::string layers_;
  std::string heads_;
  std::string query_;
  bool words_ = false;
  Weight weight_ = Weight::bare;
  bool rollout_ = false;
  AttentionLook look_;  // what --stats, --digits and --numbers say
  std::string hidden_;
  std::string compared_;
  std::string head_;  // empty: the first
  std::string head_names_;
  Scale scale_ = Scale::zero;
  std::string ablated_;
  std::vector<CLI::Option*> all_;
};

}  // namespace headlight
