import { withoutExtension } from './dataset-items.ts';
import { isUsualSubset } from './usual-subsets.ts';

/** Returned for a name that matches several paths equally. */
export const ambiguous = -1;

export interface PathFinderOptions {
  /** Called when a table is built, at most a few times. Ids are not negative. */
  readonly paths: () => Iterable<readonly [path: string, id: number]>;
  /**
   * True if the paths and the annotation file belong to one source. A name then means the path nearest to the
   * annotation file, even if another path is exactly the name.
   */
  readonly isTree?: boolean;
}

export interface PathQuery {
  /** The name in the file: a path, a URL, or an id without an extension. */
  readonly name: string;
  readonly near?: string;
  /**
   * Selects preferred ids among equal matches, before their location decides. Returns the same list for no preference.
   */
  readonly prefer?: (ids: readonly number[]) => readonly number[];
}

interface Candidate {
  readonly id: number;
  readonly path: string;
  readonly stem: string;
}

const fileExtension = /\.[A-Za-z][A-Za-z0-9]{1,4}$/;
/** Folder names that only say that they hold images. */
const plainFolder =
  /^(?:images?|imgs?|jpegimages|pictures?|pics?|photos?|frames?|data|datasets?|media|files?|raw|rgb|originals?|uploads?)$/i;

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const foldersOf = (path: string): string[] => path.split('/').slice(0, -1);

