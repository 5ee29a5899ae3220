#include "base/compression.h"

#include <algorithm>
#include <climits>
#include <new>
#include <utility>

#include <zlib.h>
#include <zstd.h>

#include "base/error.h"

namespace headlight {
namespace {

constexpr int kGzipWindow = MAX_WBITS + 16;  // 16 selects the gzip header instead of zlib's
constexpr int kGzipLevel = 6;
constexpr int kZstdLevel = 3;
constexpr int kZstdWindow = 27;  // 128 MiB, the default limit of the zstd program

/// zlib counts in 32 bits.
unsigned at_once(std::size_t size) {
  return static_cast<unsigned>(std::min<std::size_t>(size, UINT_MAX));
}

/// zlib reads through a pointer to non-const.
Bytef* bytes_of(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

}  // namespace

bool has_ending(std::string_view path, std::string_view ending) {
  const auto is_same = [](char lower, char c) {
    return c == lower || (c >= 'A' && c <= 'Z' && c - 'A' + 'a' == lower);
  };
  return path.size() >= ending.size() &&
         std::equal(ending.rbegin(), ending.rend(), path.rbegin(), is_same);
}

Compression compression_of(std::string_view path) {
  if (has_ending(path, ".gz")) return Compression::gzip;
  return has_ending(path, ".zst") ? Compression::zstd : Compression::none;
}

std::string_view without_compression(std::string_view path) {
  if (compression_of(path) != Compression::none) path = path.substr(0, path.rfind('.'));
  return path;
}

/// Reports a library's error as text. Decompressor adds the name of the input.
class Decompressor::Engine {
 public:
  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  struct Step {
    std::size_t taken = 0;
    std::size_t made = 0;
    bool member_ended = false;
    std::string damage;
  };
  virtual Step step(std::string_view in, std::span<char> out) = 0;

  bool between = true;
  bool padding = false;  // only zero bytes may follow
};

class Decompressor::Gzip : public Engine {
 public:
  Gzip() {
    if (::inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { ::inflateEnd(&stream_); }

  Step step(std::string_view in, std::span<char> out) override {
    if (padding || (begun_ && between && in.front() == '\0')) return pass_over_padding(in);
    if (between) ::inflateReset(&stream_);
    begun_ = true;
    stream_.next_in = bytes_of(in);
    stream_.avail_in = at_once(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = at_once(out.size());
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    Step step;
    step.taken = at_once(in.size()) - stream_.avail_in;
    step.made = at_once(out.size()) - stream_.avail_out;
    step.member_ended = status == Z_STREAM_END;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      step.damage = stream_.msg == nullptr ? "damaged" : stream_.msg;
    }
    return step;
  }

 private:
  /// Tapes and tools that write in blocks fill the end with zero bytes.
  Step pass_over_padding(std::string_view in) {
    padding = true;
    Step step;
    step.taken = in.size();
    if (in.find_first_not_of('\0') != std::string_view::npos) {
      step.damage = "followed by data that is not gzip";
    }
    return step;
  }

  z_stream stream_{};
  bool begun_ = false;
};

class Decompressor::Zstd : public Engine {
 public:
  Zstd() : stream_(::ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ::ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, kZstdWindow);
  }
  ~Zstd() override { ::ZSTD_freeDStream(stream_); }

  Step step(std::string_view in, std::span<char> out) override {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t left = ::ZSTD_decompressStream(stream_, &output, &input);
    Step step;
    step.taken = input.pos;
    step.made = output.pos;
    if (::ZSTD_isError(left) != 0) {
      step.damage = ::ZSTD_getErrorName(left);
    } else {
      step.member_ended = left == 0;
    }
    return step;
  }

 private:
  ZSTD_DStream* stream_;
};

Decompressor::Decompressor(Compression compression, std::string name) : name_(std::move(name)) {
  if (compression == Compression::gzip) {
    engine_ = std::make_unique<Gzip>();
  } else {
    engine_ = std::make_unique<Zstd>();
  }
}

Decompressor::~Decompressor() = default;
Decompressor::Decompressor(Decompressor&&) noexcept = default;
Decompressor& Decompressor::operator=(Decompressor&&) noexcept = default;

std::size_t Decompressor::read(std::string_view& in, std::span<char> out) {
  if (engine_->between && in.empty()) return 0;
  while (true) {
    const Engine::Step step = engine_->step(in, out);
    if (!step.damage.empty()) throw Error(name_, "cannot be decompressed: " + step.damage);
    in.remove_prefix(step.taken);
    if (step.taken > 0 || step.made > 0) engine_->between = step.member_ended;
    if (step.made > 0 || step.member_ended || in.empty()) return step.made;
  }
}

bool Decompressor::between_members() const { return engine_->between && !engine_->padding; }

void Decompressor::finish() const {
  if (!engine_->between && !engine_->padding) {
    throw Error(name_, "the compressed data ends too early", "the file may be truncated");
  }
}

namespace {

std::string gzip_member(std::string_view bytes) {
  z_stream stream{};
  constexpr int kMemoryLevel = 8;
  if (::deflateInit2(&stream, kGzipLevel, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string member(::deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  std::size_t taken = 0;
  std::size_t made = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    const unsigned offered = at_once(bytes.size() - taken);
    const unsigned room = at_once(member.size() - made);
    stream.next_in = bytes_of(bytes.substr(taken));
    stream.avail_in = offered;
    stream.next_out = reinterpret_cast<Bytef*>(member.data() + made);
    stream.avail_out = room;
    status = ::deflate(&stream, taken + offered == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    taken += offered - stream.avail_in;
    made += room - stream.avail_out;
  }
  ::deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::bad_alloc();
  member.resize(made);
  return member;
}

std::string zstd_frame(std::string_view bytes) {
  std::string frame(::ZSTD_compressBound(bytes.size()), '\0');
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(::ZSTD_createCCtx(),
                                                                        ::ZSTD_freeCCtx);
  if (context == nullptr) throw std::bad_alloc();
  ::ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kZstdLevel);
  ::ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t size =
      ::ZSTD_compress2(context.get(), frame.data(), frame.size(), bytes.data(), bytes.size());
  if (::ZSTD_isError(size) != 0) throw std::bad_alloc();
  frame.resize(size);
  return frame;
}

}  // namespace

std::string compressed_member(Compression compression, std::string_view bytes) {
  if (compression == Compression::none) return std::string(bytes);
  return compression == Compression::gzip ? gzip_member(bytes) : zstd_frame(bytes);
}

}  // namespace headlight
