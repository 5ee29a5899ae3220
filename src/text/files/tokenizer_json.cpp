// tokenizer.json, the file of the `tokenizers` library, as a pipeline. The blocks `truncation`,
// `padding` and `decoder` are not read: a text is cut where the caller says, and never padded.
#include <utility>

#include "text/files/json_components.h"
#include "text/files/tokenizer_plan.h"
#include "text/pipeline/pipeline.h"

namespace headlight {

Tokenizer Tokenizer::from_plan(TokenizerPlan plan) {
  const Json nothing;
  Fields file(plan.json, plan.file);
  const auto component = [&](const std::string& name) {
    const Json* found = file.find(name);
    return Component{found == nullptr ? nothing : *found, plan.file, name};
  };
  auto pipeline = std::make_unique<Pipeline>();
  read_normalizer(component("normalizer"), pipeline->normalizer);
  read_splitter(component("pre_tokenizer"), pipeline->splitter);
  pipeline->model = std::move(plan.model);
  pipeline->added_tokens =
      std::make_unique<AddedTokens>(std::move(plan.added_tokens), pipeline->normalizer);
  pipeline->post_processor = read_post_processor(component("post_processor"));
  if (!plan.segments) pipeline->post_processor.forget_segments();
  pipeline->split_special_tokens = plan.split_special_tokens;
  pipeline->cuts_left = plan.cuts_left;
  return Tokenizer(std::move(pipeline));
}

TokenizerPlan plan_of_file(const std::string& path) {
  TokenizerPlan plan;
  plan.file = path;
  plan.json = read_json_file(path);
  Fields file(plan.json, path);
  const Json nothing;
  const Json* model = file.find("model");
  plan.model = read_model({model == nullptr ? nothing : *model, path, "model"});
  plan.added_tokens = read_added_tokens(file);
  number_added_tokens(plan.added_tokens, plan.model->vocabulary());
  return plan;
}

Tokenizer Tokenizer::from_file(const std::string& path) { return from_plan(plan_of_file(path)); }

}  // namespace headlight