function normalized(name: string): string {
  const path = name.includes('\\') ? name.replaceAll('\\', '/') : name;
  const relative = /^[./]/.test(path) ? path.replace(/^(?:\.{0,2}\/)+/, '') : path;
  // oxlint-disable-next-line no-control-regex -- the range is that of ASCII, which has one form only
  return /^[\u0000-\u007F]*$/.test(relative) ? relative : relative.normalize('NFC');
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Path of a URL without scheme, host, drive and query. Local files of Label Studio have it in `?d=`. */
function pathOfAddress(name: string): string {
  const inQuery = /[?&]d=([^&#]+)/.exec(name)?.[1];
  const address = inQuery ?? name.replace(/[?#].*$/, '');
  return address.replace(/^[a-z][a-z0-9+.-]+:(?:\/\/[^/]*(?=\/))?/i, '').replace(/^[/\\]*[a-z]:(?=[/\\])/i, '');
}

/** Possible interpretations of a name, the most literal first. */
function spellingsOf(name: string): string[] {
  const path = pathOfAddress(name);
  const once = decoded(path);
  return [...new Set([name, path, decoded(name), once, decoded(once)].map(normalized))].filter((one) => one !== '');
}

/** True for paths of another machine, whose leading folders mean nothing in the dataset. */
const isElsewhere = (name: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|[/\\]|\.\.[/\\])/i.test(name);

/** Number of equal segments at the ends of two paths. */
function sharedEnd(a: readonly string[], b: readonly string[]): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a.at(-1 - shared) === b.at(-1 - shared)) shared += 1;
  return shared;
}

function sharedBeginning(a: readonly string[], b: readonly string[]): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared += 1;
  return shared;
}

/** Number of folders that two paths share in order: `a/labels/x` and `a/images/x` share two. */
function sharedFolders(a: readonly string[], b: readonly string[]): number {
  let row: number[] = Array.from({ length: b.length + 1 }, () => 0);
  for (const folder of a) {
    const next = [0];
    for (const [index, other] of b.entries())
      next.push(folder === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

function withMost<Item>(items: readonly Item[], score: (item: Item) => number): readonly Item[] {
  if (items.length < 2) return items;
  const scores = items.map(score);
  const most = Math.max(...scores);
  return items.filter((_item, index) => scores[index] === most);
}

/**
 * Finds the path that a name means. Returns its id, `ambiguous` if several match equally (no match is better than a
 * wrong one), or undefined.
 *
 * A name is tried unchanged, as a URL, and then ignoring case. It matches a path that equals it (with or without the
 * extension), that ends with it, or that it ends with. Of several matches, the longest common end decides, then the
 * location of the annotation file, then the extension. A name with folders of another machine also matches by file name
 * alone, if the folders do not contradict.
 */
export function createPathFinder({ paths, isTree = false }: PathFinderOptions) {
  // Most files name images by their full path. The other tables are built at the first failure.
  let whole: Map<string, number> | undefined;
  let stems: Map<string, number> | undefined;
  const byBase = new Map<boolean, Map<string, Candidate[]>>();
  let neutralFolders: readonly string[] | undefined;

  const fold = (text: string, isFolded: boolean): string => (isFolded ? text.toLowerCase() : text);

  function tableBy(key: (path: string) => string): Map<string, number> {
    const table = new Map<string, number>();
    for (const [path, id] of paths()) {
      const own = key(normalized(path));
      const present = table.get(own);
      if (present === undefined) table.set(own, id);
      else if (present !== id) table.set(own, ambiguous);
    }
    return table;
  }

  function candidatesBy(isFolded: boolean): Map<string, Candidate[]> {
    const known = byBase.get(isFolded);
    if (known) return known;
    const table = new Map<string, Candidate[]>();
    for (const [stated, id] of paths()) {
      const path = fold(normalized(stated), isFolded);
      const candidate = { id, path, stem: withoutExtension(path) };
      const base = baseOf(candidate.stem);
      const list = table.get(base);
      if (list) list.push(candidate);
      else table.set(base, [candidate]);
    }
    byBase.set(isFolded, table);
    return table;
  }

  /** Folders that all paths start with, which do not distinguish them. */
  function commonFolders(): readonly string[] {
    if (neutralFolders) return neutralFolders;
    let common: string[] | undefined;
    for (const [path] of paths()) {
      const folders = foldersOf(normalized(path));
      common = common ? common.slice(0, sharedBeginning(common, folders)) : folders;
      if (common.length === 0) break;
    }
    neutralFolders = common ?? [];
    return neutralFolders;
  }

  function choose(fitting: readonly Candidate[], path: string, { near, prefer }: PathQuery): number | undefined {
    let left = fitting;
    if (left.length > 1 && prefer) {
      const preferred = new Set(prefer(left.map(({ id }) => id)));
      left = left.filter(({ id }) => preferred.has(id));
    }
    if (left.length > 1 && near !== undefined) {
      const place = foldersOf(normalized(near));
      const beside = [...place, path].join('/');
      left = withMost(left, ({ stem, path: own }) => (own === beside || stem === withoutExtension(beside) ? 1 : 0));
      left = withMost(left, ({ path: own }) => sharedFolders(place, foldersOf(own)));
      left = withMost(left, ({ path: own }) => sharedBeginning(place, foldersOf(own)));
    }
    left = withMost(left, ({ stem }) => (stem === withoutExtension(path) || stem === path ? 1 : 0));
    left = withMost(left, ({ path: own }) => (own === path || own.endsWith(`/${path}`) ? 1 : 0));
    if (left.length === 0) return undefined;
    const ids = new Set(left.map(({ id }) => id));
    return ids.size === 1 ? left[0]?.id : ambiguous;
  }

  /** Matches if one of the two paths ends with the other. */
  function byEnd(path: string, isFolded: boolean, query: PathQuery): number | undefined {
    const keys = fileExtension.test(path) ? [path, withoutExtension(path)] : [path];
    for (const key of keys) {
      const parts = key.split('/');
      const fitting = (candidatesBy(isFolded).get(baseOf(key)) ?? []).flatMap((candidate) => {
        const { stem } = candidate;
        const isEnd = stem === key || stem.endsWith(`/${key}`) || key.endsWith(`/${stem}`);
        return isEnd ? [{ candidate, shared: sharedEnd(parts, stem.split('/')) }] : [];
      });
      const longest = withMost(fitting, ({ shared }) => shared).map(({ candidate }) => candidate);
      if (longest.length > 0) return choose(longest, path, query);
    }
    return undefined;
  }

  /** Matches by file name alone, if no folder contradicts. */
  function byFileName(path: string, isFolded: boolean, query: PathQuery): number | undefined {
    const key = fileExtension.test(path) ? withoutExtension(path) : path;
    const parts = key.split('/');
    const stated = parts.slice(0, -1);
    const common = commonFolders().map((folder) => fold(folder, isFolded));
    const isPlain = (folders: readonly string[], neutral: readonly string[]): boolean =>
      folders.every(
        (folder, index) => plainFolder.test(folder) || (neutral[index] === folder && !isUsualSubset(folder)),
      );
    const fitting = (candidatesBy(isFolded).get(baseOf(key)) ?? []).filter(({ stem }) => {
      const own = stem.split('/');
      const shared = sharedEnd(parts, own);
      const rest = stated.slice(0, parts.length - shared);
      return isPlain(own.slice(0, -shared), common) && (isElsewhere(query.name) || isPlain(rest, []));
    });
    return choose(fitting, path, query);
  }

  function byWhole(path: string): number | undefined {
    whole ??= tableBy((own) => own);
    const found = whole.get(path);
    if (found !== undefined) return found;
    stems ??= tableBy(withoutExtension);
    return stems.get(path) ?? (fileExtension.test(path) ? stems.get(withoutExtension(path)) : undefined);
  }

  return (query: PathQuery): number | undefined => {
    const spellings = spellingsOf(query.name);
    for (const path of spellings) {
      const found = (isTree ? undefined : byWhole(path)) ?? byEnd(path, false, query);
      if (found !== undefined) return found;
    }
    const folded = spellings.map((path) => path.toLowerCase());
    for (const path of folded) {
      const found = byEnd(path, true, query);
      if (found !== undefined) return found;
    }
    for (const path of folded) {
      const found = byFileName(path, true, query);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
