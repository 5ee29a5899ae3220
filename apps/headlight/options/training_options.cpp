#include "options/training_options.h"

#include <filesystem>

#include "help/next_step.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/label_map.h"
#include "options/output_options.h"

namespace headlight {

Way TrainingOptions::way() const { return all_ways(settings, minutes)[train]; }

CLI::Option* add_merge_labels(CLI::App& command, bool& merges) {
  return command.add_flag(
      "--merge-labels", merges,
      "Make one label of those that look alike; that differ only in case, blanks, "
      "punctuation or encoding: the spelling that most rows have");
}

CLI::Option* add_class_weights(CLI::App& command, ClassWeights& weights) {
  return choice(command.add_option("--class-weights",
                                   "Weights of the labels in the loss; balanced: rare labels count "
                                   "as much as frequent ones"),
                weights, kClassWeightsWords)
      ->option_text("KIND");
}

CLI::Option* add_kept_vectors(CLI::App& command, std::string& file) {
  return mark(
      add_value(command, "--vectors FILE", file,
                "Keep the vectors of the texts in FILE, and compute only those that it lacks")
          ->check(output_name()),
      Effect::nothing);
}

CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed) {
  return add_value(command, "--seed N", seed,
                   "Seed of everything that is drawn at random (default: 0)")
      ->check(whole_number(0, UINT64_MAX));
}

bool TrainingOptions::has_labels(const RowOptions& rows) const {
  return settings.teacher.vectors.empty() || !rows.fields().label.empty() ||
         request.data.is_regression;
}

void TrainingOptions::add_to(CLI::App& command) {
  add_data(command);
  add_earlier(command);
  add_method(command);
  add_output(command);
  add_resume(command, "DIR", request.place.resume, accepts_build);
  {
    const HelpGroup run(command, kRunGroup);
    mark(command.add_flag("--row-errors-ok", errors_ok,
                          "Rows that cannot be used do not change the exit status"),
         Effect::nothing);
  }
  const HelpGroup group(command, kTrainingGroup);
  add_course(command);
  add_result(command);
  {
    const NeedOfAll vectors(command, kTrainsVectors);
    add_teacher_logits(command);
  }
  const NeedOfAll all(command, kTrainsAll);
  add_teacher_vectors(command);
  add_cuts(command);
}

void TrainingOptions::add_data(CLI::App& command) {
  const HelpGroup group(command, kInputGroup);
  rule(add_value(command, "--dev FILE", dev_file,
                 "Rows to choose settings by and to measure (default: some of FILE are held out)")
           ->check(not_empty()))
      .needs(kHasLabels,
             "because --teacher-vectors has vectors of the training rows only; --dev-share holds "
             "some of them out");
  rule(add_value(command, "--dev-share P", request.data.dev_share,
                 "Share of the rows of each label to hold out (default: 0.1)")
           ->check(fraction()))
      .excludes("--dev");
  rule(mark(add_value(command, "--apply CHECKED", checked_file,
                      "Take the labels of rows from the column label of this file; headlight check "
                      "wrote it of the same rows, and a person filled the column where a label was "
                      "wrong")
                ->check(not_empty()),
            Effect::contents))
      .needs(kHasLabels)
      .excludes("--numbers-of");
  command.add_flag("--regression", request.data.is_regression,
                   "Learn the number in --label instead of a label");
  rule(add_merge_labels(command, request.data.merges_labels))
      .needs(kHasLabels)
      .excludes("--regression or --teacher-logits");
  rule(add_label_map(command, label_maps))
      .needs(kHasLabels)
      .excludes("--regression, --merge-labels, --numbers-of or --teacher-logits");
}

void TrainingOptions::add_earlier(CLI::App& command) {
  const HelpGroup group(command, kInputGroup);
  rule(add_kept_vectors(command, settings.head.kept_vectors))
      .needs(kHasWeights)
      .needs(kHasLabels)
      .excludes("--keep-layers, --vocabulary-size or --feed-forward-size")
      .excludes("--train contrastive", "which changes the encoder");
  rule(add_value(command, "--numbers-of NAME|DIR", numbers_of,
                 "Number labels as this model does, new ones after them; if the rows begin "
                 "with those that it was trained on, its development rows are held out again and "
                 "measured")
           ->check(not_empty()))
      .needs(kHasLabels)
      .excludes("--regression or --merge-labels");
}

