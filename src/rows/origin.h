// What the rows of a file were made with. Rows of two origins never get into one file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct Origin {
  using Facts = std::map<std::string, std::string>;

  std::string program;     // its version
  Facts options;           // those that were given, with their values
  Facts model;             // the files it was read from, with size and hash
  Facts input;             // what can be known of it; nothing of a pipe
  std::string arithmetic;  // what the last bits depend on
};

/// "456 bytes, xxh3 …"
std::string mark_of(std::string_view bytes);

/// Marks of the files at `paths`, by their names without directories. Throws Error.
Origin::Facts marks_of_files(const std::vector<std::string>& paths);

/// Size and beginning of the regular file behind a descriptor; nothing for pipes and devices.
Origin::Facts marks_of_input(int descriptor);

/// One hash for all files of a model.
std::string model_hash(const Origin::Facts& model);

std::string to_json(const Origin& origin);
/// Throws Error{where, …} for what to_json() did not write.
Origin origin_from_json(std::string_view text, const std::string& where);

/// Empty, or what of the two is not the same: "was written with --logits, now not given".
std::string difference(const Origin& then, const Origin& now);

}  // namespace headlight
