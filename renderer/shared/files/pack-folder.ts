import type { NamedFile } from '../../api/uploads.ts';

/** Larger files would need fields that the local headers here lack. */
const largestFileBytes = 0xffff_ffff;
/** The 64-bit field has the actual number, always, so that folders of any size use the same format. */
const inLongField = { short: 0xffff, long: 0xffff_ffff } as const;
/** 1980-01-01, the earliest date in ZIP archives. */
const fixedDate = 0x0021;
const utf8Names = 0x0800;
const zip64Version = 45;

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
  return value;
});

async function checksumOf(file: Blob, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<number> {
  let crc = 0xffff_ffff;
  if (file.size === 0) return 0;
  const reader = file.stream().getReader();
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) return (crc ^ 0xffff_ffff) >>> 0;
    for (const byte of value) crc = crcTable[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
    onBytes(value.length);
  }
}

function fields(...values: readonly (readonly [value: number, bytes: 2 | 4 | 8])[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(values.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [value, bytes] of values) {
    if (bytes === 2) view.setUint16(at, value, true);
    else if (bytes === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

const isOfSystem = (path: string): boolean => /(^|\/)(\.|__MACOSX\/|Thumbs\.db$|desktop\.ini$)/i.test(path);

/** The common parent folder, or undefined. */
function commonFolder(files: readonly NamedFile[]): string | undefined {
  const [first] = files;
  const slash = first?.path.indexOf('/') ?? -1;
  const folder = first?.path.slice(0, slash + 1);
  return slash > 0 && files.every(({ path }) => path.startsWith(folder ?? '')) ? folder?.slice(0, -1) : undefined;
}

export interface PackOptions {
  readonly signal: AbortSignal;
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Packs a folder into an archive whose parts are the files themselves, so that none is copied into memory. Each is read
 * once for its checksum. Null without files; the path of a file that is too large.
 */
export async function packFolder(
  given: readonly NamedFile[],
  { signal, onProgress = () => undefined }: PackOptions,
): Promise<File | { readonly tooLarge: string } | null> {
  const files = given.filter(({ path }) => !isOfSystem(path));
  if (files.length === 0) return null;
  const large = files.find(({ file }) => file.size >= largestFileBytes);
  if (large) return { tooLarge: large.path };
  const folder = commonFolder(files);
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let offset = 0;
  let directoryBytes = 0;
  let read = 0;
  for (const { path, file } of files) {
    const name = new TextEncoder().encode(folder === undefined ? path : path.slice(folder.length + 1));
    const crc = await checksumOf(file, signal, (bytes) => onProgress((read += bytes) / Math.max(1, total)));
    const shared = [
      [zip64Version, 2],
      [utf8Names, 2],
      [0, 2],
      [0, 2],
      [fixedDate, 2],
      [crc, 4],
      [file.size, 4],
      [file.size, 4],
      [name.length, 2],
    ] as const;
    const header = fields([0x0403_4b50, 4], ...shared, [0, 2]);
    const extra = fields([1, 2], [8, 2], [offset, 8]);
    const entry = fields(
      [0x0201_4b50, 4],
      [zip64Version, 2],
      ...shared,
      [extra.length, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [inLongField.long, 4],
    );
    parts.push(header, name, file);
    directory.push(entry, name, extra);
    offset += header.length + name.length + file.size;
    directoryBytes += entry.length + name.length + extra.length;
  }
  const count = files.length;
  const numbers = [
    [count, 8],
    [count, 8],
    [directoryBytes, 8],
    [offset, 8],
  ] as const;
  const { short, long } = inLongField;
  directory.push(
    fields([0x0606_4b50, 4], [44, 8], [zip64Version, 2], [zip64Version, 2], [0, 4], [0, 4], ...numbers),
    fields([0x0706_4b50, 4], [0, 4], [offset + directoryBytes, 8], [1, 4]),
    fields([0x0605_4b50, 4], [0, 2], [0, 2], [short, 2], [short, 2], [long, 4], [long, 4], [0, 2]),
  );
  return new File([...parts, ...directory], `${folder ?? 'files'}.zip`, { type: 'application/zip' });
}
