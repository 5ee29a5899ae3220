// What x.h declares is defined in x.cpp, or in a source of the same folder that x.h names, read
// from the text of src/ and apps/headlight/. The text is clang-format's: what stands outside
// functions and classes begins in the first column.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"

namespace headlight::definitions_test {
namespace {

namespace fs = std::filesystem;

const fs::path kProject = fs::path(HEADLIGHT_SOURCE);

/// Where the literal that begins at `at` ends; `at` itself where none does.
std::size_t end_of_literal(const std::string& text, std::size_t at) {
  if (text.compare(at, 2, "R\"") == 0) {
    const std::size_t bracket = text.find('(', at);
    const std::string end = ")" + text.substr(at + 2, bracket - at - 2) + "\"";
    return text.find(end, bracket) + end.size();
  }
  const char quote = text[at];
  if (quote != '"' && quote != '\'') return at;
  const bool follows_word = at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
  const bool is_prefixed = at > 0 && std::string_view("uUL").find(text[at - 1]) < 3;
  if (quote == '\'' && follows_word && !is_prefixed) return at;  // 1'000
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != quote) end += text[end] == '\\' ? 2 : 1;
  return end + 1;
}

/// The text without comments and literals; lines stay lines.
std::string code_of(const std::string& text) {
  std::string code;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = end_of_literal(text, at);
    if (text.compare(at, 2, "//") == 0) end = std::min(text.find('\n', at), text.size());
    if (text.compare(at, 2, "/*") == 0) end = text.find("*/", at) + 2;
    if (end == at) {
      code += text[at++];
      continue;
    }
    const auto lines = std::count(text.data() + at, text.data() + end, '\n');
    code.append(static_cast<std::size_t>(lines), '\n');
    at = end;
  }
  return code;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Functions, members with their class, and variables that another file may name.
std::string name_in(const std::string& statement) {
  static const std::regex variable(R"(\b(k[A-Z]\w*)\s*[={])");
  static const std::regex function(R"(((\w+::)*(~?\w+|operator[^\s(]+))\s*\()");
  if (statement.starts_with("constexpr ")) return "";
  std::smatch found;
  const std::string head = statement.substr(0, statement.find('('));
  if (std::regex_search(head, found, variable)) return found[1];
  return std::regex_search(statement, found, function) ? found[1] : std::string();
}

/// The names that a source defines for others.
std::vector<std::string> definitions_in(const std::string& source) {
  static const std::regex other(
      R"((namespace|class|struct|enum|union|using|static_assert|extern|HWY_\w+)\b.*|[ #}\t].*|)");
  const std::vector<std::string> lines = lines_of(source);
  const std::vector<std::string> code = lines_of(code_of(source));
  std::vector<std::string> names;
  std::string statement;
  bool is_private = false;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (lines[i] == "namespace {") is_private = true;
    if (lines[i] == "}  // namespace") is_private = false;
    const std::string line = code[i].substr(0, code[i].find_last_not_of(" \t") + 1);
    if (is_private || (statement.empty() && std::regex_match(line, other))) continue;
    statement += line + ' ';
    if (line.empty() || std::string_view(";{}").find(line.back()) == std::string_view::npos)
      continue;
    if (const std::string name = name_in(statement); !name.empty()) names.push_back(name);
    statement.clear();
  }
  return names;
}

/// Whether `code` declares a function or variable, or defines one of the classes that a member is
/// of.
bool declares(const std::string& code, const std::string& name) {
  if (name.find("::") == std::string::npos) {
    return std::regex_search(code, std::regex("\\b" + name + "\\b\\s*[(;=]"));
  }
  std::istringstream classes(std::regex_replace(name, std::regex("::"), " "));
  for (std::string one; classes >> one;) {
    const std::regex definition("(class|struct)\\s+(\\w+::)*" + one + "\\b[^;{()]*\\{");
    if (std::regex_search(code, definition)) return true;
  }
  return false;
}

