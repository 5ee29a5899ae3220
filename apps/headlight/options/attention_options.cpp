#include "options/attention_options.h"

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
  const std::string others = "--activations, --verdicts, --patch or --steps";
  const std::string bare = "which measures all bare weights";
  const std::string whole = "which covers all layers and heads";
  const HelpGroup group(command, kResultGroup);
  const auto list = [&](const char* name, std::string& value, const char* help) {
    rule(command.add_option(name, value, help)->check(not_empty())->option_text("LIST"))
        .excludes("--rollout", whole)
        .excludes(others);
  };
  list("--layers", layers_, "Only these layers, counted from 0, such as 0,2-4");
  list("--heads", heads_, "Only these heads of each layer, counted from 0");
  rule(add_value(command, "--query TOKEN", query_,
                 "Only the rows of this token, or of the token at this position (7 or #7)")
           ->check(not_empty()))
      .needs(formats_with(kTakesQuery))
      .excludes("--stats", bare)
      .excludes("--activations, --verdicts or --patch");
  rule(command.add_flag("--words", words_,
                        "Words instead of tokens: weights are summed over the keys of a word and "
                        "averaged over its queries; also for --stats"))
      .excludes(others);
  rule(choice(command.add_option("--weight",
                                 "Kind of attention weights; norm: each weight times the norm of "
                                 "its transformed value vector (Kobayashi et al. 2020)"),
              weight_, {{"bare", Weight::bare}, {"norm", Weight::norm}})
           ->option_text("KIND"),
       "norm")
      .needs(formats_with(kTakesNorms))
      .excludes("--stats", bare)
      .excludes("--rollout", whole)
      .excludes(others);
  rule(command.add_flag("--rollout", rollout_,
                        "Attention rollout through all layers (Abnar and Zuidema 2020) instead of "
                        "single heads"))
      .needs(formats_with(kTakesRollout))
      .excludes("--stats", bare)
      .excludes(others);
  rule(command.add_flag("--stats", look_.statistics,
                        "Statistics of each head (entropy, distance, attention to sinks, …), the "
                        "rollout, and the tokens' share in the pooled vector"))
      .needs(formats_with(kTakesStatistics))
      .excludes(others);
  rule(add_value(command, "--digits N", look_.digits, "Round numbers to N decimals")
           ->check(whole_number(0, kMostDigits)))
      .needs(formats_with(kTakesDigits))
      .excludes(others);
  rule(command.add_flag("--numbers", look_.numbers, "Show the numbers in the cells"))
      .needs(formats_with(kTakesNumbers))
      .excludes("--stats", bare)
      .excludes(others);
}

void AttentionOptions::add_views_to(CLI::App& command) {
  {
    const HelpGroup group(command, kOutputGroup);
    rule(mark(add_value(command, "--hidden FILE", hidden_,
                        "Also write the vectors after the embedding and each layer, as NPY")
                  ->check(not_empty())
                  ->check(ends_like(OutputFormat::npy)),
              Effect::nothing))
        .excludes("--compare", "because it writes the vectors of one model");
  }
  const HelpGroup group(command, kResultGroup);
  rule(command.add_flag("--activations", activations_,
                        "Show the tokens' vectors after each layer instead: their norms, how far "
                        "the layer turned them, and their cosines"))
      .needs("--format text, json or svg")
      .excludes("--hidden");
  rule(add_value(command, "--compare NAME|DIR|CONFIG.json", compared_,
                 "A second model beside the first")
           ->check(not_empty()))
      .excludes("--verdicts or --patch")
      .needs("--format html, --activations or --difference");
  rule(command.add_flag("--verdicts", verdicts_,
                        "Show what the classification head says of the vectors after each layer "
                        "instead"))
      .needs("--format text or json")
      .excludes("--patch, --activations or --hidden");
  rule(add_value(command, "--patch TEXT", patch_,
                 "Show instead how the logits change if one token, at one layer, has its vector "
                 "from the run of TEXT, which must have as many tokens")
           ->check(not_empty()))
      .needs("--format text, json, svg or html")
      .excludes("--activations or --hidden");
  rule(command.add_flag("--steps", steps_,
                        "Show instead how one head computes what --query (default: the first "
                        "token) attends to: q, k, scores, "
                        "weights, and the sum of the values"))
      .needs("--format text or json")
      .excludes("--verdicts, --patch, --activations, --compare or --hidden");
  rule(add_value(command, "--head LAYER.HEAD", head_, "The head of --steps (default: 0.0)")
           ->check(not_empty()))
      .needs("--steps");
  rule(add_value(command, "--worth FILE", worth_,
                 "Show what each head is worth beside it: the JSON of evaluate --ablate heads")
           ->check(not_empty()))
      .needs("--format html")
      .excludes("--compare, --activations, --verdicts, --patch or --steps");
  rule(command.add_flag("--difference", look_.difference,
                        "The second text less the first, or the model of --compare less the other, "
                        "token by token: blue is more, orange less"))
      .needs("--format svg or html")
      .excludes("--words, --rollout, --weight norm or --hidden")
      .excludes("--activations, --verdicts, --patch or --steps");
  add_ablation_to(command);
}

void AttentionOptions::add_ablation_to(CLI::App& command) {
  rule(add_value(command, "--ablate LIST", ablated_,
                 "Also show the text without these heads, such as 1.10,2.3 (layer.head)")
           ->check(not_empty()))
      .needs("--format text, json, npz or html")
      .excludes("--compare, --activations, --verdicts, --patch, --steps, --worth or --hidden");
}

InsideView AttentionOptions::view() const {
  if (activations_) return InsideView::activations;
  if (verdicts_) return InsideView::verdicts;
  if (steps_) return InsideView::steps;
  return patch_.empty() ? InsideView::attention : InsideView::patch;
}

std::string AttentionOptions::view_name() const {
  switch (view()) {
    case InsideView::activations:
      return "--activations";
    case InsideView::verdicts:
      return "--verdicts";
    case InsideView::patch:
      return "--patch";
    case InsideView::steps:
      return "--steps";
    default:
      return "";
  }
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
  return parse_heads("--head", head_, model).front();
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

AttentionLook AttentionOptions::look() const {
  AttentionLook look = look_;
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
