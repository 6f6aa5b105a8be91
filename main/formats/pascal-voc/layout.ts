import { withoutExtension } from '../kit/dataset-items.ts';
import { isSystemFile, type Source, stripTopFolder } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';

/** Names that an image of the data set may have in the task. */
export function namesOf(stem: string, fileName?: string): string[] {
  // An extension keeps a name of digits from being taken for a frame number; any image extension matches any other.
  return [`${stem}.jpg`, ...(fileName === undefined || fileName === '' ? [] : [fileName])];
}

/** A list that says for each image whether it has something of a label. */
export interface ClassList {
  readonly path: string;
  /** Labels and subsets that the file name may mean, the likeliest first. */
  readonly readings: readonly { readonly label: string; readonly subset: string }[];
}

/** What a VOC data set holds, by the names of its files. */
export interface VocLayout {
  readonly source: Source;
  /** Annotation files by the names of their images, without extension. */
  readonly annotations: ReadonlyMap<string, string>;
  readonly classMasks: ReadonlyMap<string, string>;
  readonly objectMasks: ReadonlyMap<string, string>;
  readonly classLists: readonly ClassList[];
  /** Images that a list names; an image may be in several lists, of which the first counts. */
  readonly subsetOf: (stem: string) => string;
  readonly stems: readonly string[];
  /** Images that a list names and that have no file. */
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

/** XML files anywhere, as some tools put them beside the images; a folder such as `train` names the subset. */
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

/** One line of a list: an image's name, behind it (in some lists) numbers. */
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
    // `<label>_<subset>.txt` is there only where `<subset>.txt` is.
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

/** Finds the files of a data set, in the usual folders or, where there are none, XML files anywhere. */
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
