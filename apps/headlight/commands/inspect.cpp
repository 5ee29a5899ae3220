// headlight inspect: describes a model, and draws its position vectors and its attention mask.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "commands/command.h"
#include "encoder/position_vectors.h"
#include "help/next_step.h"
#include "options/help_group.h"
#include "options/number_list.h"
#include "options/options.h"
#include "report/formats/html.h"
#include "report/formats/npy.h"
#include "report/formats/svg.h"
#include "report/models/model_report.h"
#include "report/models/position_picture.h"

namespace headlight {
namespace {

constexpr std::size_t kDefaultLength = 64;
constexpr std::uint64_t kMostPositions = 4096;

struct Inspect {
  Console console;
  ModelOptions model;
  OutputOptions output;
  bool positions = false;
  bool mask = false;
  std::optional<std::size_t> length;
  std::string dimensions;

  int run() const {
    const Model loaded = model.load(console, true);
    const std::string document = positions || mask ? drawn(loaded) : described(loaded);
    Result result(output);
    result.output().write(document);
    result.finish();
    say_page(console, output);
    return kSuccess;
  }

  std::string described(const Model& loaded) const {
    if (output.format() == OutputFormat::text) return model_text(loaded);
    std::string document;
    JsonWriter json(document, output.ascii());
    write_model(json, loaded);
    return document + '\n';
  }

  std::string drawn(const Model& loaded) const {
    const std::size_t most = loaded.description.max_positions;
    const std::size_t n = length.value_or(std::min(most, kDefaultLength));
    if (n > most) {
      throw UsageError("--length " + std::to_string(n) + " is more than the model's " +
                       std::to_string(most) + " positions");
    }
    return positions ? drawn_positions(loaded, n) : drawn_mask(loaded, n);
  }

  std::string drawn_positions(const Model& loaded, std::size_t n) const {
    const EmbeddingDescription& embedding = loaded.description.embedding;
    if (embedding.positions == PositionKind::none) {
      throw Error(loaded.place.path, "has no positions: position_embedding_type is none");
    }
    if (embedding.positions == PositionKind::rotary) {
      throw Error(loaded.place.path,
                  "has no position vectors: rotary positions turn queries and keys");
    }
    const std::size_t e = embedding.size;
    const auto vectors = position_vectors(loaded.description, loaded.weights.embeddings, n);
    if (output.format() == OutputFormat::npy) return npy_array(std::array{n, e}, vectors);
    const bool learned = embedding.positions == PositionKind::absolute;
    return document(loaded, learned ? "Learned positions" : "Sinusoidal positions",
                    draw_positions(vectors, e, chosen(e)));
  }

  std::string drawn_mask(const Model& loaded, std::size_t n) const {
    const auto& layers = loaded.description.layers;
    if (layers.empty()) throw Error(loaded.place.path, "has no layers and therefore no mask");
    // Layers differ only in their windows: the first layer with a window shows more than others.
    const auto shown = std::find_if(layers.begin(), layers.end(), [](const LayerDescription& own) {
      return own.heads.window.has_value();
    });
    const HeadsDescription& heads = (shown == layers.end() ? layers.front() : *shown).heads;
    const auto matrix = mask_matrix(heads, n);
    if (output.format() == OutputFormat::npy) return npy_array(std::array{n, n}, matrix);
    std::string name = heads.mask == AttentionMask::causal ? "Causal" : "Bidirectional";
    if (heads.window) name += " local (layer " + std::to_string(shown - layers.begin()) + ")";
    return document(loaded, name + " mask", draw_mask(matrix, n, name));
  }

  /// --dimensions, or a few of decreasing frequency.
  std::vector<std::size_t> chosen(std::size_t e) const {
    if (!dimensions.empty()) return parse_numbers("--dimensions", "dimension", dimensions, e);
    std::vector<std::size_t> few;
    for (const std::size_t dimension : {std::size_t{0}, e / 8, e / 4, e / 2}) {
      if (dimension < e && (few.empty() || few.back() != dimension)) few.push_back(dimension);
    }
    return few;
  }

  std::string document(const Model& loaded, const std::string& what, const Drawing& drawing) const {
    const std::string title = what + " of " + loaded.place.name;
    const std::string label = html_text(title);
    if (output.format() == OutputFormat::svg) {
      return svg_document(drawing.width, drawing.height, label, drawing.content);
    }
    return html_page(title, html_picture(drawing.width, drawing.height, label, drawing.content));
  }
};

}  // namespace

void add_inspect(CLI::App& app, Runner& runner) {
  CLI::App* command =
      app.add_subcommand("inspect", "Describe a model and list contradictions between its files");
  const auto inspect = std::make_shared<Inspect>();
  inspect->model.add_to(*command);
  const HelpGroup group(*command, kResultGroup);
  const std::string pictures = "--format svg, html or npy";
  rule(command->add_flag("--positions", inspect->positions, "Draw the position vectors"))
      .needs(pictures, "or -o with such an ending")
      .excludes("--mask");
  rule(command->add_flag("--mask", inspect->mask, "Draw the attention mask"))
      .needs(pictures, "or -o with such an ending");
  rule(add_value(*command, "--length N", inspect->length,
                 "Draw N positions (default: 64, or all if fewer)")
           ->check(whole_number(1, kMostPositions)))
      .needs("--positions or --mask");
  rule(add_value(*command, "--dimensions LIST", inspect->dimensions,
                 "The dimensions to draw as curves")
           ->check(not_empty()))
      .needs("--positions");
  inspect->output.add_to(*command, {OutputFormat::text, OutputFormat::json, OutputFormat::svg,
                                    OutputFormat::html, OutputFormat::npy});
  rule(command->get_option("--format"), "svg, html or npy").needs("--positions or --mask");
  inspect->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight inspect\n"
      "  headlight inspect -m path/to/model --format json\n"
      "  headlight inspect --positions --dimensions 0-3,100 -o positions.svg");
  command->callback([inspect, &runner] { runner = [inspect] { return inspect->run(); }; });
}

}  // namespace headlight
