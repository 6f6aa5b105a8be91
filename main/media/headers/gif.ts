import type { HeaderReader } from './header-reader.ts';
import { BrokenHeader, endsInHeader, type HeaderParser } from './image-header.ts';

/** Frames are counted up to this offset; the first one is displayed. */
const countedBytes = 4 * 1024 * 1024;

const extensionBlock = 0x21;
const imageBlock = 0x2c;
const trailer = 0x3b;

export const parseGif: HeaderParser = async (reader) => {
  const head = await reader.at(0, 13);
  if (head.length < 13) throw new BrokenHeader(endsInHeader);
  const screen = { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  const flags = head[10] ?? 0;
  const blocks = await readBlocks(reader, 13 + colorTableBytes(flags));
  if (blocks.first === undefined) throw new BrokenHeader('it contains no image');
  const { first } = blocks;
  return {
    format: 'gif',
    // Viewers enlarge a screen that is too small for its first frame.
    width: Math.max(screen.width, first.left + first.width),
    height: Math.max(screen.height, first.top + first.height),
    orientation: 1,
    pageCount: blocks.count,
    bitsPerChannel: 8,
    isComplete: blocks.isComplete,
  };
};

interface Placement {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function colorTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Walks the file's blocks; `isComplete` is false only if the first frame has no end. */
async function readBlocks(
  reader: HeaderReader,
  start: number,
): Promise<{ first: Placement | undefined; count: number; isComplete: boolean }> {
  // A separate buffer: one read for many blocks of at most 255 bytes.
  const bytes = Buffer.from(await reader.at(start, Math.min(countedBytes, reader.sizeBytes)));
  let first: Placement | undefined;
  let count = 0;
  let offset = 0;
  while (offset < bytes.length) {
    const kind = bytes[offset];
    if (kind === extensionBlock) {
      offset = skipSubBlocks(bytes, offset + 2);
    } else if (kind === imageBlock && offset + 10 <= bytes.length) {
      first ??= {
        left: bytes.readUInt16LE(offset + 1),
        top: bytes.readUInt16LE(offset + 3),
        width: bytes.readUInt16LE(offset + 5),
        height: bytes.readUInt16LE(offset + 7),
      };
      count += 1;
      offset = skipSubBlocks(bytes, offset + 11 + colorTableBytes(bytes[offset + 9] ?? 0));
      if (count === 1 && offset > bytes.length && start + bytes.length >= reader.sizeBytes) {
        return { first, count, isComplete: false };
      }
    } else if (kind === trailer || kind !== 0) {
      break;
    } else {
      offset += 1;
    }
  }
  return { first, count, isComplete: true };
}

/** The offset after a chain of length-prefixed blocks; beyond the buffer if the chain does not end in it. */
function skipSubBlocks(bytes: Buffer, start: number): number {
  let offset = start;
  while (offset < bytes.length) {
    const length = bytes[offset] ?? 0;
    offset += 1 + length;
    if (length === 0) return offset;
  }
  return bytes.length + 1;
}
