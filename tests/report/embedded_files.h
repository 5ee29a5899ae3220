// What a live page holds, read as its scripts do.
#pragma once

#include <map>
#include <regex>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "fuzz/decompressed.h"

namespace headlight {

/// The bytes of each element with a file: by its id, or by file and suffix of the side, such as
/// "config.json" and "config.json-2".
inline std::map<std::string, std::string> embedded_files(const std::string& page) {
  static const std::regex opening(
      R"re(<script type="application/gzip" (id="([^"]*)"|data-side="([^"]*)" data-file="([^"]*)")>)re");
  std::map<std::string, std::string> files;
  for (std::sregex_iterator at(page.begin(), page.end(), opening), end; at != end; ++at) {
    const auto begin = static_cast<std::size_t>(at->position() + at->length());
    const auto gzip = decode_base64(page.substr(begin, page.find("</script>\n", begin) - begin));
    REQUIRE(gzip.has_value());
    const std::string name = (*at)[2].str() + (*at)[4].str() + (*at)[3].str();
    CHECK(files.emplace(name, fuzz::decompressed(Compression::gzip, *gzip)).second);
  }
  return files;
}

/// What a side begins with: "live" or "live-2".
inline nlohmann::json live_start(const std::string& page, const std::string& id = "live") {
  const std::string opening = R"(<script type="application/json" id=")" + id + "\">";
  REQUIRE(page.find(opening) != std::string::npos);
  const std::size_t begin = page.find(opening) + opening.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>\n", begin) - begin));
}

}  // namespace headlight
