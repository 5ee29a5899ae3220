#!/usr/bin/env bash
# tests/fuzz/build.sh: builds each target of this folder as a program with libFuzzer's interface, as OSS-Fuzz asks for: with $CXX,
# $CXXFLAGS and $LIB_FUZZING_ENGINE, to $OUT, with seeds (TARGET_seed_corpus.zip), a dictionary and options. $WORK is the folder
# of the build (build/fuzzers). The libraries are those of scripts/install; oneTBB and Oniguruma are compiled with the rest, and
# nothing but C's and C++'s library is left shared. `scripts/fuzz` runs what it makes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

: "${CXX:?}" "${CXXFLAGS:?}" "${LIB_FUZZING_ENGINE:?}" "${OUT:?}"
work=${WORK:-build/fuzzers}
scripts/platforms/sources onetbb libonig >&2
cmake -G Ninja -S . -B "$work" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG= -DCMAKE_CXX_COMPILER="$CXX" \
  -DCMAKE_CXX_FLAGS="$CXXFLAGS" -DHEADLIGHT_STATIC=ON -DHEADLIGHT_FUZZ="$LIB_FUZZING_ENGINE" >&2
cmake --build "$work" --target fuzzer >&2
mkdir -p "$OUT"
for corpus in tests/fuzz/corpus/*; do
  target=${corpus##*/}
  ln -f "$work/tests/fuzzer" "$OUT/$target" 2>/dev/null || cp "$work/tests/fuzzer" "$OUT/$target"
  python3 -c 'import shutil, sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2])' "$OUT/${target}_seed_corpus" "$corpus"
  printf '[libfuzzer]\nmax_len = 65536\nlen_control = 100\ntimeout = 20\nrss_limit_mb = 4096\n' >"$OUT/$target.options"
  dictionary=tests/fuzz/dictionaries/$target.dict
  if [[ -e $dictionary ]]; then cp "$dictionary" "$OUT"; fi
  "$OUT/$target" -runs=0 2>/dev/null || { echo "the target $target does not start" >&2; exit 1; }
done
