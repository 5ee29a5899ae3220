#include "rows/row_spool.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <unistd.h>

#include "base/error.h"

namespace headlight {
namespace {

[[noreturn]] void fail_spool(const std::string& what) {
  throw Error("temporary file", what + ": " + std::strerror(errno),
              "set TMPDIR to a directory with room for the rows");
}

std::FILE* open_spool() {
  const char* folder = std::getenv("TMPDIR");
  std::string path = folder == nullptr || *folder == '\0' ? "/tmp" : folder;
  path += "/headlight-rows-XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) fail_spool(path + " cannot be created");
  ::unlink(path.c_str());
  std::FILE* file = ::fdopen(descriptor, "w+b");
  if (file == nullptr) fail_spool(path + " cannot be opened");
  return file;
}

/// Writes the members of a row one after another.
class RowWriter {
 public:
  void number(std::uint64_t value) { bytes(&value, sizeof value); }
  void text(const std::string& value) {
    number(value.size());
    bytes(value.data(), value.size());
  }
  void text(const std::optional<std::string>& value) {
    number(value ? 1 : 0);
    if (value) text(*value);
  }
  template <typename T>
  void list(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    number(values.size());
    bytes(values.data(), values.size() * sizeof(T));
  }
  const std::string& written() const { return out_; }

 private:
  void bytes(const void* from, std::size_t count) {
    out_.append(static_cast<const char*>(from), count);
  }
  std::string out_;
};

/// Reads what a RowWriter wrote.
class SpooledReader {
 public:
  explicit SpooledReader(std::string_view in) : in_(in) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    bytes(&value, sizeof value);
    return value;
  }
  std::string text() {
    std::string value(number(), '\0');
    bytes(value.data(), value.size());
    return value;
  }
  std::optional<std::string> optional_text() {
    if (number() == 0) return std::nullopt;
    return text();
  }
  template <typename T>
  std::vector<T> list() {
    std::vector<T> values(number());
    bytes(values.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  void bytes(void* to, std::size_t count) {
    if (count > 0) std::memcpy(to, in_.data(), count);
    in_.remove_prefix(count);
  }
  std::string_view in_;
};

std::string spooled(const Row& row) {
  RowWriter out;
  out.text(row.id.text);
  out.number(row.id.is_string ? 1 : 0);
  out.number(row.line);
  out.text(row.input.text);
  out.text(row.input.pair);
  out.number(row.input.ids ? 1 : 0);
  if (row.input.ids) {
    out.list(row.input.ids->ids);
    out.list(row.input.ids->type_ids);
    out.list(row.input.ids->offsets);
  }
  out.text(row.label);
  out.number(row.kept.size());
  for (const KeptField& field : row.kept) {
    out.text(field.name);
    out.text(field.text);
    out.number(field.is_string ? 1 : 0);
  }
  out.text(row.error);
  return out.written();
}

Row row_of(std::string_view bytes) {
  SpooledReader in(bytes);
  Row row;
  row.id.text = in.text();
  row.id.is_string = in.number() != 0;
  row.line = in.number();
  row.input.text = in.text();
  row.input.pair = in.optional_text();
  if (in.number() != 0) {
    TypedIds& ids = row.input.ids.emplace();
    ids.ids = in.list<TokenId>();
    ids.type_ids = in.list<TokenId>();
    ids.offsets = in.list<Offset>();
  }
  row.label = in.optional_text();
  const std::size_t kept = in.number();
  for (std::size_t i = 0; i < kept; ++i) {
    KeptField& field = row.kept.emplace_back();
    field.name = in.text();
    field.text = in.optional_text();
    field.is_string = in.number() != 0;
  }
  row.error = in.text();
  return row;
}

}  // namespace

void RowSpool::add(Row row) {
  ++size_;
  used_ += sizeof(Row) + bytes_of(row);
  if (file_ == nullptr && used_ <= memory_) {
    rows_.push_back(std::move(row));
    return;
  }
  if (file_ == nullptr) file_.reset(open_spool());
  const std::string bytes = spooled(row);
  const std::uint64_t count = bytes.size();
  if (std::fwrite(&count, sizeof count, 1, file_.get()) != 1 ||
      std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    fail_spool("rows cannot be written");
  }
  ++in_file_;
}

std::optional<Row> RowSpool::next() {
  if (!rows_.empty()) {
    Row row = std::move(rows_.front());
    rows_.pop_front();
    return row;
  }
  if (in_file_ == 0) return std::nullopt;
  if (!reading_ && (std::fflush(file_.get()) != 0 || std::fseek(file_.get(), 0, SEEK_SET) != 0)) {
    fail_spool("rows cannot be written");
  }
  reading_ = true;
  std::uint64_t count = 0;
  if (std::fread(&count, sizeof count, 1, file_.get()) != 1) fail_spool("rows cannot be read");
  std::string bytes(count, '\0');
  if (std::fread(bytes.data(), 1, count, file_.get()) != count) fail_spool("rows cannot be read");
  --in_file_;
  return row_of(bytes);
}

}  // namespace headlight
