// Models that were downloaded from the Hugging Face Hub: in its cache, by their names there. The
// layout is that of huggingface_hub (docs: "Understand caching"): a folder models--ORG--NAME with
// refs/REVISION, which has the hash of a commit, and snapshots/HASH with its files.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// "org/name" or an old name, also as the address of its page; empty if `given` does not have this
/// form.
std::string hub_name(std::string_view given);

/// The folder of org/name or org/name@revision in the cache (HF_HUB_CACHE, HF_HOME/hub, or
/// ~/.cache/huggingface/hub); empty if it has no such model. A revision is a branch, a tag or the
/// hash of a commit; without one it is main. Throws Error if the model is there without it.
std::string hub_snapshot(const std::string& given);

}  // namespace headlight
