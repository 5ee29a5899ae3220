#include "rows/fingerprint.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
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
constexpr const char* kFile = "file ";  // begins the name of its fact

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

/// As add_files() wrote them.
std::vector<FileMark> files_in(const Origin::Facts& input) {
  constexpr std::string_view kBeforeHash = "xxh3 ";
  std::vector<FileMark> files;
  for (const auto& [name, mark] : input) {
    const std::size_t hash = mark.find(kBeforeHash) + kBeforeHash.size();
    const std::size_t path = mark.find(' ', hash);
    if (!name.starts_with(kFile) || path == std::string::npos) continue;
    files.push_back(
        {mark.substr(path + 1), number_in(input, name.c_str(), 0), mark.substr(hash, path - hash)});
  }
  return files;
}

/// Whether the input does not begin with the files that were scored, by name.
bool has_other_files(const RowReader& rows, const std::vector<FileMark>& scored) {
  const std::vector<std::string>& paths = rows.paths();
  for (std::size_t i = 0; i < scored.size(); ++i) {
    if (i >= paths.size() || paths[i] != scored[i].name) return !paths.empty();
  }
  return false;
}

/// Files that were scored may have left, or have other names. What they have is left out.
void go_on_after(const std::string& path, RowReader& rows, std::vector<FileMark> scored,
                 Finished& found) {
  std::set<std::size_t> known;
  std::vector<std::string> added;
  std::string grown;
  for (const std::string& file : rows.paths()) {
    const auto match = rows.find_in(file, scored);
    if (!match) {
      added.push_back(file);
      continue;
    }
    known.insert(match->first);
    if (!match->second) continue;
    grown = file;
    if (match->first + 1 == scored.size()) continue;
    throw Error(file, "has more rows than were scored of it for " + path + ", and others followed",
                "write new rows to a new file, or start over with --force");
  }
  for (std::size_t i = 0; i < scored.size(); ++i) {
    if (known.contains(i) || std::ranges::count(added, scored[i].name) == 0) continue;
    throw Error(scored[i].name, "has other rows than those that were scored of it for " + path,
                "write new rows to a new file, or start over with --force");
  }
  const std::size_t before = number_in(found.input, "rows", 0);
  if (!grown.empty()) {
    added.insert(added.begin(), grown);
    scored.pop_back();
  }
  rows.go_on_with(std::move(added), std::move(scored));
  rows.pass_over(before);
  found.left = true;
  found.grew = !rows.is_at_end();
}

/// Throws Error if something happened to the rows since the output was made from them, unless a
/// stop was requested, or more of them are accepted.
void check_rows(const std::string& path, RowReader& rows, Appended appended, Finished& found) {
  const std::string then = found.input["rows"];
  const std::size_t before = number_in(found.input, "rows", 0);
  const std::size_t open_line = number_in(found.input, "open_line", 0);
  std::vector<FileMark> scored = files_in(found.input);
  if (appended == Appended::accept && has_other_files(rows, scored)) {
    return go_on_after(path, rows, std::move(scored), found);
  }
  if (appended == Appended::accept && open_line > 0) {
    rows.pass_over(before - 1);
    found.grew = rows.next_has_grown(open_line, then);
    if (found.grew) found.rows_before = number_in(found.input, "rows_before", 0);
    if (found.grew) return;
  }
  const bool was_empty = mark_of_rows(rows) == then;  // also without a header
  rows.pass_over(before);
  const bool begins_same = was_empty || mark_of_rows(rows) == then;
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

void add_files(const RowReader& rows, Origin::Facts& input) {
  constexpr std::size_t kDigits = 6;  // so that the facts keep their order
  for (const FileMark& file : rows.files()) {
    std::string number = std::to_string(input.size());
    number.insert(0, kDigits - std::min(kDigits, number.size()), '0');
    input[kFile + number] = counted(file.rows, "row") + ", xxh3 " + file.hash + ' ' + file.name;
  }
}

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
