#include "options/attention_options.h"

#include <sstream>
#include <string_view>

#include "base/file.h"
#include "base/outer_blanks.h"
#include "base/utf8.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/number_list.h"
#include "options/options.h"

namespace headlight {
std::string formats_with(unsigned feature) {
  std::vector<std::string> names;
  for (const AttentionFormat& format : attention_formats()) {
    if ((format.features & feature) != 0) names.emplace_back(format.name);
  }
  return "--format " + alternatives(names);
}

void AttentionOptions::add_to(CLI::App& command) {
  constexpr std::uint64_t kMostDigits = 17;
  const std::string bare = "which measures all bare weights";
  const std::string whole = "which covers all layers and heads";
  const HelpGroup group(command, kResultGroup);
  const AddedOptions added(command);
  const auto list = [&](const char* name, std::string& value, const char* help) {
    rule(command.add_option(name, value, help)->check(not_empty())->option_text("LIST"))
        .excludes("--rollout", whole);
  };
  list("--layers", layers_, "Only these layers, counted from 0, such as 0,2-4");
  list("--heads", heads_, "Only these heads of each layer, counted from 0");
  rule(add_value(command, "--query TOKEN", query_,
                 "Only the rows of this token, or of the token at this position (7 or #7)")
           ->check(not_empty()))
      .needs(formats_with(kTakesQuery) + " or --steps")
      .excludes("--stats", bare);
  command.add_flag("--words", words_,
                   "Words instead of tokens: weights are summed over the keys of a word and "
                   "averaged over its queries; also for --stats");
  rule(choice(command.add_option("--weight",
                                 "Kind of attention weights; norm: each weight times the norm of "
                                 "its transformed value vector (Kobayashi et al. 2020)"),
              weight_, {{"bare", Weight::bare}, {"norm", Weight::norm}})
           ->option_text("KIND"),
       "norm")
      .needs(formats_with(kTakesNorms))
      .excludes("--stats", bare)
      .excludes("--rollout", whole);
  rule(command.add_flag("--rollout", rollout_,
                        "Attention rollout through all layers (Abnar and Zuidema 2020) instead of "
                        "single heads"))
      .needs(formats_with(kTakesRollout))
      .excludes("--stats", bare);
  rule(command.add_flag("--stats", look_.statistics,
                        "Statistics of each head (entropy, distance, attention to sinks, …), the "
                        "rollout, and the tokens' share in the pooled vector"))
      .needs(formats_with(kTakesStatistics));
  rule(add_value(command, "--digits N", look_.digits, "Round numbers to N decimals")
           ->check(whole_number(0, kMostDigits)))
      .needs(formats_with(kTakesDigits));
  rule(command.add_flag("--numbers", look_.numbers, "Show the numbers in the cells"))
      .needs(formats_with(kTakesNumbers))
      .excludes("--stats", bare);
  add_title(command, look_.title);
  rule(add_value(command, "--head-names FILE", head_names_,
                 "Names of heads in the picture (a line each: 1.3 negation; layer.head, a blank, "
                 "the name)")
           ->check(not_empty()))
      .needs("--format svg or --steps")
      .excludes("--rollout", whole);
  rule(choice(command.add_option("--scale",
                                 "The colours of a picture; zero: from 0 to the largest weight of "
                                 "all maps; max: each map from its smallest weight to its "
                                 "largest, for maps that are nearly uniform"),
              scale_, {{"zero", Scale::zero}, {"max", Scale::max}}))
      .needs("--format svg");
  rule(
      command.add_flag("--all", look_.all,
                       "An overview of all heads and queries, in place of those that fit a screen"))
      .needs("--format text")
      .excludes("--layers, --heads, --rollout or --stats");
  all_ = added.all();
}

void AttentionOptions::add_others_to(CLI::App& command) {
  const AddedOptions added(command);
  {
    const HelpGroup group(command, kOutputGroup);
    rule(mark(add_value(command, "--hidden FILE", hidden_,
                        "Also write the vectors after the embedding and each layer, as NPY")
                  ->check(output_name())
                  ->check(ends_like(OutputFormat::npy)),
              Effect::nothing))
        .excludes("--compare", "because it writes the vectors of one model");
  }
  const HelpGroup group(command, kResultGroup);
  rule(add_value(command, "--compare NAME|DIR|CONFIG.json", compared_,
                 "A second model beside the first")
           ->check(not_empty()))
      .needs("--format html, --activations or --difference");
  rule(add_value(command, "--ablate LIST", ablated_,
                 "Also show the text without these heads, such as 1.10,2.3 (layer.head)")
           ->check(not_empty()))
      .needs("--format text, json, npz or html")
      .excludes("--compare or --hidden");
  rule(add_value(command, "--head LAYER.HEAD", head_,
                 "The head of --steps (default: 0.0; in a picture, all of the layer)")
           ->check(not_empty()))
      .needs("--steps");
  const auto others = added.all();
  all_.insert(all_.end(), others.begin(), others.end());
}

std::string AttentionOptions::reason_for_one_text(const AttentionFormat& format,
                                                  std::size_t texts) const {
  const std::string name = std::string("--format ") + format.name;
  if (format.most_texts > 1 && texts > format.most_texts) {
    throw UsageError(name + " shows at most " + std::to_string(format.most_texts) +
                     " texts; json, npz and text show any number");
  }
  if (!hidden_.empty()) return "--hidden writes the vectors of one text";
  return format.most_texts > 1 ? "" : name + " shows one text; json, npz and text show several";
}

Part AttentionOptions::head(const Description& model) const {
  return parse_heads("--head", has_head() ? head_ : "0.0", model).front();
}

std::vector<Part> AttentionOptions::ablated_heads(const Description& model) const {
  return parse_heads("--ablate", ablated_, model);
}

Trace AttentionOptions::wanted() const {
  Trace trace;
  trace.wants_attention = true;
  trace.wants_values = weighted() || look_.statistics;
  trace.wants_label_attention = true;
  trace.wants_hidden = !hidden_.empty();
  return trace;
}

HeadNames AttentionOptions::head_names(const Description& model) const {
  HeadNames names;
  if (head_names_.empty()) return names;
  const MappedFile file(head_names_);
  std::istringstream lines{std::string(file.text())};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string place = head_names_ + ", line " + std::to_string(++number);
    const std::string_view given = without_outer_blanks(line);
    if (given.empty()) continue;
    const std::size_t end = given.find_first_of(" \t");
    if (end == std::string::npos) {
      throw UsageError(place + ": found \"" + shortened(given) +
                       "\", expected a head and its name, such as 1.3 negation");
    }
    const Part head = parse_heads(place, std::string(given.substr(0, end)), model).front();
    names[{head.layer, head.head}] = without_outer_blanks(given.substr(end));
  }
  return names;
}

