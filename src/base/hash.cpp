#include "base/hash.h"

#include <array>
#include <new>

#include <xxhash.h>

namespace headlight {
namespace {

std::string hexadecimal(XXH128_hash_t hash) {
  XXH128_canonical_t canonical{};
  ::XXH128_canonicalFromHash(&canonical, hash);
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    text += kHexDigits[byte >> 4U];
    text += kHexDigits[byte & 15U];
  }
  return text;
}

}  // namespace

std::string hash_of(std::string_view bytes) {
  return hexadecimal(::XXH3_128bits(bytes.data(), bytes.size()));
}

std::uint64_t short_hash_of(std::string_view bytes, std::uint64_t before) {
  return ::XXH3_64bits_withSeed(bytes.data(), bytes.size(), before);
}

struct GrowingHash::State {
  struct Free {
    void operator()(XXH3_state_t* state) const { ::XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> hash{::XXH3_createState()};
};

GrowingHash::GrowingHash() : state_(std::make_unique<State>()) {
  if (state_->hash == nullptr) throw std::bad_alloc();
  ::XXH3_128bits_reset(state_->hash.get());
}

GrowingHash::~GrowingHash() = default;

void GrowingHash::add(std::string_view bytes) {
  ::XXH3_128bits_update(state_->hash.get(), bytes.data(), bytes.size());
}

std::string GrowingHash::text_with(std::string_view more) const {
  GrowingHash all;
  ::XXH3_copyState(all.state_->hash.get(), state_->hash.get());
  all.add(more);
  return all.text();
}

std::string GrowingHash::text() const {
  return hexadecimal(::XXH3_128bits_digest(state_->hash.get()));
}

}  // namespace headlight
