import { BrokenHeader, type HeaderParser } from './image-header.ts';

/** Real files have a handful of boxes; a file of empty ones must not block the parser. */
const maxBoxes = 1000;

/**
 * Walks the boxes of the container (ISO/IEC 14496-12): their lengths add up to the file's. An AVIF cannot be displayed
 * before its end is available. The library reads its header.
 */
export const parseAvif: HeaderParser = async (reader) => {
  let offset = 0;
  for (let box = 0; box < maxBoxes && offset < reader.sizeBytes; box += 1) {
    const head = await reader.at(offset, 16);
    const length = head.length < 8 ? 8 : head.readUInt32BE(0);
    // 0: the box extends to the end of the file. 1: a 64-bit length follows.
    if (length === 0) return null;
    const isLong = length === 1 && head.length === 16;
    offset += isLong ? Number(head.readBigUInt64BE(8)) : Math.max(8, length);
  }
  if (offset > reader.sizeBytes) throw new BrokenHeader('the file ends before its image does');
  return null;
};
