import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of a crafted archive. Fields besides name and content default to their correct value. */
export interface CraftedEntry {
  readonly name: string | Uint8Array;
  readonly content?: Uint8Array | string;
  readonly deflate?: boolean;
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly statedSize?: number;
  readonly statedCompressedSize?: number;
  readonly statedOffset?: number;
  /** Unix mode, including the file type. */
  readonly mode?: number;
  readonly centralExtra?: Uint8Array;
}

export interface CraftedArchive {
  readonly entries: readonly CraftedEntry[];
  readonly statedEntryCount?: number;
  readonly statedDirectoryOffset?: number;
  readonly comment?: Uint8Array;
}

function header(signature: number, fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const buffer = Buffer.alloc(4 + fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = buffer.writeUInt32LE(signature, 0);
  for (const [bytes, value] of fields)
    at = bytes === 2 ? buffer.writeUInt16LE(value, at) : buffer.writeUInt32LE(value >>> 0, at);
  return buffer;
}

const common = (said: { flags: number; method: number; crc: number; packed: number; size: number; name: Uint8Array }) =>
  [
    [2, 20],
    [2, said.flags],
    [2, said.method],
    [2, 0],
    [2, 33],
    [4, said.crc],
    [4, said.packed],
    [4, said.size],
    [2, said.name.length],
  ] as const;

const endRecord = (entryCount: number, listBytes: number, listOffset: number, commentBytes = 0): Buffer =>
  header(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, entryCount],
    [2, entryCount],
    [4, listBytes],
    [4, listOffset],
    [2, commentBytes],
  ]);

/** Large contents are often the same object in many entries. */
const deflated = new WeakMap<Uint8Array, Buffer>();
function deflate(content: Uint8Array): Buffer {
  const known = deflated.get(content) ?? deflateRawSync(content);
  deflated.set(content, known);
  return known;
}

/** Builds a zip file byte by byte, valid or not, independent of the program's writer. */
export function craftZip({
  entries,
  statedEntryCount,
  statedDirectoryOffset,
  comment = new Uint8Array(),
}: CraftedArchive): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = typeof entry.content === 'object' ? entry.content : Buffer.from(entry.content ?? '');
    const data = entry.deflate ? deflate(content) : content;
    const extra = Buffer.from(entry.centralExtra ?? []);
    const fields = common({
      flags: entry.flags ?? 0x0800,
      method: entry.method ?? (entry.deflate ? 8 : 0),
      crc: entry.crc ?? crc32(content),
      packed: entry.statedCompressedSize ?? data.length,
      size: entry.statedSize ?? content.length,
      name,
    });
    const local = Buffer.concat([header(0x04034b50, [...fields, [2, 0]]), name, data]);
    const central = header(0x02014b50, [
      [2, (3 << 8) | 20],
      ...fields,
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, (entry.mode ?? 0o100644) * 0x10000],
      [4, entry.statedOffset ?? offset],
    ]);
    directory.push(central, name, extra);
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = endRecord(
    statedEntryCount ?? entries.length,
    list.length,
    statedDirectoryOffset ?? offset,
    comment.length,
  );
  return Buffer.concat([...parts, list, end, comment]);
}

/** A valid archive of these files; names such as `../outside.jpg` are possible. */
export const makeZip = (files: Readonly<Record<string, Uint8Array | string>>): Buffer =>
  craftZip({ entries: Object.entries(files).map(([name, content]) => ({ name, content, deflate: true })) });

/** Many headers that point to the same compressed bytes: little to download, terabytes to unpack. */
export function craftOverlappingZip(entryCount: number, kernelBytes: number): Buffer {
  const content = Buffer.alloc(kernelBytes);
  const kernel = deflateRawSync(content);
  const crc = crc32(content);
  const name = (index: number): Buffer => Buffer.from(`file${index}`);
  const fields = (index: number) =>
    common({ flags: 0, method: 8, crc, packed: kernel.length, size: content.length, name: name(index) });
  const first = Buffer.concat([header(0x04034b50, [...fields(0), [2, 0]]), name(0), kernel]);
  const directory = Array.from({ length: entryCount }, (_, index) =>
    Buffer.concat([
      header(0x02014b50, [[2, 20], ...fields(index), [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, 0]]),
      name(index),
    ]),
  );
  const list = Buffer.concat(directory);
  return Buffer.concat([first, list, endRecord(entryCount, list.length, first.length)]);
}

/** A directory of a million empty files, with the 64-bit records that such a number needs. */
export function craftCrowdedZip(entryCount: number): Buffer {
  const entryBytes = 46 + 8;
  const directory = Buffer.alloc(entryCount * entryBytes);
  for (let index = 0; index < entryCount; index += 1) {
    const at = index * entryBytes;
    directory.writeUInt32LE(0x02014b50, at);
    directory.writeUInt16LE(8, at + 28);
    directory.write(String(index).padStart(8, '0'), at + 46, 'latin1');
  }
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeBigUInt64LE(BigInt(entryCount), 24);
  end64.writeBigUInt64LE(BigInt(entryCount), 32);
  end64.writeBigUInt64LE(BigInt(directory.length), 40);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(directory.length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([directory, end64, locator, endRecord(0xffff, directory.length, 0)]);
}