void TrainingOptions::add_method(CLI::App& command) {
  const HelpGroup group(command, kTrainingGroup);
  const auto ways = all_ways({}, minutes);
  std::vector<Choice<std::size_t>> words;
  words.reserve(ways.size());
  for (const auto& way : ways) words.push_back({way->word, words.size()});
  const std::string help = "What to train; " + joined(ways, "; ", [](const auto& way) {
                             return std::string(way->word) + ": " + way->help;
                           });
  rule(choice(command.add_option("--train", help), train, words)
           ->option_text("PART")
           ->group(kOftenGroup),
       "contrastive")
      .excludes("--regression", "which learns numbers");
  rule(add_value(command, "--minutes X", minutes,
                 "Try what takes at most so many minutes of two threads of a server of 2023, by "
                 "the number of rows and tokens (default: 2)")
           ->check(number(0.0, 1e6)))
      .needs(kTriesSeveral);
  rule(add_class_weights(command, request.class_weights), "balanced")
      .excludes("--regression", "which learns numbers")
      .needs(kHasLabels);
  rule(choice(command.add_option(
                  "--long",
                  "How to read texts longer than the model takes, in training and "
                  "then by default in each command; window: the mean of the "
                  "vectors, or of the logits, of overlapping windows (default: as the start "
                  "does, which is truncate for most)"),
              reads_windows, kReadsWindowsWords)
           ->option_text("HOW"))
      .excludes("--train static", "which reads whole texts");
  rule(add_value(
           command, "--penalty X", settings.head.penalty,
           "Strength of the penalty of a last layer that is fitted (default: what folds of the "
           "training rows choose, of many rows the development rows; 0.1 of very few)")
           ->check(number(1e-6, 1e6)))
      .needs(kHasWeights)
      .needs(kHasLabels);
  add_seed(command, request.data.seed);
}

void TrainingOptions::add_output(CLI::App& command) {
  const HelpGroup group(command, kOutputGroup);
  mark(add_value(command, "-o,--output DIR", request.place.output, "The directory to create")
           ->group(kOftenGroup)
           ->check(output_name())
           ->required(),
       Effect::nothing);
  add_value(command, "--card-field KEY=VALUE", request.card_fields,
            "Add a field for hubs, such as language=en; at the beginning of README.md")
      ->check(readable_by([](const auto& field) { return field.find('=') + 1 > 1; }, "KEY=VALUE"))
      ->allow_extra_args(false);
  command  // after --card-field, whose values replace all
      .add_option_function<std::string>(
          "--license",
          [this](const std::string& name) { request.card_fields.push_back("license=" + name); },
          "The license of the model, for its README.md")
      ->option_text("NAME")
      ->check(not_empty());
  rule(mark(add_value(command, "--log FILE", request.place.log,
                      "Also write the course of the training to this file, as JSONL")
                ->check(output_name())
                ->check(ends_like(OutputFormat::jsonl)),
            Effect::nothing))
      .needs(kTrainsOne);
  rule(mark(command
                .add_option("--film", film,
                            "Also write a page of the training (the attention of all heads, the "
                            "prediction and the loss after each epoch, of TEXT; default: the "
                            "first training row)")
                ->option_text("FILE [TEXT]")
                ->expected(1, 2)
                ->check(not_empty()),
            Effect::nothing))
      .needs(kTrainsAll)
      .excludes("--resume", "because it shows the whole training");
  mark(add_value(command, "--problems FILE", problems_file,
                 "Also write the rows that cannot be used, and those whose text has different "
                 "labels, to this file, as JSONL")
           ->check(output_name())
           ->check(ends_like(OutputFormat::jsonl)),
       Effect::nothing);
  mark(choice(command.add_option("--format", "Output format of the summary"), is_json,
              {{"text", false}, {"json", true}})
           ->option_text("FORMAT"),
       Effect::nothing);
  mark(command.add_flag("-f,--force", request.place.force,
                        "Replace a model that exists, the log, or the file of --problems"),
       Effect::nothing);
}

