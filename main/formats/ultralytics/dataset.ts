import { AppError } from '../../platform/errors.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { parseJsonBytes } from '../io/json-text.ts';
import { decodeText } from '../io/text-encoding.ts';
import { splitLines } from '../io/text-lines.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { isRecord } from '../kit/records.ts';
import type { FormatReport } from '../kit/report.ts';
import {
  folderOf,
  foldersOf,
  isImagePath,
  joinPath,
  pathParts,
  resolvePath,
} from '../kit/yolo-family/dataset-paths.ts';
import type { LabelItem } from '../kit/yolo-family/label-import.ts';
import { type DataYaml, readDataYaml } from './data-yaml.ts';

/** A dataset described by a `data.yaml`, of any variant with label files. */
interface UltralyticsDataset {
  readonly description: DataYaml;
  readonly items: readonly LabelItem[];
}

interface Tree {
  readonly source: Source;
  readonly folders: ReadonlySet<string>;
  /** Possible base folders of paths: the description's `path`, its folder, and the top. */
  readonly bases: readonly string[];
}

const maxListBytes = 256 * 1024 * 1024;
const maxYamlBytes = 32 * 1024 * 1024;
const knownSubsets = new Set(['train', 'val', 'valid', 'test']);

/** The `data.yaml` nearest to the top, or the only other YAML file. */
export function findDescription(source: Source): string | undefined {
  const files = source.entries
    .map(({ path }) => path)
    .filter((path) => /\.ya?ml$/i.test(path) && !isSystemFile(path))
    .toSorted((a, b) => pathParts(a).length - pathParts(b).length);
  const named = files.find((path) => /(^|\/)data\.ya?ml$/i.test(path));
  return named ?? (files.length === 1 ? files[0] : undefined);
}

/** Label files are in `labels` if images are in `images`; otherwise, both are in the same folder. */
function swapFolder(path: string, from: string, to: string): string {
  const parts = path.split('/');
  const index = parts.lastIndexOf(from);
  return index < 0 ? path : [...parts.slice(0, index), to, ...parts.slice(index + 1)].join('/');
}

function labelPathOf(image: string): string {
  return `${withoutExtension(swapFolder(image, 'images', 'labels'))}.txt`;
}

/** Candidate names of an image: without its subset's folders, then with more and more of them. */
function namesOf(image: string, subset: string): string[] {
  const parts = pathParts(image);
  const images = parts.lastIndexOf('images', parts.length - 2);
  const inside = parts.slice(images + 1);
  const withoutSubset = inside.length > 1 && inside[0] === subset ? inside.slice(1) : inside;
  const withSubset = images > 0 ? [parts[images - 1] ?? '', ...inside] : inside;
  return [...new Set([withoutSubset, inside, withSubset, parts].map((list) => list.join('/')))];
}

function itemOf({ source, bases }: Tree, stated: string, subset: string): LabelItem {
  const labelPath = resolvePath(labelPathOf(stated.trim().replaceAll('\\', '/')), bases, (path) => source.has(path));
  return { image: stated, names: namesOf(stated, subset), subset, labelPath };
}

function itemsOfFolder({ source }: Tree, folder: string, subset: string): LabelItem[] {
  const inFolder = (path: string, parent: string): boolean => path.startsWith(`${parent}/`) && !isSystemFile(path);
  const items = new Map<string, LabelItem>();
  for (const { path } of source.entries) {
    if (!inFolder(path, folder) || !isImagePath(path)) continue;
    const labelPath = labelPathOf(path);
    items.set(labelPath, {
      image: path,
      names: namesOf(path, subset),
      subset,
      labelPath: source.has(labelPath) ? labelPath : undefined,
    });
  }
  const labels = swapFolder(folder, 'images', 'labels');
  for (const { path } of source.entries) {
    if (!inFolder(path, labels) || !path.endsWith('.txt') || items.has(path)) continue;
    // The extension prevents a name of digits from being read as a frame number. Any image extension matches.
    const image = `${withoutExtension(swapFolder(path, 'labels', 'images'))}.jpg`;
    items.set(path, { image, names: namesOf(image, subset), subset, labelPath: path });
  }
  return [...items.values()];
}

async function itemsOfList(tree: Tree, list: string, subset: string): Promise<LabelItem[]> {
  const lines = splitLines(await tree.source.read(list, maxListBytes)).map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => itemOf(tree, line, subset));
}

/** Images of one entry of a subset, or undefined if the source has none. */
async function itemsOfEntry(tree: Tree, stated: string, subset: string): Promise<LabelItem[] | undefined> {
  const { source, folders, bases } = tree;
  if (isImagePath(stated)) return [itemOf(tree, stated, subset)];
  const list = resolvePath(stated, bases, (path) => /\.txt$/i.test(path) && source.has(path), 1);
  if (list !== undefined) return itemsOfList(tree, list, subset);
  const isFolder = (path: string): boolean => folders.has(path) || folders.has(swapFolder(path, 'images', 'labels'));
  const parts = pathParts(stated);
  // Tools use `images/train` and `train/images` for the same folder.
  const turned = parts.length >= 2 ? [...parts.slice(0, -2), parts.at(-1) ?? '', parts.at(-2) ?? ''].join('/') : stated;
  const folder = resolvePath(stated, bases, isFolder) ?? resolvePath(turned, bases, isFolder);
  return folder === undefined ? undefined : itemsOfFolder(tree, folder, subset);
}

