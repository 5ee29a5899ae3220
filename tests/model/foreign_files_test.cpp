#include "model/foreign_files.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace headlight::foreign_files_test {
namespace {

ModelPlace place_of(const std::string& folder) {
  return {"m", folder, folder + "/config.json", "", folder};
}

TEST_CASE("of weights that are not read the one that can be imported best is named") {
  struct Row {
    std::vector<std::string> files;
    std::string line;  // after the folder
  };
  const std::string pickled = " is a PyTorch pickle file, expected safetensors or weights.json; ";
  const std::string nothing =
      ": has no weights: no model.safetensors, model.safetensors.index.json or weights.json";
  const Row rows[] = {
      {{}, nothing},
      {{"training_args.bin", "optimizer.pt", "rng_state_0.pth", "scheduler.pt"}, nothing},
      {{"vocab.txt", "merges.txt", "bin", "pt"}, nothing},
      {{"pytorch_model.bin", "tf_model.h5", "a.gguf"},
       "/pytorch_model.bin:" + pickled + "`scripts/import DIR` writes model.safetensors"},
      {{"pytorch_model.bin.index.json", "pytorch_model-00001-of-00002.bin"},
       "/pytorch_model.bin.index.json: is an index of PyTorch pickle files, expected "
       "safetensors or weights.json; `scripts/import DIR` writes model.safetensors"},
      {{"b.pt", "a.pt", "training_args.bin"},
       "/a.pt:" + pickled +
           "`scripts/import DIR/a.pt --map MAP.json -o DIR` converts a state dict to a model"},
      {{"best.ckpt"},
       "/best.ckpt:" + pickled +
           "`scripts/import DIR/best.ckpt --map MAP.json -o DIR` converts a state dict to a model"},
      {{"tf_model.h5"},
       "/tf_model.h5: is a TensorFlow file, expected safetensors or weights.json; save it as "
       "model.safetensors with save_pretrained() of transformers 4"},
      {{"flax_model.msgpack"},
       "/flax_model.msgpack: is a Flax file, expected safetensors or weights.json; save it as "
       "model.safetensors with save_pretrained() of transformers 4"},
      {{"model.onnx", "q8_0.gguf"},
       "/q8_0.gguf: is a GGUF file, expected safetensors or weights.json; use the original "
       "checkpoint with its model.safetensors"},
  };
  for (const auto& [files, line] : rows) {
    const TemporaryFolder folder;
    for (const auto& file : files) folder.write(file, "");
    std::string expected = folder.path() + line;
    const std::string hint = "import DIR";  // the DIR at the end of a command stays
    if (const auto at = expected.find(hint); at != std::string::npos) {
      expected.replace(at, hint.size(), "import " + folder.path());
    }
    CHECK(missing_weights(place_of(folder.path())).line() == expected);
  }
}

TEST_CASE("weights that are named are refused by their ending, where they exist") {
  const TemporaryFolder folder;
  for (const std::string name : {"x.bin", "x.pt", "x.onnx", "x.h5", "pytorch_model.bin"}) {
    CAPTURE(name);
    CHECK(error_of([&] { refuse_foreign_weights(folder / name); }).empty());
    folder.write(name, "");
    CHECK(error_of([&] {
            refuse_foreign_weights(folder / name);
          }).starts_with(folder / name + ": is "));
  }
  for (const std::string name : {"x.safetensors", "x.json", "x"}) {
    folder.write(name, "");
    CHECK(error_of([&] { refuse_foreign_weights(folder / name); }).empty());
  }
}

TEST_CASE("a SentencePiece model alone is named with what makes a tokenizer of it") {
  const TemporaryFolder folder;
  CHECK(missing_vocabulary(place_of(folder.path())).line() ==
        folder.path() + ": has no vocabulary; use --ids to read token ids instead");
  folder.write("spiece.model", "");
  CHECK(missing_vocabulary(place_of(folder.path())).line() ==
        folder / "spiece.model" +
            ": is a SentencePiece model, expected a tokenizer.json beside it; `scripts/import " +
            folder.path() + "` creates one, or use --ids to read token ids instead");
}

}  // namespace
}  // namespace headlight::foreign_files_test
