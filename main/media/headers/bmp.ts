import { BrokenHeader, endsInHeader, type HeaderParser } from './image-header.ts';

const fileHeaderBytes = 14;
const coreHeaderBytes = 12;

export const parseBmp: HeaderParser = async (reader) => {
  const head = await reader.at(0, fileHeaderBytes + 40);
  if (head.length < fileHeaderBytes + coreHeaderBytes) throw new BrokenHeader(endsInHeader);
  const headerBytes = head.readUInt32LE(fileHeaderBytes);
  const common = { format: 'bmp', orientation: 1, pageCount: 1, bitsPerChannel: 8 } as const;
  if (headerBytes === coreHeaderBytes) {
    const size = { width: head.readUInt16LE(18), height: head.readUInt16LE(20) };
    return { ...common, ...size, isComplete: isComplete(reader.sizeBytes, head, size, head.readUInt16LE(24)) };
  }
  if (headerBytes < 40 || headerBytes > 124)
    throw new BrokenHeader(`its header of ${headerBytes} bytes has an unknown format`);
  if (head.length < fileHeaderBytes + 40) throw new BrokenHeader(endsInHeader);
  // A negative height means that the rows run from top to bottom.
  const size = { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) };
  if (size.width <= 0) throw new BrokenHeader(`its header states a width of ${size.width}`);
  const isCompressed = [1, 2].includes(head.readUInt32LE(30));
  return {
    ...common,
    ...size,
    isComplete: isCompressed || isComplete(reader.sizeBytes, head, size, head.readUInt16LE(28)),
  };
};

function isComplete(
  fileBytes: number,
  head: Buffer,
  size: { width: number; height: number },
  bitsPerPixel: number,
): boolean {
  const rowBytes = Math.ceil((size.width * bitsPerPixel) / 32) * 4;
  return fileBytes >= head.readUInt32LE(10) + rowBytes * size.height;
}
