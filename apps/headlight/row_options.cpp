#include "row_options.h"

#include <cerrno>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

namespace headlight {
namespace {

/// The descriptor of an input file, or standard input for "-".
class Input {
 public:
  explicit Input(const std::string& path)
      : name_(path == "-" ? "standard input" : path),
        descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw Error(path, system_message(errno));
  }
  ~Input() {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const std::string& name() const { return name_; }
  int descriptor() const { return descriptor_; }

 private:
  std::string name_;
  int descriptor_;
};

struct OpenRows {
  OpenRows(const std::string& file, RowFormat format, const RowFields& fields)
      : input(file), lines(input.descriptor(), input.name()), rows(lines, format, fields) {}

  Input input;
  LineReader lines;
  RowReader rows;
};

}  // namespace

void RowOptions::add_to(CLI::App& command) {
  command.add_option("FILE", file_, "Rows to score: .jsonl, or a text a line; - is standard input")
      ->option_text(" ");
  command
      .add_option("--input-format", input_format_,
                  "auto (default: by the file's ending), text or jsonl")
      ->check(CLI::IsMember({"auto", "text", "jsonl"}))
      ->option_text("FORMAT");
  command.add_option("--text", fields_.text, "Field of the text; several are joined by a blank")
      ->allow_extra_args(false)
      ->option_text("NAME");
  command.add_option("--pair-text", fields_.pair, "Field of a pair's second text")
      ->option_text("NAME");
  command.add_option("--id", fields_.id, "Field of the id (default: id, else the row's number)")
      ->option_text("NAME");
}

void RowOptions::add_label_to(CLI::App& command) {
  command
      .add_option("--label", fields_.label,
                  "Field of what is right (default: label): a label's name or number, several with "
                  "| between, or a value")
      ->option_text("NAME");
}

RowFormat RowOptions::format() const {
  if (input_format_ == "auto") return row_format_of(file_);
  return input_format_ == "jsonl" ? RowFormat::jsonl : RowFormat::text;
}

void RowOptions::check() const {
  const bool named = !fields_.text.empty() || fields_.pair || fields_.id || fields_.label;
  if (format() == RowFormat::text && named) {
    throw UsageError("--text, --pair-text, --id and --label name fields of JSONL, and " + file_ +
                     " is read as text lines; --input-format jsonl changes that");
  }
}

RowSupply RowOptions::rows(const Console& console) const {
  const auto open = std::make_shared<OpenRows>(file_, format(), fields_);
  say_if_terminal(open->input.descriptor(), console);
  return {[open] { return open->rows.next(); }, [open] { return open->rows.ready(); }};
}

}  // namespace headlight
