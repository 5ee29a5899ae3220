#include "rows/row_spool.h"

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace headlight {
namespace {

/// Appends bytes.
class SpoolWriter {
 public:
  void bytes(const void* from, std::size_t count) {
    written.append(static_cast<const char*>(from), count);
  }

  std::string written;
};

/// Reads them in the same order.
class SpoolReader {
 public:
  explicit SpoolReader(std::string_view rest) : rest_(rest) {}

  void bytes(void* to, std::size_t count) {
    if (count > 0) std::memcpy(to, rest_.data(), count);
    rest_.remove_prefix(count);
  }

 private:
  std::string_view rest_;
};

/// Writes the members of a row one after another, or reads them.
template <typename Spool>
class RowMembers {
 public:
  explicit RowMembers(Spool& spool) : spool_(spool) {}

  template <typename... Members>
  void pass(Members&... members) {
    (one(members), ...);
  }

 private:
  template <typename T>
  void one(T& plain) {
    static_assert(std::is_trivially_copyable_v<T>);
    spool_.bytes(&plain, sizeof plain);
  }
  template <typename List>
  void sized(List& list) {
    std::size_t size = list.size();
    one(size);
    list.resize(size);
  }
  void one(std::string& text) {
    sized(text);
    spool_.bytes(text.data(), text.size());
  }
  template <typename T>
  void one(std::vector<T>& list) {
    sized(list);
    for (T& element : list) one(element);
  }
  template <typename T>
  void one(std::optional<T>& value) {
    bool is_there = value.has_value();
    one(is_there);
    if (is_there) one(value ? *value : value.emplace());
  }
  void one(TypedIds& typed) { pass(typed.ids, typed.type_ids, typed.offsets); }
  void one(KeptField& field) { pass(field.name, field.text, field.is_string); }
  void one(Row& row) {
    pass(row.id.text, row.id.is_string, row.number, row.line, row.file, row.input.text,
         row.input.pair);
    pass(row.input.ids, row.label, row.kept, row.error, row.cure, row.is_empty);
  }

  Spool& spool_;
};

}  // namespace

void RowSpool::add(Row row) {
  ++size_;
  used_ += sizeof(Row) + bytes_of(row);
  if (file_ == nullptr && used_ <= memory_) {
    rows_.push_back(std::move(row));
    return;
  }
  if (file_ == nullptr) file_ = std::make_unique<TemporaryFile>();
  SpoolWriter writer;
  RowMembers(writer).pass(row);
  const std::size_t count = writer.written.size();
  file_->append({reinterpret_cast<const char*>(&count), sizeof count});
  file_->append(writer.written);
}

std::optional<Row> RowSpool::next() {
  if (!rows_.empty()) {
    Row row = std::move(rows_.front());
    rows_.pop_front();
    return row;
  }
  if (file_ == nullptr || read_ == file_->size()) return std::nullopt;
  std::size_t count = 0;
  file_->read(read_, {reinterpret_cast<char*>(&count), sizeof count});
  std::string bytes(count, '\0');
  file_->read(read_ + sizeof count, bytes);
  read_ += sizeof count + count;
  SpoolReader reader(bytes);
  Row row;
  RowMembers(reader).pass(row);
  return row;
}

}  // namespace headlight