function noteUnlabelled(items: readonly LabelItem[], source: Source, report: FormatReport): void {
  const read = new Set(items.map(({ labelPath }) => labelPath));
  const left = source.entries.filter(
    ({ path }) => /(^|\/)labels\/.*\.txt$/.test(path) && !isSystemFile(path) && !read.has(path),
  );
  if (left.length > 0)
    report.warn(
      `${left.length} label files belong to no image of a subset and were left out, the first is ${left[0]?.path ?? ''}.`,
    );
}

/** Roboflow writes a name list into each subset's folder. A number must be the same label in all of them. */
async function requireSameNames(source: Source, file: string, names: ReadonlyMap<number, string>): Promise<void> {
  const alike = source.entries.map(({ path }) => path).filter((path) => baseOf(path) === baseOf(file) && path !== file);
  for (const path of alike.filter((one) => !isSystemFile(one))) {
    const other = await readNames(source, path);
    const differs = [...other].some(([index, name]) => names.has(index) && names.get(index) !== name);
    if (!differs) continue;
    throw new AppError(
      'invalid',
      `${file} and ${path} name different labels for the same class numbers. Import their folders one by one; nothing was imported.`,
    );
  }
}

/** Opens labels without a description. The subset is a folder with the usual name of one, at any level. */
async function openBareLabels(source: Source, file: string): Promise<UltralyticsDataset> {
  const names = await readNames(source, file);
  await requireSameNames(source, file, names);
  const items = labelFiles(source).map((path): LabelItem => {
    const subset = pathParts(path).find((part) => knownSubsets.has(part)) ?? 'default';
    const image = `${withoutExtension(swapFolder(path, 'labels', 'images'))}.jpg`;
    return { image, names: namesOf(image, subset), subset, labelPath: path };
  });
  const description = {
    path: '',
    names,
    subsets: new Map<string, string[]>(),
    keypointShape: undefined,
    keypointNames: new Map<number, string[]>(),
    warnings: [],
  };
  return { description, items };
}

/** Reads the description and finds every image with its label file. Throws `AppError('invalid')` if there is none. */
export async function openUltralytics(
  source: Source,
  format: string,
  report: FormatReport,
): Promise<UltralyticsDataset> {
  const file = findDescription(source);
  if (file === undefined) {
    const list = findNames(source);
    if (list !== undefined) return openBareLabels(source, list);
    throw new AppError(
      'invalid',
      `${source.name} is not a dataset of ${format}: it has no data.yaml, and no list of class names such as classes.txt. Nothing was imported.`,
    );
  }
  const description = readDataYaml(decodeText(await source.read(file, maxYamlBytes), file), file);
  description.warnings.forEach((warning) => report.warn(warning));
  const own = folderOf(file);
  const stated = pathParts(description.path).join('/');
  const bases = [...new Set([joinPath(own, stated), own, ''].map((base) => base.replace(/\/$/, '')))];
  const tree: Tree = { source, folders: foldersOf(source), bases };
  const items: LabelItem[] = [];
  for (const [subset, entries] of description.subsets) {
    for (const entry of entries) {
      const found = await itemsOfEntry(tree, entry, subset);
      if (found) for (const item of found) items.push(item);
      else if (knownSubsets.has(subset) || /\.txt$/i.test(entry))
        report.warn(`${file}: ${subset} names ${entry.slice(0, 200)}, which is not in the dataset.`);
      else
        report.warn(
          `${file}: the entry "${subset.slice(0, 100)}" names no folder, list or image of the dataset and was ignored.`,
        );
    }
  }
  noteUnlabelled(items, source, report);
  return { description, items };
}

/** Class name lists that LabelImg, Label Studio, X-AnyLabeling, makesense.ai and others write beside the labels. */
const nameFiles = [
  'classes.txt',
  'obj.names',
  'labels.txt',
  'classes.names',
  'predefined_classes.txt',
  'notes.json',
  '_darknet.labels',
];
const maxBytes = 8 * 1024 * 1024;
const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

/** Class name list for label files without a description; undefined if there is none. */
export function findNames(source: Source): string | undefined {
  const found = source.entries.map(({ path }) => path).filter((path) => nameFiles.includes(baseOf(path)));
  const depth = (path: string): number => pathParts(path).length;
  const rank = (path: string): number => nameFiles.indexOf(baseOf(path));
  return found.filter((path) => !isSystemFile(path)).toSorted((a, b) => rank(a) - rank(b) || depth(a) - depth(b))[0];
}

/** Label files: every text file except name lists and readme files. */
export function labelFiles(source: Source): string[] {
  return source.entries
    .map(({ path }) => path)
    .filter((path) => /\.txt$/i.test(path) && !isSystemFile(path))
    .filter((path) => !nameFiles.includes(baseOf(path)) && !/^(read_?me|licen[cs]e)/.test(baseOf(path)));
}

/** Names by number: one per line, or `categories` in Label Studio's notes.json. */
export async function readNames(source: Source, path: string): Promise<ReadonlyMap<number, string>> {
  const bytes = await source.read(path, maxBytes);
  if (!/\.json$/i.test(path)) {
    const lines = splitLines(bytes).map((name) => name.trim());
    while (lines.at(-1) === '') lines.pop();
    return new Map(lines.entries());
  }
  try {
    const notes: unknown = parseJsonBytes(bytes);
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
