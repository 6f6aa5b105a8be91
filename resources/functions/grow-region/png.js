/** A minimal PNG reader. In images with the package `sharp`, use that instead. */
'use strict';

const zlib = require('zlib');

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Colour type to channels: gray, RGB, palette, gray with alpha, RGB with alpha. */
const channelsOf = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Larger images would fill the container's memory. */
const mostPixels = 64e6;

/** Returns `{ width, height, channels, data }` with bytes 0 to 255. Throws an Error with a message. */
exports.readPng = function readPng(bytes) {
  if (!bytes.subarray(0, 8).equals(signature)) {
    throw new Error('The image is not PNG, the only format that this function reads.');
  }
  let header = null;
  let palette = Buffer.alloc(0);
  const pieces = [];
  for (let at = 8; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + 8 + size);
    if (kind === 'IHDR') header = content;
    else if (kind === 'PLTE') palette = content;
    else if (kind === 'IDAT') pieces.push(content);
    at += size + 12;
  }
  if (header === null) throw new Error('The PNG has no header.');
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const [depth, colorType, , , interlace] = header.subarray(8);
  const channels = channelsOf[colorType];
  if (![8, 16].includes(depth) || channels === undefined || interlace !== 0) {
    throw new Error(
      'The PNG is interlaced or has fewer than 8 bits per channel, which this function does not support.',
    );
  }
  if (!(width * height > 0 && width * height <= mostPixels)) {
    throw new Error(`The PNG has ${width} x ${height} pixels, which is too many.`);
  }
  const pixel = (channels * depth) / 8;
  let data = unfilter(inflate(pieces, (width * pixel + 1) * height), width * pixel, height, pixel);
  // Keeps the high byte of each 16-bit sample.
  if (depth === 16) data = data.filter((_value, index) => index % 2 === 0);
  if (colorType !== 3) return { width, height, channels, data };
  const colors = new Uint8Array(width * height * 3);
  data.forEach((index, at) => colors.set(palette.subarray(index * 3, index * 3 + 3), at * 3));
  return { width, height, channels: 3, data: colors };
};

function inflate(pieces, size) {
  let text;
  try {
    text = zlib.inflateSync(Buffer.concat(pieces), { maxOutputLength: size });
  } catch (problem) {
    throw new Error(`The PNG is damaged: ${problem.message}.`, { cause: problem });
  }
  if (text.length < size) throw new Error('The PNG is truncated.');
  return text;
}

/** Each row begins with its filter type; see the PNG specification, part 9. */
function unfilter(text, length, height, pixel) {
  const data = new Uint8Array(length * height);
  for (let row = 0; row < height; row += 1) {
    const kind = text[row * (length + 1)];
    if (kind > 4) throw new Error(`The PNG is damaged: unknown filter ${kind}.`);
    const from = row * (length + 1) + 1;
    const to = row * length;
    for (let at = 0; at < length; at += 1) {
      const left = at >= pixel ? data[to + at - pixel] : 0;
      const up = row > 0 ? data[to + at - length] : 0;
      const corner = at >= pixel && row > 0 ? data[to + at - length - pixel] : 0;
      data[to + at] = text[from + at] + predicted(kind, left, up, corner);
    }
  }
  return data;
}

function predicted(kind, left, up, corner) {
  if (kind === 0) return 0;
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
