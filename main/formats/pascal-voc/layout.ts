import { declareImage } from '../kit/find-frame.ts';
import type { TaskData } from '../kit/task-data.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { isSystemFile, type Source, stripTopFolder } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';

/** Candidate names of an image in the task. */
export function namesOf(stem: string, fileName?: string): string[] {
  // The extension prevents a name of digits from being read as a frame number. Any image extension matches.
  return [`${stem}.jpg`, ...(fileName === undefined || fileName === '' ? [] : [fileName])];
}

/** A list that states for each image if it shows a label. */
export interface ClassList {
  readonly path: string;
  /** Possible labels and subsets of the file name, most likely first. */
  readonly readings: readonly { readonly label: string; readonly subset: string }[];
}

export interface VocLayout {
  readonly source: Source;
  readonly annotations: ReadonlyMap<string, string>;
  readonly classMasks: ReadonlyMap<string, string>;
  readonly objectMasks: ReadonlyMap<string, string>;
  readonly classLists: readonly ClassList[];
  /** Subset of an image by the lists. If an image is in several lists, the first one counts. */
  readonly subsetOf: (stem: string) => string;
  readonly stems: readonly string[];
  /** Listed images without an annotation file. */
  readonly withoutFile: readonly string[];
}

const maxListBytes = 256 * 1024 * 1024;
const usualSubsets = new Set(['train', 'val', 'valid', 'test', 'trainval']);

const isVocFolder = (path: string): boolean =>
  /^(Annotations|ImageSets|SegmentationClass|SegmentationObject|JPEGImages)\//.test(path) || path === 'labelmap.txt';

function filesIn(source: Source, folder: string, extension: RegExp): Map<string, string> {
  const prefix = `${folder}/`;
  return new Map(
    source.entries
      .map(({ path }) => path)
      .filter((path) => path.startsWith(prefix) && extension.test(path) && !isSystemFile(path))
      .map((path) => [withoutExtension(path.slice(prefix.length)), path]),
  );
}

/** XML files at any location, as some tools write them beside the images. A folder such as `train` is the subset. */
function looseAnnotations(source: Source): { annotations: Map<string, string>; subsets: Map<string, string> } {
  const annotations = new Map<string, string>();
  const subsets = new Map<string, string>();
  for (const { path } of source.entries) {
    if (source.kind !== 'file' && (!/\.xml$/i.test(path) || isSystemFile(path))) continue;
    const [first = '', ...rest] = path.split('/');
    const isSubset = rest.length > 0 && usualSubsets.has(first);
    const stem = withoutExtension(isSubset ? rest.join('/') : path);
    annotations.set(isSubset && annotations.has(stem) ? withoutExtension(path) : stem, path);
    if (isSubset) subsets.set(stem, first);
  }
  return { annotations, subsets };
}

/** Name of the image in a line of a list; some lists have numbers after it. */
function listedName(line: string): string {
  const quoted = /^\s*"([^"]*)"/.exec(line);
  return (quoted?.[1] ?? line).trim();
}

interface Lists {
  readonly subsets: Map<string, string>;
  readonly classLists: ClassList[];
}

async function readLists(source: Source): Promise<Lists> {
  const subsets = new Map<string, string>();
  const classLists: ClassList[] = [];
  const lists = source.entries
    .map(({ path }) => path)
    .filter((path) => /^ImageSets\/(Main|Segmentation|Layout|Action)\/.+\.txt$/.test(path) && !isSystemFile(path));
  const nameOf = (path: string): string => withoutExtension(path.split('/').slice(2).join('/'));
  const plain = new Set<string>();
  for (const path of lists) {
    const name = nameOf(path);
    // `<label>_<subset>.txt` exists only together with `<subset>.txt`.
    const others = lists.map(nameOf).filter((subset) => subset !== name && name.endsWith(`_${subset}`));
    if (others.length === 0) plain.add(path);
    else if (path.startsWith('ImageSets/Main/')) {
      const readings = [...new Set(others)]
        .toSorted((a, b) => b.length - a.length)
        .map((subset) => ({ subset, label: name.slice(0, -subset.length - 1) }));
      classLists.push({ path, readings });
    }
  }
  for (const path of plain) {
    const isNumbered = /^ImageSets\/(Layout|Action)\//.test(path);
    for (const line of splitLines(await source.read(path, maxListBytes))) {
      const name = isNumbered ? listedName(line).replace(/\s+\d+$/, '') : listedName(line);
      if (name !== '' && !name.startsWith('#') && !subsets.has(name)) subsets.set(name, nameOf(path));
    }
  }
  return { subsets, classLists };
}

/** Finds the files of a dataset in the usual folders or, if there are none, XML files at any location. */
export async function openVoc(source: Source): Promise<VocLayout> {
  const view = stripTopFolder(source, isVocFolder);
  const { subsets, classLists } = await readLists(view);
  const inFolder = filesIn(view, 'Annotations', /\.xml$/i);
  const hasFolders = view.entries.some(({ path }) => isVocFolder(path));
  const loose = inFolder.size === 0 && !hasFolders ? looseAnnotations(view) : undefined;
  const annotations = loose?.annotations ?? inFolder;
  const classMasks = filesIn(view, 'SegmentationClass', /\.(png|bmp|jpe?g|webp|tiff?)$/i);
  const objectMasks = filesIn(view, 'SegmentationObject', /\.(png|bmp|jpe?g|webp|tiff?)$/i);
  const stems = new Set([...annotations.keys(), ...classMasks.keys(), ...objectMasks.keys()]);
  return {
    source: view,
    annotations,
    classMasks,
    objectMasks,
    classLists,
    subsetOf: (stem) => subsets.get(stem) ?? loose?.subsets.get(stem) ?? 'default',
    stems: [...stems],
    withoutFile: [...subsets.keys()].filter((stem) => !stems.has(stem)),
  };
}

/** Declares listed images without files, so that they get the subset of their list. */
export function declareListed({ withoutFile, subsetOf }: VocLayout, task_data: TaskData): void {
  for (const stem of withoutFile)
    declareImage(task_data, namesOf(stem), subsetOf(stem), `ImageSets/Main/${subsetOf(stem)}.txt`);
}
