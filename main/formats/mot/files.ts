import { isSystemFile, type Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { readNumber } from '../kit/short-decimals.ts';
import type { ImageSize } from '../kit/task-data.ts';

/** The published classes, for datasets without a list of labels. MOT20 added the last one. */
const publishedLabels: readonly string[] = [
  'pedestrian',
  'person on vehicle',
  'car',
  'bicycle',
  'motorbike',
  'non motorized vehicle',
  'static person',
  'distractor',
  'occluder',
  'occluder on the ground',
  'occluder full',
  'reflection',
  'crowd',
];

export interface MotSequence {
  readonly path: string;
  /** Folder of the sequence, '' for the top. */
  readonly folder: string;
  /** Ground truth, or detector results, which have a confidence instead of the flag. */
  readonly kind: 'gt' | 'det';
}

/** `gt/gt.txt` at any depth; if a sequence has none, `det/det.txt`. */
export function findSequences(source: Source): MotSequence[] {
  const all = source.entries.flatMap(({ path }): MotSequence[] => {
    const match = /^(?:(.*)\/)?(gt\/gt|det\/det)\.txt$/.exec(path);
    if (!match || isSystemFile(path)) return [];
    return [{ path, folder: match[1] ?? '', kind: match[2] === 'gt/gt' ? 'gt' : 'det' }];
  });
  const judged = new Set(all.filter(({ kind }) => kind === 'gt').map(({ folder }) => folder));
  return all.filter(({ kind, folder }) => kind === 'gt' || !judged.has(folder));
}

/** Labels by number, from 1: those of the dataset, or the published ones. */
export async function readLabelNames(
  source: Source,
  { path }: MotSequence,
): Promise<{ readonly names: readonly string[]; readonly isStated: boolean }> {
  const list = `${path.slice(0, path.lastIndexOf('/'))}/labels.txt`;
  if (!source.has(list)) return { names: publishedLabels, isStated: false };
  const names = splitLines(await source.read(list)).map((line) => line.trim());
  while (names.at(-1) === '') names.pop();
  return { names, isStated: true };
}

export interface MotRow {
  readonly frame: number;
  readonly track: number;
  /** x, y, width, height. */
  readonly box: readonly number[];
  /** Ground truth: 0 if the box is ignored in evaluations. Results: confidence. */
  readonly confidence: number;
  /** Counted from 1; undefined if the row has none. */
  readonly label: number | undefined;
  /** Visible fraction; negative if unknown. */
  readonly visibility: number;
  /** True if the row states a 3D location. */
  readonly hasPlace: boolean;
}

const fewest = 6;
const most = 10;

/** Parses a row of 6 to 10 values, or returns the reason why it cannot; undefined for an empty line. */
export function readMotRow(line: string): MotRow | string | undefined {
  const text = line.trim();
  if (text === '') return undefined;
  if (text.includes(';') && text.includes(','))
    return 'commas and semicolons are mixed: does a number have a decimal comma?';
  const fields = text.split(/[,;]/).map((field) => field.trim());
  if (fields.at(-1) === '') fields.pop();
  if (fields.length < fewest || fields.length > most)
    return `a row must have 7, 9 or 10 values separated by commas, but has ${fields.length}`;
  const values = fields.map((field) => (field === '' ? Number.NaN : readNumber(field)));
  const wrong = values.findIndex(Number.isNaN);
  if (wrong >= 0) return `${JSON.stringify(fields[wrong]?.slice(0, 80))} is not a number`;
  const [frame = 0, track = -1, x = 0, y = 0, w = 0, h = 0, confidence = 1, label = -1, visibility = 1] = values;
  // In rows of ten values, the last three are a 3D location, -1 if unknown.
  const isInSpace = fields.length === most;
  const hasPlace = isInSpace && values.slice(-3).some((value) => value !== -1);
  if (!Number.isSafeInteger(frame) || frame < 0) return `${fields[0]} is not a frame number`;
  if (!Number.isSafeInteger(track)) return `${fields[1]} is not a track number`;
  if (!isInSpace && !Number.isSafeInteger(label)) return `${fields[7]} is not a label number`;
  return {
    frame,
    track,
    box: [x, y, w, h],
    confidence,
    label: isInSpace || label < 0 ? undefined : label,
    visibility: isInSpace ? 1 : visibility,
    hasPlace,
  };
}

/** Image size in `seqinfo.ini` beside the rows, 0 if missing. */
export async function readStatedSize(source: Source, { folder }: MotSequence): Promise<ImageSize> {
  const path = `${folder === '' ? '' : `${folder}/`}seqinfo.ini`;
  const text = source.has(path) ? (await source.read(path)).toString('utf8') : '';
  const valueOf = (name: string): number =>
    Number(new RegExp(`^\\s*${name}\\s*=\\s*(\\d{1,9})\\s*$`, 'im').exec(text)?.[1] ?? 0);
  return { width: valueOf('imWidth'), height: valueOf('imHeight') };
}