void TrainingOptions::add_course(CLI::App& command) {
  {
    const NeedOfAll encoder(command, kTrainsEncoder);
    add_value(command, "--epochs N", settings.course.epochs,
              "Train on all rows at most N times (default: 50 from a config without weights, "
              "3 with weights; contrastive: as many as make 20 batches, at least 2)")
        ->check(whole_number(1, 100'000));
    add_value(command, "--learning-rate X", settings.course.learning_rate,
              "The highest learning rate (default: 0.02 / √hidden size from a config without "
              "weights, else 0.04 / hidden size)")
        ->check(number(1e-12, 1e6));
    add_value(command, "--batch-tokens N", settings.course.batch_tokens,
              "Tokens of a batch (default: a two-hundredth of all, from 256 to 4096; contrastive: "
              "4096)")
        ->check(whole_number(1, 10'000'000));
    add_value(command, "--dropout P", settings.course.dropout,
              "Share of numbers that are dropped at random (default: 0.1)")
        ->check(number(0.0, 0.9));
  }
  rule(add_value(command, "--label-smoothing P", settings.label_smoothing,
                 "Share of the target that is spread over all labels (default: 0)")
           ->check(number(0.0, 0.9)))
      .needs(kTrainsAll)
      .needs(kHasLabels);
}

void TrainingOptions::add_result(CLI::App& command) {
  rule(choice(command.add_option("--keep-state",
                                 "Which weights to keep; those with the best score on the "
                                 "development rows (partly luck if these are few), or the last"),
              settings.keep_last, {{"best", false}, {"last", true}})
           ->option_text("STATE"),
       "last")
      .needs(kTrainsAll);
  CLI::Option* const store =
      choice(command.add_option("--store",
                                "Round the weights to this format at the end; f16: files of half "
                                "the size; int8: vectors of 8 bits with a scale each, only with "
                                "--train static (default: f32; with --train static int8 if that "
                                "loses nothing on the development rows, else f16)"),
             settings.stored_as,
             {{"f32", NumberFormat::f32}, {"f16", NumberFormat::f16}, {"int8", NumberFormat::i8}})
          ->option_text("FORMAT");
  rule(store, "f16").needs(kTrainsVectors);
  rule(store, "int8").needs("--train static");
}

void TrainingOptions::add_teacher_logits(CLI::App& command) {
  rule(add_value(command, "--teacher-logits FIELD", settings.teacher.logits,
                 "Also learn the logits of another model; FIELD has them as batch --logits "
                 "writes them")
           ->check(not_empty()))
      .needs(kHasLabels);
  rule(add_value(command, "--temperature T", settings.teacher.temperature,
                 "Divide logits by this before they are compared with the teacher's; a high one, "
                 "such as 100, compares them by their squared differences (default: 2)")
           ->check(number(0.01, 1000.0)))
      .needs("--teacher-logits");
  rule(add_value(command, "--teacher-share P", settings.teacher.share,
                 "Share of the teacher's logits in the loss; the rest is that of the labels "
                 "(default: 0.8)")
           ->check(fraction()))
      .needs("--teacher-logits");
}

void TrainingOptions::add_teacher_vectors(CLI::App& command) {
  add_value(command, "--teacher-vectors FILE.npy", settings.teacher.vectors,
            "Learn the sentence vectors of another model; by their cosine; FILE has one for each "
            "row of the input, also those that --skip, --limit or --shard leave out, as headlight "
            "embed writes it; without --label, nothing else is learned")
      ->check(not_empty());
}

void TrainingOptions::add_cuts(CLI::App& command) {
  add_value(
      command, "--vocabulary-size N", settings.cut.vocabulary_size,
      "Learn or keep at most N tokens; without weights: from the training rows; with weights: "
      "those "
      "of WordPiece that are commonest in these rows, and the single characters of the rows and of "
      "Latin scripts (default: vocab_size of the config, or all)")
      ->check(whole_number(2, 10'000'000));
  const NeedOfAll weights(command, kHasWeights);
  add_value(command, "--keep-layers LIST", settings.cut.kept_layers_as_given,
            "Keep only these layers of the start, such as 0,2-4; counted from 0")
      ->check(not_empty());
  add_value(command, "--feed-forward-size N", settings.cut.feed_forward_size,
            "Keep at most N neurons of each feed-forward; they take over what the others gave "
            "as far as they can")
      ->check(whole_number(1, 10'000'000));
}

std::string training_command(const CLI::App& command, const std::vector<std::string>& rows,
                             const OutputPlace& place) {
  std::string line = "headlight fit";
  for (const std::string& file : rows) line += ' ' + shell_word(file);
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || option->get_positional()) continue;
    if (name == "--output") {
      line += " -o " + shell_word(std::filesystem::path(place.directory()).filename().string());
    } else if (declaration_of(*option).effect == Effect::nothing) {
      continue;
    } else if (option->get_items_expected_max() == 0) {
      line += ' ' + name;
    } else {
      for (const std::string& value : option->results()) {
        line += ' ' + name + ' ' + shell_word(value);
      }
    }
  }
  return line;
}

}  // namespace headlight
