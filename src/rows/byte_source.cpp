#include "rows/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/interrupt.h"

namespace headlight {
namespace {

constexpr std::size_t kPiece = std::size_t{64} * 1024;
constexpr std::size_t kComparedBytes = 64;  // at the beginning of a file

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  const char* what;
  const char* hint;
};

constexpr const char* kSaveAsCsv = "save it as CSV";
constexpr const char* kToUtf8 = "convert it with iconv -f UTF-16 -t UTF-8";
constexpr const char* kWideToUtf8 = "convert it with iconv -f UTF-32 -t UTF-8";
constexpr const char* kExpected = "expected text lines, JSONL, CSV or TSV";
constexpr const char* kPickle = "a pickle file, such as a PyTorch checkpoint";

constexpr std::array<Signature, 24> kSignatures = {{
    {kLfsPointer, kLfsFound, kLfsCure},
    {"\x1F\x8B\x08"sv, "gzip data",
     "pipe it through zcat, or give the name of a file that ends with .gz"},
    {"\x28\xB5\x2F\xFD"sv, "zstd data",
     "pipe it through zstdcat, or give the name of a file that ends with .zst"},
    {"BZh91AY&SY"sv, "bzip2 data", "decompress it first"},
    {"\xFD"
     "7zXZ\0"sv,
     "xz data", "decompress it first"},
    {"7z\xBC\xAF"sv, "a 7z archive", "extract it first"},
    {"\xFF\xFE\0\0"sv, "UTF-32 text", kWideToUtf8},
    {"\0\0\xFE\xFF"sv, "UTF-32 text", kWideToUtf8},
    {"\xFF\xFE"sv, "UTF-16 text", kToUtf8},
    {"\xFE\xFF"sv, "UTF-16 text", kToUtf8},
    {"\xD0\xCF\x11\xE0"sv, "an old Excel or Word file (.xls, .doc)", kSaveAsCsv},
    {"\x89PNG"sv, "a PNG image", kExpected},
    {"\xFF\xD8\xFF"sv, "a JPEG image", kExpected},
    {"%PDF-"sv, "a PDF document", kExpected},
    {"\x89HDF"sv, "an HDF5 file", kExpected},
    {"\x93NUMPY"sv, "a NumPy array", kExpected},
    {"PAR1\x15"sv, "a Parquet file",
     "write it as CSV: duckdb -c \"COPY 'FILE' TO 'rows.csv'\"; Python has "
     "headlight.batch_parquet()"},
    {"ARROW1\0"sv, "an Arrow file", "write it as JSONL or CSV"},
    {"SQLite format 3\0"sv, "an SQLite database", "write its rows as CSV"},
    {"\x7F"
     "ELF"sv,
     "a program", kExpected},
    {"\x80\x02"sv, kPickle, kExpected},
    {"\x80\x03"sv, kPickle, kExpected},
    {"\x80\x04\x95"sv, kPickle, kExpected},
    {"\x80\x05\x95"sv, kPickle, kExpected},
}};

/// A length of eight bytes, little-endian and below 4 GiB, then a JSON header.
bool is_safetensors(std::string_view beginning) {
  constexpr std::size_t kLengthBytes = 8;
  return beginning.size() > kLengthBytes && beginning[kLengthBytes] == '{' &&
         beginning.substr(kLengthBytes / 2, kLengthBytes / 2) == "\0\0\0\0"sv;
}

BinaryKind zip_kind(std::string_view beginning) {
  const auto holds = [&](std::string_view name) {
    return beginning.find(name) != std::string_view::npos;
  };
  if (holds("[Content_Types].xml") || holds("_rels/") || holds("docProps/")) {
    return {"an Excel or Word file (.xlsx, .docx)", kSaveAsCsv};
  }
  if (holds("mimetypeapplication/vnd.oasis")) return {"an OpenDocument file (.ods)", kSaveAsCsv};
  if (holds("data.pkl")) return {"a PyTorch checkpoint", kExpected};
  if (holds(".npy")) return {"an archive of NumPy arrays (.npz)", kExpected};
  return {"a ZIP archive", "extract it first, or save a spreadsheet as CSV"};
}

}  // namespace

