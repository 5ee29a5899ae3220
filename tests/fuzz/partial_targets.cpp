// What a stopped run leaves.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/compression.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "fuzz/decompressed.h"
#include "fuzz/targets.h"
#include "rows/origin.h"
#include "rows/resumable_file.h"
#include "rows/whole_rows.h"

namespace headlight::fuzz {
namespace {

Origin origin_of_partial() {
  Origin origin;
  origin.program = "fuzz";
  return origin;
}

/// The rows of an array of vectors, whole and in pieces.
void check_vectors(std::string_view data) {
  constexpr std::size_t kHeader = 16;
  for (const std::size_t number_size : {std::size_t{2}, std::size_t{4}}) {
    VectorRowFinder whole(kHeader, 3, number_size);
    VectorRowFinder pieces(kHeader, 3, number_size);
    whole.add(data);
    for (std::size_t at = 0; at < data.size(); at += 7) pieces.add(data.substr(at, 7));
    require(whole.found().bytes == pieces.found().bytes && whole.found().bytes <= data.size(),
            "rows do not depend on the pieces");
  }
}

/// An array of vectors that a stopped run left goes on behind its whole rows.
void check_resumed_vectors(std::string_view data) {
  const std::string header(16, 'h');
  const std::string row(12, 'r');
  const TemporaryFolder folder;
  folder.write("out.npy.partial", data);
  folder.write("out.npy.partial.json", to_json(origin_of_partial()));
  VectorRowFinder finder(header.size(), 3, 4);
  std::size_t rows = 0;
  {
    ResumableFile file(folder / "out.npy", Earlier::resume, origin_of_partial(), finder);
    rows = file.earlier_rows().rows;
    file.write(rows == 0 ? header + row : row);
    file.flush();
    file.write_beginning(header);
    file.finish();
  }
  const std::string bytes = folder.read("out.npy");
  const std::size_t size = rows * row.size();
  require(bytes.size() == header.size() + size + row.size() && bytes.starts_with(header) &&
              bytes.ends_with(row),
          "the next row follows the rows that are there");
  require(rows == 0 || bytes.substr(header.size(), size) == data.substr(header.size(), size),
          "vectors that were there stay");
}

/// Rows without a manifest, or with somebody else's, are neither continued nor lost.
void check_foreign(const std::string& name, std::string_view data, const RowShape& shape) {
  const TemporaryFolder folder;
  const std::string partial = name + ".partial";
  WholeRowFinder finder(shape);
  const auto is_refused_to = [&](Earlier earlier) {
    return is_refused([&] { ResumableFile(folder / name, earlier, origin_of_partial(), finder); });
  };
  folder.write(partial, data);
  require(data.empty() || is_refused_to(Earlier::refuse), "a stopped run is not overwritten");
  require(folder.read(partial) == data, "refused rows stay");
  const bool refused = is_refused_to(Earlier::resume);
  require(refused == (finder.found().rows > 0), "rows without a manifest are refused");
  require(!refused || folder.read(partial) == data, "refused rows stay");
  folder.write(partial, "");
  folder.write(partial + ".json", data);
  WholeRowFinder other(shape);
  const bool is_foreign = is_refused([&] { origin_from_json(data, "manifest"); });
  require(is_foreign == is_refused([&] {
            ResumableFile(folder / name, Earlier::resume, origin_of_partial(), other);
          }),
          "what does not describe a stopped run is somebody else's");
  require(!is_foreign || folder.read(partial + ".json") == data, "somebody else's file stays");
}

/// A finished file is not resumed, and not replaced unless that is asked for.
void check_finished(const std::string& path, const RowShape& shape) {
  WholeRowFinder finder(shape);
  require(ResumableFile(path, Earlier::resume, origin_of_partial(), finder).is_finished(),
          "a finished file needs nothing");
  require(is_refused([&] { ResumableFile(path, Earlier::refuse, origin_of_partial(), finder); }),
          "a finished file is refused");
  const ResumableFile fresh(path, Earlier::replace, origin_of_partial(), finder);
  require(!fresh.is_finished() && fresh.earlier_rows().rows == 0, "a replaced file begins anew");
}

}  // namespace

void run_partial(std::string_view data) {
  if (data.empty()) return;
  const char kind = data.front();
  const bool is_csv = kind == 'c';
  const std::string ending = kind == 'g' ? ".gz" : kind == 'z' ? ".zst" : "";
  data.remove_prefix(1);
  if (kind == 'v') {
    check_vectors(data);
    return check_resumed_vectors(data);
  }
  const TemporaryFolder folder;
  const std::string path = folder / ("out" + ending);
  const RowShape shape{is_csv ? RowFormat::csv : RowFormat::jsonl, false, std::nullopt, "error"};
  check_foreign("out" + ending, data, shape);
  folder.write("out" + ending + ".partial", data);
  folder.write("out" + ending + ".partial.json", to_json(origin_of_partial()));
  WholeRowFinder finder(shape);
  std::size_t rows = 0;
  {
    ResumableFile file(path, Earlier::resume, origin_of_partial(), finder);
    rows = file.earlier_rows().rows;
    file.write(is_csv ? "a,b\n" : "{}\n");
    file.finish();
  }
  const std::string bytes = folder.read("out" + ending);
  check_finished(path, shape);
  require(folder.read("out" + ending) == bytes, "a finished file stays");
  if (!ending.empty()) {
    decompressed(compression_of(path), bytes);
    return;
  }
  require(data.starts_with(std::string_view(bytes).substr(0, finder.found().bytes)),
          "rows that were there stay");
  require(rows == 0 || bytes.ends_with(is_csv ? "a,b\n" : "{}\n"), "the next row follows");
}

void run_manifest(std::string_view data) {
  const std::string rows = "{}\n{}\n";
  const TemporaryFolder folder;
  folder.write("out.partial", rows);
  folder.write("out.partial.json", data);
  const RowShape shape{RowFormat::jsonl, false, std::nullopt, "error"};
  WholeRowFinder finder(shape);
  require(marks_of_files({folder / "out.partial"}).at("out.partial") == mark_of(rows),
          "a file is known by its bytes");
  try {
    const Origin origin = origin_from_json(data, "manifest");
    require(to_json(origin_from_json(to_json(origin), "manifest")) == to_json(origin),
            "an origin is written as it was read");
    require(difference(origin, origin).empty(), "an origin does not differ from itself");
    require(difference(origin, origin_of_partial()).empty() ==
                difference(origin_of_partial(), origin).empty(),
            "origins differ from each other");
    require(model_hash(origin.model) == model_hash(origin_from_json(data, "again").model),
            "a hash depends on the facts alone");
    ResumableFile file(folder / "out", Earlier::resume, origin, finder);
    require(file.earlier_rows().rows == 2, "the rows of the same origin are kept");
    file.finish();
    require(folder.read("out") == rows, "the file has its rows");
  } catch (const Error&) {
    require(folder.read("out.partial") == rows, "refused rows stay");
  }
}

}  // namespace headlight::fuzz
