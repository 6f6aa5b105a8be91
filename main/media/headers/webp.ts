import type { HeaderReader } from './header-reader.ts';
import { exifOrientation } from './exif.ts';
import { BrokenHeader, endsInHeader, type HeaderParser, type Orientation } from './image-header.ts';

const exifFlag = 0x08;
const animationFlag = 0x02;
const maxChunks = 20_000;
const exifBytes = 2048;

export const parseWebp: HeaderParser = async (reader) => {
  const head = await reader.at(0, 30);
  if (head.length < 30) throw new BrokenHeader(endsInHeader);
  const common = {
    format: 'webp',
    bitsPerChannel: 8,
    isComplete: reader.sizeBytes >= head.readUInt32LE(4) + 8,
  } as const;
  const still = { ...common, orientation: 1, pageCount: 1 } as const;
  const kind = head.toString('latin1', 12, 16);
  if (kind === 'VP8 ') {
    if (head[23] !== 0x9d || head[24] !== 0x01 || head[25] !== 0x2a) throw new BrokenHeader('its image has no start');
    return { ...still, width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
  }
  if (kind === 'VP8L') {
    if (head[20] !== 0x2f) throw new BrokenHeader('its image has no start');
    const bits = head.readUInt32LE(21);
    return { ...still, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== 'VP8X') throw new BrokenHeader(`its first chunk is ${JSON.stringify(kind)}`);
  const flags = head[20] ?? 0;
  const size = { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
  if ((flags & (exifFlag | animationFlag)) === 0) return { ...still, ...size };
  return { ...common, ...size, ...(await readChunks(reader)) };
};

/** Walks the chunk headers, because EXIF follows the image and animation frames are separate chunks. */
async function readChunks(reader: HeaderReader): Promise<{ orientation: Orientation; pageCount: number }> {
  let orientation: Orientation = 1;
  let frames = 0;
  let offset = 12;
  for (let index = 0; index < maxChunks; index += 1) {
    const chunk = await reader.at(offset, 8);
    if (chunk.length < 8) break;
    const type = chunk.toString('latin1', 0, 4);
    const length = chunk.readUInt32LE(4);
    if (type === 'ANMF') frames += 1;
    if (type === 'EXIF') {
      const block = await reader.at(offset + 8, Math.min(length, exifBytes));
      orientation = exifOrientation(block.toString('latin1', 0, 6) === 'Exif\0\0' ? block.subarray(6) : block);
    }
    offset += 8 + length + (length % 2);
  }
  return { orientation, pageCount: Math.max(1, frames) };
}
