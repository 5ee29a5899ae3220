// The program, options, model and input that produced the rows of a file. One file never mixes rows
// of two origins.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct Origin {
  using Facts = std::map<std::string, std::string>;

  std::string program;     // its build
  Facts options;           // given on the command line, with their values
  Facts model;             // its files, with size and hash
  Facts input;             // known properties; empty for a pipe
  std::string arithmetic;  // what the last bits of results depend on
  /// Of this run: the result of another build is no difference. No part of the JSON.
  bool accepts_build = false;
};

/// "456 bytes, xxh3 …"
std::string mark_of(std::string_view bytes);

/// The marks of the files at `paths` by file name without directory. Throws Error.
Origin::Facts marks_of_files(const std::vector<std::string>& paths);

/// Size and hash of the regular file of a descriptor, which is read from its beginning to its end
/// without moving the position; empty for pipes and devices. Throws Error{name, …}.
Origin::Facts marks_of_input(int descriptor, const std::string& name);

/// The same for the file at `path`, or standard input for "-", and the ending of its name, which
/// determines the format.
Origin::Facts marks_of_input(const std::string& path);

/// One hash for all files of a model.
std::string model_hash(const Origin::Facts& model);

std::string to_json(const Origin& origin);
/// Throws Error{where, …} if to_json() did not write `text`.
Origin origin_from_json(std::string_view text, const std::string& where);

/// With hashes in place of the options' values.
Origin hidden(Origin origin);

/// The first difference, such as "was written with --logits; this run does not use --logits". Empty
/// if there is none. `then` was read from JSON, which cannot represent all bytes of `made`.
std::string difference(const Origin& then, const Origin& made);

}  // namespace headlight
