"""Reads pictures of 8 bits a channel (ISO/IEC 15948), as rsvg-convert writes them."""

import struct
import zlib

import numpy

CHANNELS = {2: 3, 6: 4}  # colour type → RGB, RGBA


def unfiltered(line, above, kind, step):
    """One line of bytes, whose filter is undone."""
    if kind == 0:
        return line
    if kind == 1:
        return line.reshape(-1, step).cumsum(axis=0).ravel() & 255
    if kind == 2:
        return (line + above) & 255
    line, above = line.tolist(), above.tolist()
    out = line.copy()
    for i in range(len(line)):
        left = out[i - step] if i >= step else 0
        if kind == 3:
            guess = (left + above[i]) // 2
        else:  # Paeth
            corner = above[i - step] if i >= step else 0
            estimate = left + above[i] - corner
            guess = min((left, above[i], corner), key=lambda value: abs(estimate - value))
        out[i] = (line[i] + guess) & 255
    return numpy.array(out)


def read_png(data):
    """[height, width, 3]"""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, pixels, header = 8, b"", None
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at : at + 8])
        chunk = data[at + 8 : at + 8 + size]
        if name == b"IHDR":
            header = struct.unpack(">IIBBBBB", chunk)
        pixels += chunk if name == b"IDAT" else b""
        at += size + 12
    width, height, depth, colour, _, _, interlaced = header
    assert depth == 8 and colour in CHANNELS and not interlaced
    step = CHANNELS[colour]
    lines = numpy.frombuffer(zlib.decompress(pixels), numpy.uint8).astype(int).reshape(height, width * step + 1)
    rows, above = [], numpy.zeros(width * step, int)
    for line in lines:
        above = unfiltered(line[1:], above, line[0], step)
        rows.append(above)
    return numpy.array(rows, numpy.uint8).reshape(height, width, step)[:, :, :3]
