import { isSystemFile, type Source } from '../io/source.ts';
import { readNumber } from '../kit/short-decimals.ts';
import { splitRow } from '../kit/yolo-family/box-row.ts';

export const format = 'WiderFace';
export const faceLabel = 'face';
/** Values after the box of a row, in this order; `-` if unknown. */
export const columns = ['blur', 'expression', 'illumination', 'occluded', 'pose', 'invalid'] as const;
export const unknownValue = '-';

export interface WiderFile {
  readonly path: string;
  readonly subset: string;
  /** Folder of the dataset with a trailing slash, or ''. */
  readonly root: string;
}

/** `wider_face_split/wider_face_<subset>_bbx_gt.txt` at any depth. */
export function findWiderFiles(source: Source): WiderFile[] {
  return source.entries.flatMap(({ path }): WiderFile[] => {
    const match = /^(.*\/)?wider_face_split\/(?:wider_face_(.+)_bbx_gt|([^/]+))\.txt$/.exec(path);
    if (!match || isSystemFile(path)) return [];
    // The published dataset has the list of test images beside the files with rows.
    const [, root = '', subset = match[3] ?? ''] = match;
    return subset === 'readme' || subset.endsWith('filelist') ? [] : [{ path, subset, root }];
  });
}

/** Label of an image's folder: `<number>--<label>` or `<label>`. */
export function labelOfFolder(folder: string): string {
  const dashes = folder.indexOf('--');
  return dashes < 0 ? folder : folder.slice(dashes + 2);
}

export interface WiderRow {
  /** x, y, width, height. */
  readonly box: readonly number[];
  /** One for each of {@link columns}, if the row has them. */
  readonly values: readonly string[] | undefined;
  readonly label: string | undefined;
}

/** True if a line must be an image name: rows start with a number and have no slash. */
export function isImageLine(line: string): boolean {
  return /[\\/]/.test(line) || (/\.\w{2,5}$/.test(line) && Number.isNaN(readNumber(splitRow(line)[0])));
}

/** Splits off the first words of a text; undefined if it has fewer. */
function takeWords(text: string, pattern: RegExp): readonly [words: string[], rest: string] | undefined {
  const found = pattern.exec(text)?.[0];
  return found === undefined ? undefined : [found.split(/\s+/), text.slice(found.length).trim()];
}

const fourWords = /^(?:\S+\s+){3}\S+(?=\s|$)/;
const sixWords = /^(?:\S+\s+){5}\S+(?=\s|$)/;

/** Parses a row: four numbers, optionally six values, optionally a label. Returns the reason if it cannot. */
export function readWiderRow(line: string): WiderRow | string {
  const numbers = takeWords(line.trim(), fourWords);
  if (!numbers) return 'a row must start with x, y, width and height';
  const [texts, rest] = numbers;
  const box = texts.map(readNumber);
  const wrong = box.findIndex(Number.isNaN);
  if (wrong >= 0) return `${JSON.stringify(texts[wrong]?.slice(0, 80))} is not a number`;
  const [values, label] = takeWords(rest, sixWords) ?? [undefined, rest];
  return { box, values, label: label === '' ? undefined : label };
}
