// A model that is broken in one way of each kind: the program says so in one line, in little
// memory. tests/model/broken_*_test.cpp have all ways.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "cli/refusal.h"
#include "model/model_files.h"

namespace headlight::broken_model_test {
namespace {

constexpr int kUnusable = 1;

struct ModelCase {
  std::string name;
  void (*break_model)(Folder& folder);
  std::string reason;
};

void set_field(Folder& folder, const char* name, const OrderedJson& value) {
  edit_config(folder, [&](OrderedJson& config) { config[name] = value; });
}

void add_tensor(Folder& folder, const std::string& name) {
  std::vector<Tensor> tensors = toy_tensors();
  tensors.push_back(float_tensor(name, {0}, {}));
  folder["model.safetensors"] = safetensors(tensors);
}

const std::vector<ModelCase> kModels = {
    {"a field", [](Folder& f) { set_field(f, "hidden_size", "four"); },
     "toy/config.json: hidden_size: found \"four\""},
    {"a size that no machine holds", [](Folder& f) { set_field(f, "hidden_size", 2147483646); },
     "found shape [6, 4], expected [6, 2147483646]"},
    {"a field that it does not have", [](Folder& f) { set_field(f, "hidden_sise", 4); },
     "hidden_sise: unknown field|did you mean hidden_size?"},
    {"a field's name of control characters", [](Folder& f) { set_field(f, "\x1B[2J", 4); },
     "\\x1b[2J: unknown field"},
    {"a value of 100 KB", [](Folder& f) { set_field(f, "pooling", std::string(100'000, 'n')); },
     "pooling: found \"nnn"},
    {"a config that is no JSON", [](Folder& f) { f["config.json"] = "model_type: headlight"; },
     "toy/config.json: |JSON"},
    {"a config of a hundred thousand lists in each other",
     [](Folder& f) { f["config.json"] = std::string(100'000, '['); }, "toy/config.json: nested"},
    {"no words", [](Folder& f) { edit_config(f, [](auto& config) { config.erase("tokenizer"); }); },
     "toy: has no vocabulary"},
    {"a vocabulary", [](Folder& f) { f["vocab.txt"] = "good\n\xFF\n"; },
     "toy/vocab.txt: not valid UTF-8 at byte 5"},
    {"a tokenizer", [](Folder& f) { f["tokenizer.json"] = R"({"model": {"type": "Magic"}})"; },
     "toy/tokenizer.json: |Magic"},
    {"weights that are cut",
     [](Folder& f) { f["model.safetensors"].resize(f["model.safetensors"].size() - 1); },
     "tensor classifier.bias: data_offsets [448, 456] exceeds the file"},
    {"weights of no bytes", [](Folder& f) { f["model.safetensors"] = ""; },
     "toy/model.safetensors: found 0 bytes"},
    {"a tensor too many", [](Folder& f) { add_tensor(f, "extra"); },
     "tensor extra|does not use it"},
    {"a tensor's name of 100 KB", [](Folder& f) { add_tensor(f, std::string(100'000, 'n')); },
     "tensor nnn|does not use it"},
    {"weights.json",
     [](Folder& f) {
       f.erase("model.safetensors");
       f["weights.json"] = "[]";
     },
     "toy/weights.json: found a list of 0"},
    {"an index of shards",
     [](Folder& f) {
       f.erase("model.safetensors");
       f["model.safetensors.index.json"] = "{}";
     },
     "index.json: |weight_map"},
};

TEST_CASE("a model that is broken is one line, whatever is broken in it") {
  for (const ModelCase& broken : kModels) {
    INFO("case: " << broken.name);
    const TemporaryFolder directory;
    Folder files = toy_folder();
    broken.break_model(files);
    directory.write_folder("toy", files);
    Command command;
    command.directory = directory.path();
    command.arguments = {"classify", "-m", "toy", "good"};
    check_refusal(run(command), kUnusable, broken.reason);
  }
}

}  // namespace
}  // namespace headlight::broken_model_test
