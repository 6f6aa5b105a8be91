/** The records of a zip file (PKWARE APPNOTE 6.3): local header, central header, end of the central directory. */

export const method = { stored: 0, deflated: 8 } as const;

export interface ZipRecord {
  readonly rawName: Uint8Array;
  readonly method: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  /** Offset of the local header. */
  readonly offset: number;
}

/** A 32-bit field with this value refers to the ZIP64 field. */
const overflow32 = 0xffffffff;
const overflow16 = 0xffff;
const utf8Flag = 0x0800;
/** 1980-01-01, the earliest date of the format. */
const fixedDate = 0x0021;
const unix = 3 << 8;
const regularFile = (0o100644 << 16) >>> 0;
const zip64Id = 0x0001;
/** Extra field for padding ("growth hint" of the Open Packaging Conventions). */
const paddingId = 0xa220;
const paddingSignature = 0xa028;
const reservedExtraBytes = 20;

function write64(buffer: Buffer, value: number, offset: number): number {
  return buffer.writeBigUInt64LE(BigInt(value), offset);
}

function needs64(value: number): boolean {
  return value >= overflow32;
}

function versionNeeded(large: boolean): number {
  return large ? 45 : 20;
}

/** Writes the fields that local and central headers share, from "version needed" to "extra length". */
function writeCommon(header: Buffer, at: number, entry: ZipRecord, large: boolean, extraBytes: number): void {
  header.writeUInt16LE(versionNeeded(large), at);
  header.writeUInt16LE(utf8Flag, at + 2);
  header.writeUInt16LE(entry.method, at + 4);
  header.writeUInt16LE(0, at + 6);
  header.writeUInt16LE(fixedDate, at + 8);
  header.writeUInt32LE(entry.crc, at + 10);
  header.writeUInt32LE(large ? overflow32 : entry.compressedBytes, at + 14);
  header.writeUInt32LE(large ? overflow32 : entry.sizeBytes, at + 18);
  header.writeUInt16LE(entry.rawName.length, at + 22);
  header.writeUInt16LE(extraBytes, at + 24);
}

/**
 * `reserve` leaves space for the ZIP64 sizes, so that the header can be rewritten with the same length when the size of
 * a streamed entry is known.
 */
export function localHeader(entry: ZipRecord, reserve: boolean): Buffer {
  const large = needs64(entry.sizeBytes) || needs64(entry.compressedBytes);
  const extraBytes = reserve || large ? reservedExtraBytes : 0;
  const header = Buffer.alloc(30 + entry.rawName.length + extraBytes);
  header.writeUInt32LE(0x04034b50, 0);
  writeCommon(header, 4, entry, large, extraBytes);
  header.set(entry.rawName, 30);
  const extra = 30 + entry.rawName.length;
  if (large) {
    header.writeUInt16LE(zip64Id, extra);
    header.writeUInt16LE(16, extra + 2);
    write64(header, entry.sizeBytes, extra + 4);
    write64(header, entry.compressedBytes, extra + 12);
  } else if (extraBytes > 0) {
    header.writeUInt16LE(paddingId, extra);
    header.writeUInt16LE(16, extra + 2);
    header.writeUInt16LE(paddingSignature, extra + 4);
  }
  return header;
}

export function centralHeader(entry: ZipRecord): Buffer {
  const large = needs64(entry.sizeBytes) || needs64(entry.compressedBytes);
  const far = needs64(entry.offset);
  const extraBytes = large || far ? 4 + (large ? 16 : 0) + (far ? 8 : 0) : 0;
  const header = Buffer.alloc(46 + entry.rawName.length + extraBytes);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(unix | versionNeeded(large || far), 4);
  writeCommon(header, 6, entry, large, extraBytes);
  if (far) header.writeUInt16LE(versionNeeded(true), 6);
  header.writeUInt32LE(regularFile, 38);
  header.writeUInt32LE(far ? overflow32 : entry.offset, 42);
  header.set(entry.rawName, 46);
  if (extraBytes === 0) return header;
  let position = 46 + entry.rawName.length;
  position = header.writeUInt16LE(zip64Id, position);
  position = header.writeUInt16LE(extraBytes - 4, position);
  if (large) {
    position = write64(header, entry.sizeBytes, position);
    position = write64(header, entry.compressedBytes, position);
  }
  if (far) write64(header, entry.offset, position);
  return header;
}

/** End of the central directory, preceded by the ZIP64 records if a number does not fit. */
export function endOfArchive(entries: number, directoryBytes: number, directoryOffset: number): Buffer {
  const large = entries >= overflow16 || needs64(directoryBytes) || needs64(directoryOffset);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries, overflow16), 8);
  end.writeUInt16LE(Math.min(entries, overflow16), 10);
  end.writeUInt32LE(Math.min(directoryBytes, overflow32), 12);
  end.writeUInt32LE(Math.min(directoryOffset, overflow32), 16);
  if (!large) return end;
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  write64(end64, 44, 4);
  end64.writeUInt16LE(unix | versionNeeded(true), 12);
  end64.writeUInt16LE(versionNeeded(true), 14);
  write64(end64, entries, 24);
  write64(end64, entries, 32);
  write64(end64, directoryBytes, 40);
  write64(end64, directoryOffset, 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  write64(locator, directoryOffset + directoryBytes, 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}