fs::path header_of(fs::path source) { return source.replace_extension(".h"); }

/// The code of the headers in the folder of `source`, or above that of a kernel, whose comments
/// name it.
std::string headers_naming(const fs::path& source, bool is_kernel) {
  const fs::path folder = source.parent_path();
  const std::string name = (is_kernel ? "kernels/" : " ") + source.filename().string();
  std::string code;
  for (const auto& entry : fs::directory_iterator(is_kernel ? folder.parent_path() : folder)) {
    if (entry.path().extension() != ".h") continue;
    const std::string content = content_of(entry.path());
    if (content.find(name) != std::string::npos) code += code_of(content);
  }
  return code;
}

/// The lists of commands and families declare add_NAME of NAME.cpp, and kNAMEFamily of name.cpp,
/// whose words may have _ between them.
bool is_listed(const fs::path& source, const std::string& name) {
  const std::string stem = source.stem().string();
  if (name == "main" || name == "add_" + stem) {
    const std::string commands = content_of(kProject / "apps/headlight/commands/command.h");
    return name == "main" || commands.find("COMMAND(" + stem + ")") != std::string::npos;
  }
  std::smatch family;
  if (!std::regex_match(name, family, std::regex("k(\\w+)Family"))) return false;
  std::string file = family[1];
  std::transform(file.begin(), file.end(), file.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string joined = stem;
  std::erase(joined, '_');
  const std::string families = content_of(kProject / "src/model/families/families.h");
  return file == joined && families.find("FAMILY(" + family[1].str() + ")") != std::string::npos;
}

std::vector<fs::path> sources() {
  std::vector<fs::path> paths;
  for (const char* folder : {"src", "apps/headlight"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kProject / folder)) {
      if (entry.path().extension() == ".cpp") paths.push_back(entry.path());
    }
  }
  return paths;
}

TEST_CASE("what a source defines for others is found in its text") {
  struct Row {
    std::string source;
    std::vector<std::string> names;
  };
  const Row rows[] = {
      {"int one() { return 1; }\n", {"one"}},
      {"namespace {\nint one() {\n  return 1;\n}\n}  // namespace\nint two();\n", {"two"}},
      {"std::vector<int> Box::all(int a,\n                          int b) const {\n}\n",
       {"Box::all"}},
      {"const Family kBert = {1};\nconstexpr int kOwn = 2;\n", {"kBert"}},
      {"// int one();\nconst char* text() {\n  return R\"(\nint two();\n)\";\n}\n", {"text"}},
      {"struct Box {\n  int one();\n};\n#define ONE(X) X\n", {}},
  };
  for (const auto& [source, names] : rows) {
    CAPTURE(source);
    CHECK(definitions_in(source) == names);
  }
  CHECK(declares("int one(int a);", "one"));
  CHECK_FALSE(declares("int another_one(int a);", "one"));
  CHECK(declares("class Box : public Thing {", "Box::Lid::open"));
  CHECK_FALSE(declares("class Box;", "Box::open"));
}

TEST_CASE("what x.h declares is defined in x.cpp") {
  REQUIRE(sources().size() > 150);
  for (const fs::path& source : sources()) {
    std::string content = content_of(source);
    const bool is_kernel = source.parent_path().filename() == "kernels";
    // It is compiled for each instruction set; what it defines for others comes last, once.
    if (is_kernel) content.erase(0, content.find("#if HWY_ONCE"));
    const std::string header =
        code_of(content_of(header_of(source))) + headers_naming(source, is_kernel);
    const std::string own = code_of(content);
    for (const std::string& name : definitions_in(content)) {
      const bool is_own_class = name.find("::") != std::string::npos && declares(own, name);
      const bool is_right = declares(header, name) || is_own_class || is_listed(source, name);
      CAPTURE(name);
      CHECK_MESSAGE(is_right, source.lexically_relative(kProject).string());
    }
  }
}

}  // namespace
}  // namespace headlight::definitions_test
