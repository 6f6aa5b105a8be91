import { isSystemFile, type Source } from '../io/source.ts';
import { readNumber } from '../kit/short-decimals.ts';
import { splitRow } from '../kit/yolo-family/box-row.ts';

export const format = 'WiderFace';
/** The label of rows that name none. */
export const faceLabel = 'face';
/** What stands behind the box of a row, in this order; `-` where it is not known. */
export const columns = ['blur', 'expression', 'illumination', 'occluded', 'pose', 'invalid'] as const;
export const unknownValue = '-';

export interface WiderFile {
  readonly path: string;
  readonly subset: string;
  /** The folder that holds the data set, with its slash, or ''. */
  readonly root: string;
}

/** `wider_face_split/wider_face_<subset>_bbx_gt.txt`, at any depth. */
export function findWiderFiles(source: Source): WiderFile[] {
  return source.entries.flatMap(({ path }): WiderFile[] => {
    const match = /^(.*\/)?wider_face_split\/(?:wider_face_(.+)_bbx_gt|([^/]+))\.txt$/.exec(path);
    if (!match || isSystemFile(path)) return [];
    // The published set has the list of its test images beside the files with rows.
    const [, root = '', subset = match[3] ?? ''] = match;
    return subset === 'readme' || subset.endsWith('filelist') ? [] : [{ path, subset, root }];
  });
}

/** `<number>--<label>` or `<label>`: the label that the folder of an image means. */
export function labelOfFolder(folder: string): string {
  const dashes = folder.indexOf('--');
  return dashes < 0 ? folder : folder.slice(dashes + 2);
}

export interface WiderRow {
  /** x, y, width, height. */
  readonly box: readonly number[];
  /** One for each of {@link columns}, where the row has them. */
  readonly values: readonly string[] | undefined;
  readonly label: string | undefined;
}

/** Whether a line can only be the name of an image: rows begin with a number and have no slash. */
export function isImageLine(line: string): boolean {
  return /[\\/]/.test(line) || (/\.\w{2,5}$/.test(line) && Number.isNaN(readNumber(splitRow(line)[0])));
}

/** The first words of a text, and what follows them; undefined where it has fewer. */
function takeWords(text: string, pattern: RegExp): readonly [words: string[], rest: string] | undefined {
  const found = pattern.exec(text)?.[0];
  return found === undefined ? undefined : [found.split(/\s+/), text.slice(found.length).trim()];
}

const fourWords = /^(?:\S+\s+){3}\S+(?=\s|$)/;
const sixWords = /^(?:\S+\s+){5}\S+(?=\s|$)/;

/** Reads a row: four numbers, perhaps six values, perhaps a label. Or says why it cannot be read. */
export function readWiderRow(line: string): WiderRow | string {
  const numbers = takeWords(line.trim(), fourWords);
  if (!numbers) return 'a row has x, y, width and height, and perhaps more behind them';
  const [texts, rest] = numbers;
  const box = texts.map(readNumber);
  const wrong = box.findIndex(Number.isNaN);
  if (wrong >= 0) return `${JSON.stringify(texts[wrong]?.slice(0, 80))} is not a number`;
  const [values, label] = takeWords(rest, sixWords) ?? [undefined, rest];
  return { box, values, label: label === '' ? undefined : label };
}
