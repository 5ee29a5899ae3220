"""Makes the `precompiled_charsmap` of a normalizer: rules as SentencePiece writes them."""

import struct


def charsmap(replacements):
    """The bytes of a `precompiled_charsmap`: a double array with a block of 256 units a node."""
    units, values = [0] * 256, b""

    def add(position, block, keys):
        """The node at `position`, whose children stand in `block`."""
        units[position] |= (position ^ block) << 10
        for byte in sorted({key[0] for key in keys}):
            child = block ^ byte
            units[child] |= byte
            rest = {key[1:]: value for key, value in keys.items() if key[0] == byte}
            next_block = len(units)
            units.extend([0] * 256)
            if b"" in rest:
                units[child] |= 1 << 8
                units[next_block] = rest.pop(b"") | 1 << 31
            add(child, next_block, rest)

    keys = {}
    for key, value in replacements.items():
        keys[key.encode()] = len(values)
        values += value.encode() + b"\0"
    units.extend([0] * 256)
    add(0, 256, keys)
    return struct.pack(f"<I{len(units)}I", 4 * len(units), *units) + values