AttentionLook AttentionOptions::look() const {
  AttentionLook look = look_;
  look.own_scales = scale_ == Scale::max;
  look.heads = !layers_.empty() || !heads_.empty();
  look.lists = has_query();
  return look;
}

AttentionChoice AttentionOptions::choose(const Description& model, const Encoding& encoding,
                                         const TextInput& input) const {
  AttentionChoice choice = whole_attention(model, encoding);
  if (!layers_.empty()) {
    choice.layers = parse_numbers("--layers", "layer", layers_, choice.layers.size());
  }
  if (!heads_.empty()) {
    choice.heads = parse_numbers("--heads", "head", heads_, choice.heads.size());
  }
  if (words_) choose_words(choice, encoding, input);
  choice.weighted = weighted();
  choice.rollout = rollout_;
  if (!has_query()) return choice;
  choice.queries = units_named(choice, encoding, input, query_);
  if (choice.queries.empty()) {
    constexpr std::size_t kMostListed = 50;
    std::vector<std::string> names;
    for (const TokenWord& unit : choice.units) names.push_back(unit.text);
    throw UsageError("--query: found \"" + shortened(query_) + "\", expected a position below " +
                     std::to_string(names.size()) + " or one of " + listed(names, kMostListed));
  }
  return choice;
}

}  // namespace headlight
