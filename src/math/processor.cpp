#include "math/processor.h"

#include <cstdint>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#if defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "math/instruction_set.h"

namespace headlight {
namespace {

/// CPUID leaf 7 (Intel SDM, volume 2A).
struct Features {
  unsigned ecx = 0;   // of subleaf 0
  unsigned edx = 0;   // of subleaf 0
  unsigned more = 0;  // eax of subleaf 1
};
constexpr unsigned kAvx512Vnni = 1U << 11U;    // ecx
constexpr unsigned kTileBfloats = 1U << 22U;   // edx
constexpr unsigned kTiles = 1U << 24U;         // edx
constexpr unsigned kTileIntegers = 1U << 25U;  // edx
constexpr unsigned kAvxVnni = 1U << 4U;        // more
constexpr unsigned kAvx512Bfloat = 1U << 5U;   // more

Features read_features() {
  Features found;
#if defined(__x86_64__) || defined(__i386__)
  constexpr unsigned kExtendedFeatures = 7;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid_count(kExtendedFeatures, 0, &eax, &ebx, &ecx, &edx) == 1) {
    found.ecx = ecx;
    found.edx = edx;
    if (eax >= 1 && __get_cpuid_count(kExtendedFeatures, 1, &eax, &ebx, &ecx, &edx) == 1) {
      found.more = eax;
    }
  }
#endif
  return found;
}

const Features& features() {
  static const Features kFound = read_features();
  return kFound;
}

/// Linux saves the tiles of a process only after this request.
bool request_tiles() {
#if defined(__x86_64__)
  constexpr int kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr int kTileData = 18;               // XFEATURE_XTILEDATA
  return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

bool has_tiles(unsigned kind) {
  if (active_instruction_set() != InstructionSet::avx3) return false;
  const unsigned needed = kTiles | kind;
  if ((features().edx & needed) != needed) return false;
  static const bool kPermitted = request_tiles();
  return kPermitted;
}

}  // namespace

bool has_integer_fours() {
  const InstructionSet set = active_instruction_set();
  if (set == InstructionSet::avx3) return (features().ecx & kAvx512Vnni) != 0;
  return set == InstructionSet::avx2 && (features().more & kAvxVnni) != 0;
}

bool has_bfloat_pairs() {
  return active_instruction_set() == InstructionSet::avx3 && (features().more & kAvx512Bfloat) != 0;
}

bool has_integer_tiles() { return has_tiles(kTileIntegers); }

bool has_bfloat_tiles() { return has_tiles(kTileBfloats); }

}  // namespace headlight
