#include "model/hub_cache.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// Whether a name without an organization is that of a model which the hub keeps under such names.
bool is_old_hub_name(std::string_view name) {
  constexpr std::array<std::string_view, 9> kBegins = {
      "bert-",      "distilbert-",  "roberta-", "distilroberta-", "albert-",
      "camembert-", "xlm-roberta-", "gpt2",     "openai-gpt"};
  return std::any_of(kBegins.begin(), kBegins.end(),
                     [&](std::string_view begin) { return name.starts_with(begin); });
}

std::optional<fs::path> folder_of(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): before any thread
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

fs::path cache_folder() {
  if (const auto cache = folder_of("HF_HUB_CACHE")) return *cache;
  if (const auto home = folder_of("HF_HOME")) return *home / "hub";
  if (const auto caches = folder_of("XDG_CACHE_HOME")) return *caches / "huggingface" / "hub";
  return folder_of("HOME").value_or(".") / ".cache" / "huggingface" / "hub";
}

/// The hash that refs/REVISION has, else the revision, which may be a hash.
std::string commit_of(const fs::path& model, const std::string& revision) {
  const fs::path reference = model / "refs" / revision;
  if (!fs::is_regular_file(reference)) return revision;
  const MappedFile file(reference.string());
  const std::string_view hash = file.text();
  return std::string(hash.substr(0, hash.find_first_of(" \r\n")));
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string hub_name(std::string_view given) {
  constexpr std::string_view kSite = "huggingface.co/";
  const std::size_t site = given.find(kSite);
  if (site != std::string_view::npos) given.remove_prefix(site + kSite.size());
  const std::size_t slash = given.find('/');
  if (slash == std::string_view::npos) return is_old_hub_name(given) ? std::string(given) : "";
  const std::string_view owner = given.substr(0, slash);
  std::string_view name = given.substr(slash + 1);
  if (site != std::string_view::npos) name = name.substr(0, name.find('/'));
  const auto is_name = [](std::string_view part) {
    constexpr std::string_view kAllowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    return !part.empty() && part.front() != '.' &&
           part.find_first_not_of(kAllowed) == std::string_view::npos;
  };
  if (!is_name(owner) || !is_name(name)) return "";
  return std::string(owner) + "/" + std::string(name);
}

std::string hub_snapshot(const std::string& given) {
  const std::size_t at = std::min(given.find('@'), given.size());
  const std::string name = hub_name(std::string_view(given).substr(0, at));
  const std::string revision = at == given.size() ? "main" : given.substr(at + 1);
  if (name.empty() || revision.empty() || revision.find("..") != std::string::npos) return "";
  std::string folder = "models--" + name;
  if (const std::size_t slash = folder.find('/'); slash != std::string::npos) {
    folder.replace(slash, 1, "--");
  }
  const fs::path model = cache_folder() / folder;
  if (!fs::is_directory(model)) return "";
  const fs::path snapshot = model / "snapshots" / commit_of(model, revision);
  if (fs::is_directory(snapshot)) return snapshot.string();
  std::vector<std::string> known = names_in(model / "refs");
  for (std::string& hash : names_in(model / "snapshots")) known.push_back(std::move(hash));
  throw Error(model.string(), "has no files of the revision " + revision,
              known.empty() ? "`hf download " + name + "` gets them"
                            : "use -m " + name + "@ and one of " + listed(known, 4));
}

}  // namespace headlight
