import { exifOrientation } from './exif.ts';
import type { HeaderReader } from './header-reader.ts';
import { BrokenHeader, endsInHeader, type HeaderParser, type Orientation } from './image-header.ts';

const maxChunks = 2000;
/** Limit per file; a file of empty chunks must not block the parser. */
const maxChunksToEnd = 200_000;
const exifBytes = 2048;

export const parsePng: HeaderParser = async (reader) => {
  const head = await reader.at(0, 33);
  if (head.length < 33) throw new BrokenHeader(endsInHeader);
  // Apple's variant starts with a CgBI chunk and is not a valid PNG for other readers.
  if (head.toString('latin1', 12, 16) !== 'IHDR') throw new BrokenHeader('its first chunk is not the header');
  const size = { width: head.readUInt32BE(16), height: head.readUInt32BE(20), bitsPerChannel: head[24] ?? 8 };
  let orientation: Orientation = 1;
  let pageCount = 1;
  let offset = 33;
  for (let index = 0; index < maxChunks; index += 1) {
    const chunk = await reader.at(offset, 12);
    const type = chunk.toString('latin1', 4, 8);
    if (chunk.length < 8 || type === 'IDAT' || type === 'IEND') break;
    const length = chunk.readUInt32BE(0);
    if (type === 'acTL' && chunk.length === 12) pageCount = Math.max(1, chunk.readUInt32BE(8));
    if (type === 'eXIf') orientation = exifOrientation(await reader.at(offset + 8, Math.min(length, exifBytes)));
    offset += 12 + length;
  }
  return { format: 'png', ...size, orientation, pageCount, isComplete: await hasEnd(reader, offset) };
};

/** The last chunk nearly always ends the file; if other data follows, the chunks lead to it. */
async function hasEnd(reader: HeaderReader, firstChunk: number): Promise<boolean> {
  const end = await reader.at(Math.max(0, reader.sizeBytes - 64), 64);
  if (end.includes('IEND', 0, 'latin1')) return true;
  let offset = firstChunk;
  for (let index = 0; index < maxChunksToEnd; index += 1) {
    const chunk = await reader.at(offset, 8);
    if (chunk.length < 8) return false;
    if (chunk.toString('latin1', 4, 8) === 'IEND') return true;
    offset += 12 + chunk.readUInt32BE(0);
  }
  return true;
}
