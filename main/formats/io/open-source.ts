import { open, stat } from 'node:fs/promises';
import { AppError } from '../../platform/errors.ts';
import { openFolder } from './source-folder.ts';
import { openSingleFile } from './source-single-file.ts';
import { openTar } from './source-tar.ts';
import { openZip } from './source-zip.ts';
import { isImagePath, isTablePath, type Source, type SourceFile, type SourceLimits } from './source.ts';
import { defined } from '../../platform/defined.ts';

const mebibyte = 1024 * 1024;

const defaultSourceLimits: SourceLimits = {
  maxEntries: 200_000,
  maxTotalBytes: 20 * 1024 * mebibyte,
  maxRatio: 200,
  ratioExemptBytes: 512 * mebibyte,
  maxReadBytes: 256 * mebibyte,
};

/** Signatures of a local file, the central directory, and the end of an empty archive. */
const zipSignatures = new Set([0x04034b50, 0x02014b50, 0x06054b50]);

/** Archives that are not supported, by their first bytes. */
const unreadContainers: readonly (readonly [signature: string, name: string])[] = [
  ['425a68', 'bzip2'],
  ['fd377a585a00', 'xz'],
  ['28b52ffd', 'zstd'],
  ['377abcaf271c', '7-Zip'],
  ['526172211a07', 'RAR'],
];

function requireReadable(head: Buffer, { name }: SourceFile): void {
  const start = head.subarray(0, 8).toString('hex');
  const unread = unreadContainers.find(([signature]) => start.startsWith(signature))?.[1];
  if (unread === undefined || isText(head)) return;
  throw new AppError(
    'invalid',
    `Cannot open ${name}: it is compressed as ${unread}. Unpack it and choose the folder, or pack it as zip, tar or tar.gz.`,
  );
}

type Container = 'zip' | 'gzip' | 'tar' | 'other';

/** Control characters that occur in text: tab, line ends, form feed. */
const textControls = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d]);

/** True for text in an encoding of JSON, XML and tables. Archives have other bytes near their start. */
function isText(head: Buffer): boolean {
  const mark = head.length >= 2 ? head.readUInt16BE(0) : 0;
  if (mark === 0xfffe || mark === 0xfeff) return true;
  return head.length > 2 && head.every((byte) => byte >= 0x20 || textControls.has(byte));
}

/** Detects the container by content. The name decides only for archives without a signature at the start. */
function containerOf(head: Buffer, name: string): Container {
  const signature = head.length >= 4 ? head.readUInt32LE(0) : 0;
  if (zipSignatures.has(signature)) return 'zip';
  if (head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head.subarray(257, 262).toString('latin1') === 'ustar') return 'tar';
  if (isText(head)) return 'other';
  if (/\.zip$/i.test(name)) return 'zip';
  return /\.tar$/i.test(name) ? 'tar' : 'other';
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Opens a zip, a tar (plain or gzipped), a folder or a single file as a tree of entries. The content decides the type,
 * not the name. Images in Parquet files are entries, too. Throws `AppError('invalid')` for hostile archives: path
 * tricks, links, bombs, overlaps, encrypted entries, and entries over the limits.
 */
export async function openSource(file: SourceFile, limits: Partial<SourceLimits> = {}): Promise<Source> {
  const source = await openContainer(file, limits);
  // Beside images, tables have something else.
  if (!source.entries.some(({ path }) => isTablePath(path)) || source.entries.some(({ path }) => isImagePath(path)))
    return source;
  // Loaded only now, because few datasets need the library.
  const { withImageTables } = await import('./parquet/image-tables.ts');
  return withImageTables(source);
}

/** Opens a source as {@link openSource}, without the images in Parquet files. */
export async function openContainer(file: SourceFile, limits: Partial<SourceLimits> = {}): Promise<Source> {
  const allLimits = { ...defaultSourceLimits, ...defined(limits) };
  const stats = await stat(file.path).catch((cause: unknown) => {
    throw new AppError('invalid', `Cannot open ${file.name}. Check that the file still exists.`, undefined, {
      cause,
    });
  });
  if (stats.isDirectory()) return openFolder(file, allLimits);
  const head = await readHead(file.path);
  requireReadable(head, file);
  const container = containerOf(head, file.name);
  if (container === 'zip') return openZip(file, allLimits);
  if (container === 'other') return openSingleFile(file, stats.size, allLimits);
  return openTar(file, allLimits, container === 'gzip');
}

/** Opens a source, passes it to `use`, and always closes it. */
export async function withSource<Result>(
  file: SourceFile,
  use: (source: Source) => Promise<Result>,
  limits: Partial<SourceLimits> = {},
): Promise<Result> {
  const source = await openSource(file, limits);
  try {
    return await use(source);
  } finally {
    await source.close();
  }
}
