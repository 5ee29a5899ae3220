#include "options/ablation_options.h"

#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "rows/row_scorer.h"
#include "rows/row_spool.h"
#include "rows/scoring.h"

namespace headlight {
namespace {

/// Keeps rows and adds up the outputs of the heads.
class KeepingSink : public RowSink {
 public:
  void write(const ScoredRow& scored) override {
    rows.add(scored.row);
    means.add(scored);
  }
  void flush() override {}

  RowSpool rows;
  HeadMeans means;
};

/// Passes rows on and shows how many of `all` there are.
class CountingSink : public RowSink {
 public:
  CountingSink(RowSink& sink, Progress& progress, std::size_t all)
      : sink_(sink), progress_(progress), all_(all) {}
  void write(const ScoredRow& scored) override {
    sink_.write(scored);
    ++done_;
    progress_.update({done_, static_cast<double>(done_) / static_cast<double>(all_), 0});
  }
  void flush() override { sink_.flush(); }

 private:
  RowSink& sink_;
  Progress& progress_;
  std::size_t all_;
  std::size_t done_ = 0;
};

}  // namespace

void AblationOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  CLI::Option* ablate =
      choice(command.add_option("--ablate",
                                "Take out each head, layer or feed-forward in turn: how the "
                                "measures change, with intervals"),
             kind_, kPartsWords)
          ->option_text("PARTS");
  rule(ablate)
      .excludes("--zero-shot, --attention-stats or --compare")
      .excludes("--long window", "which averages only logits")
      .needs(kLabelsTexts);
  CLI::Option* with =
      choice(command.add_option("--ablate-with",
                                "What replaces the output of a head: zeros, or its mean over the "
                                "file"),
             with_, {{"zero", With::zero}, {"mean", With::mean}})
          ->option_text("VALUE");
  rule(with).needs("--ablate");
  rule(with, "mean").needs("--ablate heads");
}

std::optional<AblationSums> AblationOptions::sums(const Model& model,
                                                  const LabelSet& labels) const {
  if (!wanted()) return std::nullopt;
  const std::vector<Part> parts = parts_of(model.description, *kind_);
  if (parts.empty()) {
    throw Error(model.place.path,
                std::string("has no ") + word_for(*kind_, kPartsWords) + " to take out");
  }
  return AblationSums(labels, parts, with_ == With::mean);
}

void AblationOptions::score(const Run& run) const {
  if (with_ == With::mean) return score_with_means(run);
  std::vector<PartAway> parts;
  for (const Part& part : parts_of(run.classifier.model().description, *kind_)) {
    parts.push_back({part});
  }
  const AblatedClassifier ablated(run.classifier, std::move(parts));
  score_rows(AblatingScorer(ablated), run.threads, run.rows, run.sink);
}

void AblationOptions::score_with_means(const Run& run) const {
  KeepingSink kept;
  const HeadOutputSummarizer summarizer;
  score_rows(TracingScorer(run.classifier, summarizer), run.threads, run.rows, kept);
  if (caught_signal() != 0) return;
  const AblatedClassifier ablated(run.classifier,
                                  kept.means.heads(run.classifier.model().description));
  CountingSink sink(run.bare, run.progress, kept.rows.size());
  score_rows(AblatingScorer(ablated), run.threads, kept.rows, sink);
}

}  // namespace headlight