std::optional<BinaryKind> binary_kind(std::string_view beginning) {
  beginning = beginning.substr(0, kComparedBytes);
  if (beginning.starts_with("PK\x03\x04"sv)) return zip_kind(beginning);
  if (is_safetensors(beginning)) return BinaryKind{"a safetensors file", kExpected};
  for (const Signature& signature : kSignatures) {
    if (beginning.starts_with(signature.bytes)) return BinaryKind{signature.what, signature.hint};
  }
  constexpr std::size_t kManyNuls = 4;
  std::array<std::size_t, 2> nuls = {};  // at even and at odd places
  for (std::size_t i = 0; i < beginning.size(); ++i) nuls[i % 2] += beginning[i] == '\0' ? 1 : 0;
  if (nuls[0] + nuls[1] < kManyNuls) return std::nullopt;
  if (std::min(nuls[0], nuls[1]) == 0 && 3 * std::max(nuls[0], nuls[1]) > beginning.size()) {
    const char* const order = nuls[0] > 0 ? "BE" : "LE";
    return BinaryKind{"UTF-16 text without a byte-order mark",
                      std::string("convert it with iconv -f UTF-16") + order + " -t UTF-8"};
  }
  return BinaryKind{"binary data", std::string(kExpected) + " in UTF-8"};
}

ByteSource::ByteSource(int descriptor, std::string name, Compression compression)
    : descriptor_(descriptor), name_(std::move(name)) {
  guard_input(descriptor_, name_);
  if (compression != Compression::none) decompressor_.emplace(compression, name_);
}

bool ByteSource::wait(int milliseconds) const {
  if (more_inside_ || !undelivered_.empty()) return true;
  std::array<pollfd, 2> waiting = {{{descriptor_, POLLIN, 0}, {stop_descriptor(), POLLIN, 0}}};
  const int ready = ::poll(waiting.data(), waiting.size(), milliseconds);
  return ready > 0 && waiting[0].revents != 0;
}

bool ByteSource::read(std::string& bytes) {
  const std::size_t before = bytes.size();
  const bool more = decompressor_ ? read_compressed(bytes) : read_piece(bytes);
  check_beginning(std::string_view(bytes).substr(before));
  return more;
}

/// The beginning may arrive in pieces. A piece is checked before any of its rows is returned.
void ByteSource::check_beginning(std::string_view added) {
  if (beginning_.size() >= kComparedBytes || added.empty()) return;
  beginning_ += added.substr(0, kComparedBytes - beginning_.size());
  if (const auto kind = binary_kind(beginning_)) {
    throw Error(name_, "looks like " + kind->what, kind->hint);
  }
}

bool ByteSource::read_piece(std::string& bytes) {
  const std::size_t size = bytes.size();
  bytes.resize(size + kPiece);
  const ssize_t count = ::read(descriptor_, bytes.data() + size, kPiece);
  const int reason = errno;
  const std::size_t added = count > 0 ? static_cast<std::size_t>(count) : 0;
  bytes.resize(size + added);
  position_ += added;
  if (count < 0 && reason != EINTR && reason != EAGAIN) {
    throw Error(name_, "cannot read: " + system_message(reason));
  }
  hash_.add(std::string_view(bytes).substr(size));
  if (count == 0) remember_hash(name_, hash_.text());
  return count != 0;
}

bool ByteSource::read_compressed(std::string& bytes) {
  if (!more_inside_ && undelivered_.empty()) {
    compressed_.clear();
    if (!read_piece(compressed_)) {
      decompressor_->finish();
      return false;
    }
    undelivered_ = compressed_;
  }
  const std::size_t size = bytes.size();
  bytes.resize(size + kPiece);
  const std::size_t made = decompressor_->read(undelivered_, {bytes.data() + size, kPiece});
  bytes.resize(size + made);
  more_inside_ = made == kPiece;
  return true;
}

}  // namespace headlight
