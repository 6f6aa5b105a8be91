import { parseDocument } from 'yaml';
import { AppError } from '../../platform/errors.ts';

/** Content of a description file. All values are read as text, so that labels such as `no` or `1.0` are preserved. */
export interface DataYaml {
  /** Base folder of the other paths, '' if not stated. */
  readonly path: string;
  readonly names: ReadonlyMap<number, string>;
  /** Possible subsets, each with a folder, list files or images. */
  readonly subsets: ReadonlyMap<string, readonly string[]>;
  /** Number of keypoints and of values per keypoint, in pose datasets. */
  readonly keypointShape: readonly [number, number] | undefined;
  /** Keypoint names by class number; names for all classes are under `all`. */
  readonly keypointNames: ReadonlyMap<number | 'all', readonly string[]>;
  readonly warnings: readonly string[];
}

/** Keys that are never subsets: CVAT's, and those of Ultralytics, Roboflow and others. */
export const reservedKeys: ReadonlySet<string> = new Set([
  'path',
  'kpt_shape',
  'flip_idx',
  'names',
  'classes',
  'backup',
  'nc',
  'roboflow',
  'download',
  'kpt_names',
  'channels',
  'yaml_file',
]);

const maxTextLength = 8 * 1024 * 1024;
const maxAliases = 100;

function refuse(file: string, reason: string, cause?: unknown): never {
  throw new AppError('invalid', `Cannot read ${file}: ${reason} Nothing was imported.`, undefined, { cause });
}

/** Parses the top level. The failsafe schema makes every scalar a string. */
function parseTop(text: string, file: string): ReadonlyMap<unknown, unknown> {
  if (text.length > maxTextLength) refuse(file, 'it is larger than 8 MB, the limit for a dataset description.');
  let value: unknown;
  try {
    const document = parseDocument(text, {
      schema: 'failsafe',
      uniqueKeys: false,
      logLevel: 'silent',
      prettyErrors: true,
    });
    const [error] = document.errors;
    if (error) refuse(file, `${error.message.split('\n')[0] ?? ''}`, error);
    value = document.toJS({ mapAsMap: true, maxAliasCount: maxAliases });
  } catch (error) {
    if (error instanceof AppError) throw error;
    refuse(file, 'it is not valid YAML.', error);
  }
  if (value instanceof Map) return value;
  return refuse(file, 'it is not a list of keys and values.');
}

function readNames(value: unknown, file: string, warnings: string[]): Map<number, string> {
  const names = new Map<number, string>();
  const entries = value instanceof Map ? [...value] : Array.isArray(value) ? [...value.entries()] : undefined;
  if (!entries) return refuse(file, 'it has no "names", a list or a table of class names.');
  for (const [key, name] of entries) {
    const index = typeof key === 'number' ? key : /^\d{1,9}$/.test(String(key)) ? Number(key) : Number.NaN;
    if (Number.isNaN(index) || typeof name !== 'string')
      warnings.push(`${file}: the class "${String(key).slice(0, 100)}" was left out, it is not a number with a name.`);
    else names.set(index, name);
  }
  // Labels are created in this order, and exports number them by it.
  return new Map([...names].toSorted(([a], [b]) => a - b));
}

function readKeypointShape(value: unknown, file: string): [number, number] | undefined {
  if (value === undefined) return undefined;
  const numbers = Array.isArray(value) ? value.map(Number) : [];
  const [count = 0, size = 0] = numbers;
  if (numbers.length !== 2 || !Number.isSafeInteger(count) || count < 0 || (size !== 2 && size !== 3)) {
    return refuse(file, '"kpt_shape" is not a number of points and 2 or 3.');
  }
  return [count, size];
}

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** `{0: [nose, …]}` as in Ultralytics, or one list. */
function readKeypointNames(value: unknown): Map<number | 'all', readonly string[]> {
  if (isTextList(value)) return new Map([['all', value]]);
  const entries: readonly (readonly [unknown, unknown])[] = value instanceof Map ? [...value] : [];
  return new Map(
    entries.flatMap(([key, names]) =>
      /^\d{1,9}$/.test(String(key)) && isTextList(names) ? [[Number(key), names] as const] : [],
    ),
  );
}

function readSubset(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : [value];
  if (!Array.isArray(value)) return undefined;
  return value.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
}

/** Parses `data.yaml`. Throws `AppError('invalid')` for other content. */
export function readDataYaml(text: string, file: string): DataYaml {
  const top = parseTop(text, file);
  const warnings: string[] = [];
  const names = readNames(top.get('names'), file, warnings);
  const count = top.get('nc');
  if (typeof count === 'string' && Number(count) !== names.size) {
    warnings.push(`${file} states ${count} classes, but names ${names.size}: the names were used.`);
  }
  const subsets = new Map<string, readonly string[]>();
  for (const [key, value] of top) {
    const paths = typeof key === 'string' && !reservedKeys.has(key) ? readSubset(value) : undefined;
    if (typeof key === 'string' && paths) subsets.set(key, paths);
  }
  const path = top.get('path');
  return {
    path: typeof path === 'string' ? path : '',
    names,
    subsets,
    keypointShape: readKeypointShape(top.get('kpt_shape'), file),
    keypointNames: readKeypointNames(top.get('kpt_names')),
    warnings,
  };
}

const plainWord = /^[A-Za-z][\w-]*$/;
/** Words that YAML 1.1 (as read by Python) does not parse as text. */
const wordsWithMeaning = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** Characters that JSON does not escape but YAML treats as line ends or rejects. */
// oxlint-disable-next-line no-control-regex -- the characters that YAML writes as escapes
const unsafeInQuotes = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

/** A scalar that every YAML reader parses as this text. */
function scalar(text: string): string {
  if (plainWord.test(text) && !wordsWithMeaning.test(text)) return text;
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replace(unsafeInQuotes, escape);
}

/**
 * Writes `data.yaml` for subsets with list files; for poses with the numbers of points and of values per point. It has
 * no `path`: Ultralytics resolves a relative one from the working directory, but without one it uses the folder of the
 * file.
 */
export function writeDataYaml(
  names: readonly string[],
  subsets: readonly string[],
  keypointShape?: readonly [number, number],
): string {
  const lists = subsets.map((subset) => `${scalar(subset)}: ${scalar(`${subset}.txt`)}\n`);
  const classes = names.map((name, index) => `  ${index}: ${scalar(name)}\n`);
  const points = keypointShape ? `kpt_shape: [${keypointShape.join(', ')}]\n` : '';
  return `${lists.join('')}${points}names:${classes.length === 0 ? ' {}' : ''}\n${classes.join('')}`;
}
