"""A minimal PNG reader. In images with Pillow, use `PIL.Image.open(io.BytesIO(data))` instead."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Colour type to channels: gray, RGB, palette, gray with alpha, RGB with alpha.
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
# Larger images would fill the container's memory.
MOST_PIXELS = 64 * 1000 * 1000


class Image(object):
    """`rows` contains a bytes-like object per row, with `channels` bytes (0 to 255) per pixel."""

    def __init__(self, width, height, channels, rows):
        self.width = width
        self.height = height
        self.channels = channels
        self.rows = rows


def read_png(data):
    """Raises ValueError with a message if the data is not PNG or is an unsupported kind."""
    if data[:8] != SIGNATURE:
        raise ValueError("The image is not PNG, the only format that this function reads.")
    header, palette, pieces = None, b"", []
    for kind, content in chunks_of(data):
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", content)
        elif kind == b"PLTE":
            palette = content
        elif kind == b"IDAT":
            pieces.append(content)
    if header is None:
        raise ValueError("The PNG has no header.")
    width, height, depth, color_type, _compression, _filter, interlace = header
    if depth not in (8, 16) or color_type not in CHANNELS or interlace:
        raise ValueError("The PNG is interlaced or has fewer than 8 bits per channel, which this function does not support.")
    if not 0 < width * height <= MOST_PIXELS:
        raise ValueError("The PNG has {} x {} pixels, which is too many.".format(width, height))
    channels = CHANNELS[color_type]
    rows = unfiltered_rows(b"".join(pieces), width, height, channels * depth // 8)
    if depth == 16:
        # Keeps the high byte of each 16-bit sample.
        rows = [row[::2] for row in rows]
    if color_type == 3:
        colors = [palette[at : at + 3] for at in range(0, len(palette), 3)]
        rows = [b"".join(colors[index] for index in row) for row in rows]
        channels = 3
    return Image(width, height, channels, rows)


def chunks_of(data):
    at = 8
    while at + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        yield kind, data[at + 8 : at + 8 + size]
        at += size + 12


def unfiltered_rows(packed, width, height, pixel):
    """Each row begins with its filter type; see the PNG specification, part 9."""
    length = width * pixel
    try:
        text = zlib.decompressobj().decompress(packed, (length + 1) * height)
    except zlib.error as problem:
        raise ValueError("The PNG is damaged: {}.".format(problem))
    if len(text) < (length + 1) * height:
        raise ValueError("The PNG is truncated.")
    rows = []
    above = bytes(length)
    for start in range(0, (length + 1) * height, length + 1):
        kind = text[start]
        row = bytearray(text[start + 1 : start + 1 + length])
        if kind == 1:
            for at in range(pixel, length):
                row[at] = (row[at] + row[at - pixel]) & 255
        elif kind == 2:
            row = bytearray((value + up) & 255 for value, up in zip(row, above))
        elif kind == 3:
            for at in range(length):
                left = row[at - pixel] if at >= pixel else 0
                row[at] = (row[at] + ((left + above[at]) >> 1)) & 255
        elif kind == 4:
            paeth(row, above, pixel)
        elif kind != 0:
            raise ValueError("The PNG is damaged: unknown filter {}.".format(kind))
        rows.append(row)
        above = row
    return rows


def paeth(row, above, pixel):
    for at in range(len(row)):
        left = row[at - pixel] if at >= pixel else 0
        corner = above[at - pixel] if at >= pixel else 0
        up = above[at]
        to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
        if to_left <= to_up and to_left <= to_corner:
            nearest = left
        else:
            nearest = up if to_up <= to_corner else corner
        row[at] = (row[at] + nearest) & 255
