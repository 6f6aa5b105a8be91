import { isRecord } from '../kit/records.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { pathParts } from '../kit/yolo-family/dataset-paths.ts';

/** Lists of class names as LabelImg, Label Studio, X-AnyLabeling, makesense and others put them beside the labels. */
const nameFiles = ['classes.txt', 'obj.names', 'labels.txt', 'classes.names', 'predefined_classes.txt', 'notes.json'];
const maxBytes = 8 * 1024 * 1024;
const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

/** The list of class names of labels that lie around without a description; undefined where there is none. */
export function findNames(source: Source): string | undefined {
  const found = source.entries.map(({ path }) => path).filter((path) => nameFiles.includes(baseOf(path)));
  const depth = (path: string): number => pathParts(path).length;
  const rank = (path: string): number => nameFiles.indexOf(baseOf(path));
  return found.filter((path) => !isSystemFile(path)).toSorted((a, b) => rank(a) - rank(b) || depth(a) - depth(b))[0];
}

/** Label files: every text but lists of names and what says of itself that it is read. */
export function labelFiles(source: Source): string[] {
  return source.entries
    .map(({ path }) => path)
    .filter((path) => /\.txt$/i.test(path) && !isSystemFile(path))
    .filter((path) => !nameFiles.includes(baseOf(path)) && !/^(read_?me|licen[cs]e)/.test(baseOf(path)));
}

/** Names by number: a line for each, or `categories` of Label Studio's notes.json. */
export async function readNames(source: Source, path: string): Promise<ReadonlyMap<number, string>> {
  const bytes = await source.read(path, maxBytes);
  if (!/\.json$/i.test(path)) {
    const lines = splitLines(bytes).map((name) => name.trim());
    while (lines.at(-1) === '') lines.pop();
    return new Map(lines.entries());
  }
  try {
    const notes: unknown = JSON.parse(bytes.toString('utf8'));
    const categories: readonly unknown[] =
      isRecord(notes) && Array.isArray(notes['categories']) ? notes['categories'] : [];
    return new Map(
      categories.flatMap((one) =>
        isRecord(one) && typeof one['id'] === 'number' && typeof one['name'] === 'string'
          ? [[one['id'], one['name']] as const]
          : [],
      ),
    );
  } catch {
    return new Map();
  }
}
