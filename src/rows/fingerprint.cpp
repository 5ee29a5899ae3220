#include "rows/fingerprint.h"

#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <sys/xattr.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/placing.h"
#include "base/utf8.h"
#include "model/locate.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAttribute = "user.headlight";
constexpr const char* kFromTheStart = "--force starts over";

struct Fingerprint {
  std::string output;  // hash
  Origin made;
};

std::string file_beside(const std::string& path) {
  const fs::path whole(path);
  return whole.parent_path() / ("." + whole.filename().string() + ".headlight");
}

/// Of a file, or of all files in a directory.
std::string hash_of_output(const std::string& path) {
  if (fs::is_directory(path)) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().filename() != kCascadeFile) files.push_back(entry.path().string());
    }
    return model_hash(marks_of_files(files));
  }
  return marks_of_input(path).at("content");
}

/// Nothing if this program did not write the text.
std::optional<Fingerprint> parse(std::string_view text, const std::string& where) {
  try {
    const Json json = parse_json(text, where);
    Fields fields(json, where);
    return Fingerprint{fields.required_string("output"),
                       origin_from_json(fields.required("origin").dump(), where)};
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<Fingerprint> fingerprint_in(const std::string& file) {
  if (target_at(file) != Target::file || ::access(file.c_str(), R_OK) != 0) return std::nullopt;
  return parse(MappedFile(file).text(), file);
}

std::optional<Fingerprint> fingerprint_of(const std::string& path) {
  constexpr std::size_t kLongest = std::size_t{64} * 1024;  // in Linux
  std::string text(kLongest, '\0');
  const ssize_t size = ::getxattr(path.c_str(), kAttribute, text.data(), text.size());
  if (size < 0) return fingerprint_in(file_beside(path));
  return parse(std::string_view(text).substr(0, static_cast<std::size_t>(size)), path);
}

/// The number that a fact begins with.
std::size_t number_in(const Origin::Facts& facts, const char* name, std::size_t otherwise) {
  const auto found = facts.find(name);
  if (found == facts.end()) return otherwise;
  std::from_chars(found->second.data(), found->second.data() + found->second.size(), otherwise);
  return otherwise;
}

/// Throws Error if something happened to the rows since the output was made from them, unless a
/// stop was requested, or more of them are accepted.
void check_rows(const std::string& path, RowReader& rows, Appended appended, Finished& found) {
  const std::string then = found.input["rows"];
  const std::size_t before = number_in(found.input, "rows", 0);
  const std::size_t open_line = number_in(found.input, "open_line", 0);
  if (appended == Appended::accept && open_line > 0) {
    rows.pass_over(before - 1);
    found.grew = rows.next_has_grown(open_line, then);
    if (found.grew) found.rows_before = number_in(found.input, "rows_before", 0);
    if (found.grew) return;
  }
  rows.pass_over(before);
  const bool begins_same = mark_of_rows(rows) == then;
  if (begins_same && appended == Appended::accept) {
    found.grew = !rows.is_at_end();
    return;
  }
  rows.pass_over(SIZE_MAX);
  const std::size_t added = rows.count() - before;
  if (stop_requested() || (begins_same && added == 0)) return;
  if (!begins_same) {
    throw Error("",
                path + " was written for other rows: the input had " + then + ", and has " +
                    mark_of_rows(rows),
                kFromTheStart);
  }
  throw Error("",
              path + " was written before " + counted(added, "row") +
                  (added == 1 ? " was" : " were") + " appended to the input",
              appended == Appended::refuse ? kFromTheStart
                                           : "--append scores only these, --force starts over");
}

}  // namespace

std::string mark_of_rows(const RowReader& rows) {
  return counted(rows.count(), "row") + ", xxh3 " + rows.hash();
}

void keep_fingerprint(const std::string& written, const std::string& path, Origin made) {
  const std::string text = R"({"output": ")" + hash_of_output(written) + R"(", "origin": )" +
                           to_json(hidden(std::move(made))) + "}\n";
  const std::string beside = file_beside(path);
  const bool is_ours = fingerprint_in(beside).has_value();
  if (::setxattr(written.c_str(), kAttribute, text.data(), text.size(), 0) == 0) {
    if (is_ours) ::unlink(beside.c_str());
    return;
  }
  if (is_named(beside) && !is_ours) return;
  try {
    write_whole(beside, text);
  } catch (const Error&) {
    // The output is complete all the same.
  }
}

Finished check_finished(const std::string& path, Origin now, RowReader* rows, Appended appended) {
  if (!is_named(path)) throw Error(path, "is missing", kFromTheStart);
  const auto found = fingerprint_of(path);
  if (!found || found->output != hash_of_output(path)) {
    throw Error(path,
                found ? "was changed after it was written"
                      : "exists already, and nothing tells what it was made from",
                kFromTheStart);
  }
  Origin then = found->made;
  now = hidden(std::move(now));
  if (rows != nullptr) now.input = then.input;
  const std::string build = std::exchange(then.program, now.program);
  const auto check_difference = [&] {
    const std::string change = difference(then, now);
    if (!change.empty()) throw Error("", path + ' ' + change, kFromTheStart);
  };
  check_difference();
  Finished finished{then.input};
  if (rows != nullptr) check_rows(path, *rows, appended, finished);
  then.program = build;
  check_difference();
  return finished;
}

}  // namespace headlight
