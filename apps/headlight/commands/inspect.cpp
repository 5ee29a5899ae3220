// headlight inspect: describes a model, and draws its position vectors and its attention mask.

#include <algorithm>
#include <memory>
#include <optional>

#include "base/file_guard.h"
#include "commands/command.h"
#include "commands/model_pictures.h"
#include "help/next_step.h"
#include "options/help_group.h"
#include "options/options.h"
#include "report/formats/html.h"
#include "report/formats/npy.h"
#include "report/formats/svg.h"
#include "report/models/model_report.h"
#include "rows/origin.h"

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
  bool cites = false;
  std::optional<std::size_t> length;
  std::string dimensions;
  std::string heading;  // of --title

  int run() const {
    const Model loaded = read();
    write_result(output, positions || mask ? drawn(loaded) : described(loaded));
    say_page(console, output);
    return kSuccess;
  }

  /// A drawing that needs no weights is made without them, where a config has none.
  Model read() const {
    const ModelPlace place = model.place();
    if ((positions || mask) && place.weights.empty() && !place.is_fasttext) {
      guard_input(place.config);
      Model alone = describe_model(place);
      if (mask || alone.description.embedding.positions != PositionKind::absolute) return alone;
    }
    return model.load(console, true);
  }

  std::string described(const Model& loaded) const {
    const std::vector<CardField> card = read_card(loaded.place.path);
    if (cites) return citation(loaded.place.name, card, model_hash(marks_of_files(loaded.files)));
    if (output.format() == OutputFormat::text) return model_text(loaded, card);
    return json_document(output.ascii(),
                         [&](JsonWriter& json) { write_model(json, loaded, card); });
  }

  std::string drawn(const Model& loaded) const {
    require_layers(loaded, positions ? "--positions" : "--mask");
    const std::size_t most = loaded.description.max_positions;
    const std::size_t n = length.value_or(std::min(most, kDefaultLength));
    if (n > most) {
      throw UsageError("--length " + std::to_string(n) + " is more than the model's " +
                       std::to_string(most) + " positions");
    }
    const ModelPicture picture =
        positions ? position_picture(loaded, n, dimensions) : mask_picture(loaded, n);
    if (output.format() == OutputFormat::npy) return npy_array(picture.shape, picture.values);
    const Drawing& drawing = picture.drawing;
    const std::string title = picture.name + " of " + loaded.place.name;
    const std::string label = html_text(title);
    if (output.format() == OutputFormat::svg)
      return svg_document(drawing.width, drawing.height, label, drawing.content, heading);
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
      .needs(pictures)
      .excludes("--mask");
  rule(command->add_flag("--cite", inspect->cites,
                         "Print how to cite headlight and the model, as BibTeX"))
      .needs("--format text");
  rule(command->add_flag("--mask", inspect->mask, "Draw the attention mask")).needs(pictures);
  rule(add_value(*command, "--length N", inspect->length,
                 "Draw N positions (default: 64, or all if fewer)")
           ->check(whole_number(1, kMostPositions)))
      .needs("--positions or --mask");
  rule(add_value(*command, "--dimensions LIST", inspect->dimensions,
                 "The dimensions to draw as curves")
           ->check(not_empty()))
      .needs("--positions");
  add_title(*command, inspect->heading);
  inspect->output.add_to(*command, {OutputFormat::text, OutputFormat::json, OutputFormat::svg,
                                    OutputFormat::html, OutputFormat::npy});
  rule(command->get_option("--format"), "svg, html or npy").needs("--positions or --mask");
  inspect->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight inspect\n"
      "  headlight inspect -m path/to/model --format json\n"
      "  headlight inspect -m intent --cite\n"
      "  headlight inspect --positions --dimensions 0-3,100 -o positions.svg");
  command->callback([inspect, &runner] { runner = [inspect] { return inspect->run(); }; });
}

}  // namespace headlight
