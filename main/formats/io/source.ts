import { open, stat } from 'node:fs/promises';
import { AppError } from '../../platform/errors.ts';
import type { SourceFile } from '../kit/plugin.ts';
import { openFolder } from './source-folder.ts';
import { openSingleFile } from './source-single-file.ts';
import { openTar } from './source-tar.ts';
import { openZip } from './source-zip.ts';

/** One file inside a source. `path` is relative, with `/`, and safe: no `..`, no drive, no leading slash. */
export interface SourceEntry {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Bytes that lie uncompressed in a file of this machine, for readers that need random access. */
export interface LocalRange {
  readonly path: string;
  readonly offset: number;
  readonly sizeBytes: number;
  /** The checksum that an archive states; readers of the range verify it (`openByteInput` does). */
  readonly crc32?: number;
}

/**
 * A dataset as a tree of files, whatever holds it. Nothing is written to disk under the entries' names.
 * `read`, `stream` and `localPath` fail with `AppError('invalid')` for a path that is not in `entries`.
 */
export interface Source {
  readonly kind: 'file' | 'folder' | 'zip' | 'tar';
  /** The name of the file or folder that the person chose. */
  readonly name: string;
  readonly entries: readonly SourceEntry[];
  /** What was left out while listing (for example links in a folder), as sentences for the report. */
  readonly warnings: readonly string[];
  has(path: string): boolean;
  /** The whole entry; refused when it is larger than `maxBytes` (default: `limits.maxReadBytes`). */
  read(path: string, maxBytes?: number): Promise<Buffer>;
  /** The entry's bytes in chunks, size and checksum verified at the end. Can be called again for the same entry. */
  stream(path: string): AsyncIterable<Buffer>;
  /** Where the entry's bytes lie uncompressed, or undefined. */
  localPath(path: string): Promise<LocalRange | undefined>;
  close(): Promise<void>;
}

export interface SourceLimits {
  readonly maxEntries: number;
  readonly maxTotalBytes: number;
  /** Uncompressed over compressed bytes of one entry. */
  readonly maxRatio: number;
  /** Entries smaller than this may have any ratio. */
  readonly ratioExemptBytes: number;
  /** Default limit of `read`. */
  readonly maxReadBytes: number;
}

const mebibyte = 1024 * 1024;

export const defaultSourceLimits: SourceLimits = {
  maxEntries: 200_000,
  maxTotalBytes: 20 * 1024 * mebibyte,
  maxRatio: 200,
  ratioExemptBytes: mebibyte,
  maxReadBytes: 256 * mebibyte,
};

/** A file, the list of files, or the end of an empty archive. */
const zipSignatures = new Set([0x04034b50, 0x02014b50, 0x06054b50]);

type Container = 'zip' | 'gzip' | 'tar' | 'other';

/** Control characters that text has: tab, line ends, form feed. */
const textControls = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d]);

/** Text in one of the encodings that JSON, XML and tables come in; archives have other bytes near their beginning. */
function isText(head: Buffer): boolean {
  const mark = head.length >= 2 ? head.readUInt16BE(0) : 0;
  if (mark === 0xfffe || mark === 0xfeff) return true;
  return head.length > 2 && head.every((byte) => byte >= 0x20 || textControls.has(byte));
}

/** The content decides; the name only where the content could be an archive without a signature at its beginning. */
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
 * Opens a zip, a tar (plain or gzipped), a folder or a single file as a tree of entries. The content decides what it
 * is, not the name. Hostile archives (path tricks, links, bombs, overlaps, encrypted entries, entries over the
 * limits) are refused with `AppError('invalid')`.
 */
export async function openSource(file: SourceFile, limits: Partial<SourceLimits> = {}): Promise<Source> {
  const allLimits = { ...defaultSourceLimits, ...limits };
  const stats = await stat(file.path).catch((cause: unknown) => {
    throw new AppError('invalid', `${file.name} cannot be opened. Check that the file still exists.`, undefined, {
      cause,
    });
  });
  if (stats.isDirectory()) return openFolder(file, allLimits);
  const container = containerOf(await readHead(file.path), file.name);
  if (container === 'zip') return openZip(file, allLimits);
  if (container === 'other') return openSingleFile(file, stats.size, allLimits);
  return openTar(file, allLimits, container === 'gzip');
}

/** Opens a source, hands it to `use`, and closes it whatever happens. */
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

/** What operating systems add to archives on their own. */
export function isSystemFile(path: string): boolean {
  return /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._[^/]*$)/i.test(path);
}

/** The one folder that holds every entry (system files aside), or undefined. */
export function commonTopFolder(source: Source): string | undefined {
  let top: string | undefined;
  for (const { path } of source.entries) {
    if (isSystemFile(path)) continue;
    const slash = path.indexOf('/');
    if (slash < 0) return undefined;
    const folder = path.slice(0, slash);
    if (top === undefined) top = folder;
    else if (top !== folder) return undefined;
  }
  return top;
}

/** The source seen from one of its folders; entries outside it are not visible. Closing the view closes the source. */
export function subSource(source: Source, folder: string): Source {
  const prefix = `${folder}/`;
  return {
    kind: source.kind,
    name: source.name,
    warnings: source.warnings,
    entries: source.entries
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ path, sizeBytes }) => ({ path: path.slice(prefix.length), sizeBytes })),
    has: (path) => source.has(prefix + path),
    read: (path, maxBytes) => source.read(prefix + path, maxBytes),
    stream: (path) => source.stream(prefix + path),
    localPath: (path) => source.localPath(prefix + path),
    close: () => source.close(),
  };
}

/**
 * Accepts one extra top folder: while no entry satisfies `isExpected` and everything lies in one folder, looks from
 * inside that folder (at most twice). Returns the source itself when nothing helps: the caller says what is missing.
 */
export function stripTopFolder(source: Source, isExpected: (path: string) => boolean): Source {
  let view = source;
  for (let depth = 0; depth < 3; depth += 1) {
    if (view.entries.some(({ path }) => isExpected(path))) return view;
    const top = commonTopFolder(view);
    if (top === undefined) return source;
    view = subSource(view, top);
  }
  return source;
}
