#include "inside/attention_steps.h"

#include "base/error.h"
#include "commands/attention.h"
#include "commands/command.h"
#include "report/attention/steps_report.h"
#include "report/formats/documents.h"

namespace headlight {

int show_steps(const AttentionCommand& command) {
  const Model model = command.start(Workload::few).model;
  const Classifier classifier(model, command.text.classifier_options());
  const TextInput input = command.single_text();
  const Part head = command.options.head(model.description);
  Trace wanted;
  wanted.wants_attention = wanted.wants_values = wanted.wants_queries_and_keys = true;
  TracedText text = read_text(classifier, input);
  Scratch scratch;
  text.prediction = classifier.classify_traced(text.encoding, scratch, wanted);
  if (!text.prediction.error.empty()) throw TextError(text.prediction.error);
  const std::size_t query =
      command.options.choose(model.description, text.encoding, input).queries.front();
  const HeadSteps steps =
      head_steps(model, wanted.texts.front(), text.encoding.size(), head.layer, head.head, query);
  const auto write = [&](JsonWriter& json) { write_steps(json, text, steps); };
  command.write(command.output.format() == OutputFormat::text
                    ? steps_text(text, steps)
                    : json_document(command.output.ascii(), write));
  return kSuccess;
}

}  // namespace headlight
