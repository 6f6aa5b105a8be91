import { usualSubsets } from '../kit/label-folders.ts';
import { isImagePath } from '../kit/yolo-family/dataset-paths.ts';
import { commonTopFolder, isSystemFile, type Source, stripTopFolder, subSource } from '../io/source.ts';

export const labelsFile = 'synsets.txt';

/** A list of images with label numbers, or an image in the folder of its label. */
export type ImageNetFile =
  | { readonly kind: 'list'; readonly path: string; readonly subset: string }
  | {
      readonly kind: 'image';
      readonly path: string;
      readonly label: string;
      readonly rest: string;
      /** Set if label folders are inside subset folders. */
      readonly subset?: string;
    };

const isLabelsFile = (path: string): boolean => path === labelsFile;

/** Lists of a dataset without label folders; undefined if it has no list of labels. */
export function findLists(source: Source): { view: Source; lists: ImageNetFile[] } | undefined {
  const view = stripTopFolder(source, isLabelsFile);
  if (!view.has(labelsFile)) return undefined;
  const lists = view.entries.flatMap(({ path }): ImageNetFile[] => {
    if (!/^[^/]+\.txt$/.test(path) || isLabelsFile(path) || isSystemFile(path)) return [];
    return [{ kind: 'list', path, subset: path.slice(0, -'.txt'.length) }];
  });
  return { view, lists };
}

/** Images in label folders. A single top folder is skipped if it holds only folders and is not a label of the task. */
export function findLabelledImages(source: Source, isLabel: (name: string) => boolean): ImageNetFile[] {
  let view = source;
  let prefix = '';
  for (let depth = 0; depth < 2; depth += 1) {
    const top = commonTopFolder(view);
    if (top === undefined || isLabel(top)) break;
    const inside = subSource(view, top);
    if (inside.entries.some(({ path }) => !path.includes('/') && !isSystemFile(path))) break;
    prefix += `${top}/`;
    view = inside;
  }
  const images = view.entries.map(({ path }) => path).filter((path) => isImagePath(path) && !isSystemFile(path));
  const isOfSubset = (path: string): boolean => {
    const [subset = '', ...rest] = path.split('/');
    return usualSubsets.has(subset) && !isLabel(subset) && rest.length > 1;
  };
  const hasSubsets = images.length > 0 && images.every(isOfSubset);
  return images.flatMap((path): ImageNetFile[] => {
    const [first = '', ...below] = path.split('/');
    const [label = '', ...rest] = hasSubsets ? below : [first, ...below];
    if (rest.length === 0) return [];
    const subset = hasSubsets ? first : undefined;
    return [{ kind: 'image', path: prefix + path, label, rest: rest.join('/'), subset }];
  });
}

export interface ListLine {
  readonly image: string;
  readonly labels: readonly number[];
}

/** Writes a line: the image, quoted if its name has spaces, and its label numbers. */
export function listLine(image: string, labels: readonly number[]): string {
  const dot = image.lastIndexOf('.');
  const end = dot > image.lastIndexOf('/') ? dot : image.length;
  const isPlain = !/[\s"]/.test(image);
  // The quotes end before the extension, because other readers expect it after them.
  const name = isPlain ? image : `"${image.slice(0, end)}"${image.slice(end)}`;
  return `${[name, ...labels].join(' ')}\n`;
}

/** Reads a line, or returns the reason why it cannot. Undefined for an empty line. */
export function readListLine(line: string): ListLine | string | undefined {
  const text = line.trim();
  if (text === '') return undefined;
  const quoted = /^"(.+)"(\.[^\s"]*)?((?:\s+\S+)*)$/.exec(text);
  const plain = /^(\S+)((?:\s+\S+)*)$/.exec(text);
  const image = quoted ? `${quoted[1]}${quoted[2] ?? ''}` : plain?.[1];
  if (image === undefined) return 'a line must have an image and label numbers';
  const fields = (quoted?.[3] ?? plain?.[2] ?? '').split(/\s+/).filter((field) => field !== '');
  const wrong = fields.find((field) => !/^\d{1,9}$/.test(field));
  if (wrong !== undefined) return `${JSON.stringify(wrong.slice(0, 80))} is not a label number`;
  return { image, labels: fields.map(Number) };
}
