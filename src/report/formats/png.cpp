#include "report/formats/png.h"

#include <array>
#include <new>
#include <string_view>

#include <zlib.h>

namespace headlight {
namespace {

void append_number(std::string& out, std::size_t number) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    out += static_cast<char>(number >> shift & 0xFFU);
  }
}

void append_chunk(std::string& png, std::string_view type, std::string_view data) {
  append_number(png, data.size());
  const std::size_t start = png.size();
  png += type;
  png += data;
  const std::string_view checked = std::string_view(png).substr(start);
  append_number(png, crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                           static_cast<uInt>(checked.size())));
}

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  if (compress(reinterpret_cast<Bytef*>(out.data()), &size,
               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) != Z_OK) {
    throw std::bad_alloc();
  }
  out.resize(size);
  return out;
}

}  // namespace

std::string encode_png(std::size_t width, std::span<const std::uint8_t> points,
                       std::span<const Colour> colours) {
  // 8 bits a point, a palette, no interlacing.
  constexpr std::string_view kPaletteFormat("\x08\x03\x00\x00\x00", 5);
  std::string header;
  append_number(header, width);
  append_number(header, points.size() / width);
  header += kPaletteFormat;
  std::string palette;
  for (const Colour& colour : colours) {
    for (const std::uint8_t part : {colour.red, colour.green, colour.blue}) {
      palette += static_cast<char>(part);
    }
  }
  std::string lines;  // each begins with its filter: none
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % width == 0) lines += '\0';
    lines += static_cast<char>(points[i]);
  }
  std::string png = "\x89PNG\r\n\x1a\n";
  append_chunk(png, "IHDR", header);
  append_chunk(png, "PLTE", palette);
  append_chunk(png, "IDAT", deflated(lines));
  append_chunk(png, "IEND", "");
  return png;
}

}  // namespace headlight
