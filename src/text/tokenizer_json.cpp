// tokenizer.json, the file of the `tokenizers` library, as a pipeline. The blocks `truncation`,
// `padding` and `decoder` are not read: a text is cut where the caller says, and never padded.
#include <utility>

#include "text/json_components.h"
#include "text/pipeline.h"

namespace headlight {

Tokenizer Tokenizer::from_file(const std::string& path) {
  const Json json = read_json_file(path);
  const Json nothing;
  Fields file(json, path);
  const auto component = [&](const std::string& name) {
    const Json* found = file.find(name);
    return Component{found == nullptr ? nothing : *found, path, name};
  };
  auto pipeline = std::make_unique<Pipeline>();
  read_normalizer(component("normalizer"), pipeline->normalizer);
  read_splitter(component("pre_tokenizer"), pipeline->splitter);
  pipeline->model = read_model(component("model"));
  pipeline->added_tokens = std::make_unique<AddedTokens>(
      read_added_tokens(file, pipeline->model->vocabulary()), pipeline->normalizer);
  pipeline->post_processor = read_post_processor(component("post_processor"));
  return Tokenizer(std::move(pipeline));
}

}  // namespace headlight
