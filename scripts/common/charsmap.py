"""Makes the `precompiled_charsmap` of a normalizer: rules as SentencePiece writes them."""

import itertools
import struct


def charsmap(replacements):
    """The bytes of a map with these rules. Its trie is a double array: a node's children stand at its
    block ^ their byte, and what its own string becomes at block ^ 0."""
    units, blocks, values = {0: 0}, set(), b""

    def free_block(slots):
        return next(
            block
            for block in itertools.count(1)
            if block not in blocks and not any(block ^ slot in units for slot in slots)
        )

    def add(position, keys):
        """The node at `position`, for the rests of the keys that lead through it."""
        value = keys.pop(b"", None)
        first_bytes = sorted({key[0] for key in keys})
        block = free_block(first_bytes if value is None else [0, *first_bytes])
        blocks.add(block)
        units[position] |= (position ^ block) << 10
        if value is not None:
            units[position] |= 1 << 8
            units[block] = value | 1 << 31
        units.update({block ^ byte: byte for byte in first_bytes})
        for byte in first_bytes:
            add(block ^ byte, {key[1:]: rest for key, rest in keys.items() if key[0] == byte})

    keys = {}
    for key, value in replacements.items():
        keys[key.encode()] = len(values)
        values += value.encode() + b"\0"
    add(0, keys)
    size = (max(units) // 256 + 1) * 256
    trie = struct.pack(f"<{size}I", *(units.get(position, 0) for position in range(size)))
    return struct.pack("<I", len(trie)) + trie + values
