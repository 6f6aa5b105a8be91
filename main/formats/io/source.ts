/** A file to import from: a single file, an archive, or a folder. `open-source.ts` opens it as a tree of entries. */
export interface SourceFile {
  readonly path: string;
  /** The name that the person knows: decides by its extension only where the content does not. */
  readonly name: string;
}

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
  /** Uncompressed over compressed bytes of the whole archive: one entry may well be a picture of one colour. */
  readonly maxRatio: number;
  /** Archives that unpack to no more than this may have any ratio. */
  readonly ratioExemptBytes: number;
  /** Default limit of `read`. */
  readonly maxReadBytes: number;
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
