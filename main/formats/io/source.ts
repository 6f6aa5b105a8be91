/** A file to import from: a single file, an archive, or a folder. `open-source.ts` opens it as a tree of entries. */
export interface SourceFile {
  readonly path: string;
  /** The user's name of the file. Its extension matters only if the content is ambiguous. */
  readonly name: string;
  /** Encoding of zip entry names that do not state theirs. Default: guessed. */
  readonly encoding?: string;
}

/** One file in a source. `path` is relative, uses `/`, and is safe: no `..`, no drive, no leading slash. */
export interface SourceEntry {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Uncompressed bytes in a local file, for readers that need random access. */
export interface LocalRange {
  readonly path: string;
  readonly offset: number;
  readonly sizeBytes: number;
  /** Checksum stated by the archive. Readers of the range verify it (`openByteInput` does). */
  readonly crc32?: number;
}

/**
 * A dataset as a tree of files, in any container. Nothing is written to disk under the names of the entries. `read`,
 * `stream` and `localPath` throw `AppError('invalid')` for a path that is not in `entries`.
 */
export interface Source {
  readonly kind: 'file' | 'folder' | 'zip' | 'tar';
  readonly name: string;
  readonly entries: readonly SourceEntry[];
  /** Entries skipped while listing (for example links in a folder), as sentences for the report. */
  readonly warnings: readonly string[];
  /** Names of classes that the description of a dataset lists, used or not. */
  readonly classes?: readonly string[];
  has(path: string): boolean;
  /** Reads an entry. Throws if it is larger than `maxBytes` (default: `limits.maxReadBytes`). */
  read(path: string, maxBytes?: number): Promise<Buffer>;
  /** Streams an entry; size and checksum are verified at the end. Can be called again for the same entry. */
  stream(path: string): AsyncIterable<Buffer>;
  /** Location of the entry's bytes if they are uncompressed on disk, or undefined. */
  localPath(path: string): Promise<LocalRange | undefined>;
  close(): Promise<void>;
}

export interface SourceLimits {
  readonly maxEntries: number;
  readonly maxTotalBytes: number;
  /**
   * Maximum ratio of uncompressed to compressed bytes of the archive. One entry alone can exceed it, for example a
   * one-color image.
   */
  readonly maxRatio: number;
  /** Archives that unpack to at most this size may have any ratio. */
  readonly ratioExemptBytes: number;
  readonly maxReadBytes: number;
}

/** True for files that operating systems add to archives. */
export function isSystemFile(path: string): boolean {
  return /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._[^/]*$)/i.test(path);
}

export const isImagePath = (path: string): boolean =>
  /\.(?:jpe?g|jfif|png|bmp|gif|tiff?|webp|avif)$/i.test(path) && !isSystemFile(path);

/** True for Parquet files. */
export const isTablePath = (path: string): boolean => /\.parquet$/i.test(path) && !isSystemFile(path);

/** Archives among the entries. They are not unpacked. */
export function nestedArchives({ kind, entries }: Pick<Source, 'kind' | 'entries'>): readonly string[] {
  if (kind === 'file') return [];
  const paths = entries.map(({ path }) => path);
  return paths.filter((path) => /\.(?:zip|tar|t?gz|bz2|xz|zst|7z|rar)$/i.test(path) && !isSystemFile(path));
}

/** The one folder that holds every entry except system files, or undefined. */
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

/** The source as seen from one of its folders; other entries are hidden. Closing the view closes the source. */
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
 * Skips an extra top folder (at most twice) if no entry satisfies `isExpected` and all entries are in one folder.
 * Returns the source itself if that does not help; the caller reports the missing files.
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
