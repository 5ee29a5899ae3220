#include "commands/start_cutting.h"

#include "base/utf8.h"
#include "options/number_list.h"
#include "report/formats/plain_text.h"

namespace headlight {

void StartCutting::cut(const std::vector<const TextInput*>& train, Model& model) {
  if (!options_.keep_layers.empty()) {
    const std::size_t before = model.description.layers.size();
    keep_layers(parse_numbers("--keep-layers", "layer", options_.keep_layers, before), model);
    console_.note("kept " + std::to_string(model.description.layers.size()) + " of " +
                  counted(before, "layer") + " of the start");
  }
  if (options_.vocabulary_size) {
    const VocabularyCut::Kept kept = vocabulary_.cut(*options_.vocabulary_size, train, model);
    console_.note("kept " + std::to_string(kept.tokens) + " of " + counted(kept.before, "token") +
                  " of the start, which are " + formatted("%.1f", 100.0 * kept.share) +
                  " % of the tokens of the rows");
  }
  if (options_.feed_forward_size) {
    const FeedForwardCut::Kept kept = feed_forward_.cut(*options_.feed_forward_size, train, model);
    console_.note("kept " + std::to_string(kept.neurons) + " of " + counted(kept.before, "neuron") +
                  " of each feed-forward of the start, which explain at least " +
                  formatted("%.1f", 100.0 * kept.share) + " % of what it gives");
  }
}

std::string StartCutting::changes() const {
  return options_.keep_layers + '\n' + std::to_string(options_.vocabulary_size.value_or(0)) + '\n' +
         std::to_string(options_.feed_forward_size.value_or(0));
}

}  // namespace headlight
