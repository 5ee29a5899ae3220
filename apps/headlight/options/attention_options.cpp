#include "options/attention_options.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/utf8.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/number_list.h"
#include "options/output_ending.h"

namespace headlight {
namespace {

/// Throws UsageError unless the format is one of `formats`.
void require_format(const std::string& option, const std::vector<OutputFormat>& formats,
                    OutputFormat found) {
  if (std::ranges::find(formats, found) != formats.end()) return;
  std::string names = name_of(formats.front());
  for (std::size_t i = 1; i < formats.size(); ++i) {
    names += (i + 1 < formats.size() ? ", " : " and ") + std::string(name_of(formats[i]));
  }
  throw UsageError(option + " supports the formats " + names + ", found " + name_of(found));
}

}  // namespace

void AttentionOptions::add_to(CLI::App& command) {
  constexpr std::uint64_t kMostDigits = 17;
  const HelpGroup group(command, kResultGroup);
  const auto list = [&](const char* name, std::string& value, const char* help) {
    command.add_option(name, value, help)->check(not_empty())->option_text("LIST");
  };
  list("--layers", layers_, "Only these layers, counted from 0, such as 0,2-4");
  list("--heads", heads_, "Only these heads of each layer, counted from 0");
  add_value(command, "--query TOKEN", query_,
            "Only the rows of this token, or of the token at this position (7 or #7)")
      ->check(not_empty());
  command.add_flag("--words", words_,
                   "Words instead of tokens: weights are summed over the keys of a word and "
                   "averaged over its queries; also for --stats");
  choice(command.add_option("--weight",
                            "Kind of attention weights; norm: each weight times the norm of its "
                            "transformed value vector (Kobayashi et al. 2020)"),
         weight_, {{"bare", Weight::bare}, {"norm", Weight::norm}})
      ->option_text("KIND");
  command.add_flag(
      "--rollout", rollout_,
      "Attention rollout through all layers (Abnar and Zuidema 2020) instead of single heads");
  command.add_flag("--stats", look_.statistics,
                   "Statistics of each head (entropy, distance, …), the rollout, and the tokens' "
                   "share in the pooled vector: text or json");
  add_value(command, "--digits N", look_.digits, "Round numbers to N decimals: text or json")
      ->check(whole_number(0, kMostDigits));
  command.add_flag("--numbers", look_.numbers, "Show the numbers in the cells: text or svg");
}

void AttentionOptions::add_views_to(CLI::App& command) {
  {
    const HelpGroup group(command, kOutputGroup);
    add_value(command, "--hidden FILE", hidden_,
              "Also write the vectors after the embedding and each layer, as NPY")
        ->check(not_empty())
        ->check(ends_like(OutputFormat::npy));
  }
  const HelpGroup group(command, kResultGroup);
  CLI::Option* hidden = command.get_option("--hidden");
  CLI::Option* activations =
      command.add_flag("--activations", activations_,
                       "Show the tokens' vectors after each layer instead: their norms, how far "
                       "the layer turned them, and their cosines; text, json or svg");
  activations->excludes(hidden)->option_text(" ");
  CLI::Option* compared =
      add_value(command, "--compare NAME|DIR|CONFIG.json", compared_,
                "A second model beside the first: on the page (html), or with --activations")
          ->check(not_empty());
  CLI::Option* verdicts = command.add_flag(
      "--verdicts", verdicts_,
      "Show what the classification head says of the vectors after each layer instead; text or "
      "json");
  verdicts->option_text(" ");
  CLI::Option* patch =
      add_value(command, "--patch TEXT", patch_,
                "Show instead how the logits change if one token, at one layer, has its vector "
                "from the run of TEXT, which must have as many tokens; text, json, svg or html")
          ->check(not_empty());
  verdicts->excludes(patch);
  for (CLI::Option* other : {activations, hidden}) {
    verdicts->excludes(other);
    patch->excludes(other);
  }
  add_value(command, "--worth FILE", worth_,
            "Show what each head is worth beside it: the JSON of evaluate --ablate heads; html")
      ->check(not_empty())
      ->excludes(compared);
}

std::vector<AttentionOptions::Asked> AttentionOptions::asked() const {
  return {{"--layers", !layers_.empty(), 0},
          {"--heads", !heads_.empty(), 0},
          {"--query", has_query(), kTakesQuery},
          {"--words", words_, 0},
          {"--weight norm", weighted(), kTakesNorms},
          {"--rollout", rollout_, kTakesRollout},
          {"--stats", look_.statistics, kTakesStatistics},
          {"--digits", look_.digits.has_value(), kTakesDigits},
          {"--numbers", look_.numbers, kTakesNumbers}};
}

InsideView AttentionOptions::view() const {
  if (activations_) return InsideView::activations;
  if (verdicts_) return InsideView::verdicts;
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
    default:
      return "";
  }
}

void AttentionOptions::check(OutputFormat format) const {
  if (!hidden_.empty()) refuse_terminal(hidden_, "npy");
  if (view() != InsideView::attention) return check_view(format);
  const AttentionFormat& shown = attention_format(name_of(format));
  if (!worth_.empty() && (shown.features & kTakesWorth) == 0) {
    throw UsageError(std::string("--worth cannot be combined with --format ") + shown.name);
  }
  if (!compared_.empty() && format != OutputFormat::html) {
    throw UsageError("--compare needs --format html, or --activations");
  }
  if (!compared_.empty() && !hidden_.empty()) {
    throw UsageError("--hidden writes the vectors of one model");
  }
  check_attention(shown);
}

void AttentionOptions::check_view(OutputFormat format) const {
  const std::string name = view_name();
  for (const Asked& option : asked()) {
    if (option.given) throw UsageError(option.name + (" cannot be combined with " + name));
  }
  if (!worth_.empty()) throw UsageError("--worth cannot be combined with " + name);
  if (view() == InsideView::activations) {
    return require_format(name, {OutputFormat::text, OutputFormat::json, OutputFormat::svg},
                          format);
  }
  if (!compared_.empty()) throw UsageError("--compare cannot be combined with " + name);
  std::vector<OutputFormat> formats = {OutputFormat::text, OutputFormat::json};
  if (view() == InsideView::patch) {
    formats.insert(formats.end(), {OutputFormat::svg, OutputFormat::html});
  }
  require_format(name, formats, format);
}

void AttentionOptions::check_attention(const AttentionFormat& format) const {
  const std::set<std::string_view> against_statistics = {"--query", "--weight norm", "--rollout",
                                                         "--numbers"};
  const std::set<std::string_view> against_rollout = {"--layers", "--heads", "--weight norm"};
  for (const auto& [name, given, feature] : asked()) {
    if (!given) continue;
    const std::string option = name;
    if ((feature & ~format.features) != 0) {
      throw UsageError(option + " cannot be combined with --format " + format.name);
    }
    if (look_.statistics && against_statistics.contains(option)) {
      throw UsageError(option +
                       " cannot be combined with --stats, which measures all bare weights");
    }
    if (rollout_ && against_rollout.contains(option)) {
      throw UsageError(option +
                       " cannot be combined with --rollout, which covers all layers and heads");
    }
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

Trace AttentionOptions::wanted() const {
  Trace trace;
  trace.wants_attention = true;
  trace.wants_values = weighted();
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
