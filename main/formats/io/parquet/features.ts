import { parseDocument } from 'yaml';

/** Type of a column, as far as Hugging Face's description changes how its values are read. */
export type Feature =
  | { readonly kind: 'image' | 'value' }
  | { readonly kind: 'classes'; readonly names: readonly string[] }
  | { readonly kind: 'list'; readonly of: Feature }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, Feature> };

export type Features = ReadonlyMap<string, Feature>;

/** Description of a dataset in its card. */
export interface DatasetCard {
  readonly features: Features;
  /** Split of a file, by the patterns of `configs`; undefined if the card does not name it. */
  readonly splitOf: (path: string) => string | undefined;
}

const value: Feature = { kind: 'value' };
const maxDepth = 20;
const maxCardLength = 1024 * 1024;
const maxAliases = 100;

type Members = Readonly<Record<string, unknown>>;
const isRecord = (one: unknown): one is Members => typeof one === 'object' && one !== null && !Array.isArray(one);
const structOf = (entries: readonly (readonly [string, Feature])[]): Feature => ({
  kind: 'struct',
  fields: new Map(entries),
});

/** Names by number, from a list or from a record of numbers. */
function classNames(names: unknown): readonly string[] {
  if (Array.isArray(names)) return names.map(String);
  const found: string[] = [];
  for (const [number, name] of Object.entries(isRecord(names) ? names : {}))
    if (/^\d{1,5}$/.test(number)) found[Number(number)] = String(name);
  return Array.from(found, (name) => name ?? '');
}

/** Feature in the key `huggingface` of a file's metadata. */
function ofMetadata(stated: unknown, depth: number): Feature {
  if (depth > maxDepth) return value;
  if (Array.isArray(stated)) return { kind: 'list', of: ofMetadata(stated[0], depth + 1) };
  if (!isRecord(stated)) return value;
  const { _type: type, feature, names } = stated;
  if (type === 'Image') return { kind: 'image' };
  if (type === 'ClassLabel') return { kind: 'classes', names: classNames(names) };
  if (type === 'List' || type === 'LargeList' || type === 'Sequence')
    return { kind: 'list', of: ofMetadata(feature, depth + 1) };
  if (typeof type === 'string') return value;
  return structOf(Object.entries(stated).map(([name, one]) => [name, ofMetadata(one, depth + 1)]));
}

/** Features of the metadata of a file; empty if it has none. */
export function featuresOfMetadata(text: string | undefined): Features {
  try {
    const stated = JSON.parse(text ?? '{}') as { readonly info?: { readonly features?: unknown } } | null;
    const found = ofMetadata(stated?.info?.features, 0);
    return found.kind === 'struct' ? found.fields : new Map();
  } catch {
    return new Map();
  }
}

/** Feature in the YAML of a card, which names the kinds of lists and structures by other members. */
function ofCard(stated: unknown, depth: number): Feature {
  if (depth > maxDepth) return value;
  if (stated === 'image') return { kind: 'image' };
  if (Array.isArray(stated))
    return structOf(stated.filter(isRecord).map((one) => [String(one['name']), ofCard(one, depth + 1)]));
  if (!isRecord(stated)) return value;
  const { dtype, list, sequence, struct, class_label: classes } = stated;
  if (isRecord(classes)) return { kind: 'classes', names: classNames(classes['names']) };
  const items = list ?? sequence;
  if (items !== undefined) return { kind: 'list', of: ofCard(items, depth + 1) };
  return ofCard(struct ?? dtype, depth + 1);
}

const listOf = (one: unknown): readonly unknown[] => (Array.isArray(one) ? one : one === undefined ? [] : [one]);

/** Pattern of a card as an expression: `*` within a folder, `**` across folders. */
function patternOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*\*\/?|\*|\?|[^*?]/g, (part) => {
    if (part.startsWith('**')) return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : part.replaceAll(/[\\^$.+()[\]{}|]/g, String.raw`\$&`);
  });
  return new RegExp(`(?:^|/)${source}$`);
}

const maxPatterns = 100;
const maxPatternLength = 300;
/** Matching takes time that grows with this power of the length of a path. */
const maxStars = 3;
const isPlain = (pattern: unknown): pattern is string =>
  typeof pattern === 'string' && pattern.length <= maxPatternLength && pattern.split('*').length <= maxStars + 1;

/** Card of a dataset (`README.md`), whose YAML is between two lines of dashes. */
export function readCard(text: string): DatasetCard {
  const front = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---/.exec(text.slice(0, maxCardLength))?.[1] ?? '';
  let stated: unknown;
  try {
    stated = parseDocument(front, { uniqueKeys: false, logLevel: 'silent' }).toJS({ maxAliasCount: maxAliases });
  } catch {
    stated = null;
  }
  const { configs, dataset_info: info } = isRecord(stated) ? stated : {};
  const features = listOf(info)
    .filter(isRecord)
    .flatMap((one) => [...fieldsOf(ofCard(one['features'], 0))]);
  const patterns = listOf(configs)
    .filter(isRecord)
    .flatMap(({ data_files: files }) => listOf(files))
    .filter(isRecord)
    .flatMap(({ split, path }) => listOf(path).map((pattern) => ({ split: String(split), pattern })))
    .flatMap(({ split, pattern }) => (isPlain(pattern) ? [{ split, pattern: patternOf(pattern) }] : []))
    .slice(0, maxPatterns);
  return {
    features: new Map(features),
    splitOf: (path) => patterns.find(({ pattern }) => pattern.test(path))?.split,
  };
}

const fieldsOf = (feature: Feature): Features => (feature.kind === 'struct' ? feature.fields : new Map());

/** All class names of features, in their order. */
export function namesIn(features: Iterable<Feature>): string[] {
  return [...features].flatMap((feature) => {
    if (feature.kind === 'classes') return feature.names.filter((name) => name !== '');
    if (feature.kind === 'list') return namesIn([feature.of]);
    return feature.kind === 'struct' ? namesIn(feature.fields.values()) : [];
  });
}

/** Shortest decimal of a 32-bit float, which a double shows as 10.100000381469727. */
function shortest(single: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return short;
  }
  return single;
}

/**
 * A value of a table as JSON has it, with names in place of class numbers. A number that has no name becomes null,
 * because it is the sign of a missing label (−1), or of another table's classes.
 */
export function plainValue(stored: unknown, feature: Feature = value): unknown {
  if (stored === null || stored === undefined) return null;
  if (Array.isArray(stored)) {
    const of = feature.kind === 'list' ? feature.of : feature;
    return stored.map((one) => plainValue(one, of));
  }
  if (typeof stored === 'bigint' || typeof stored === 'number') {
    const number = Number(stored);
    if (feature.kind === 'classes') return feature.names[number] || null;
    if (!Number.isSafeInteger(number) && typeof stored === 'bigint') return String(stored);
    return Math.fround(number) === number ? shortest(number) : number;
  }
  if (stored instanceof Uint8Array) return null;
  if (stored instanceof Date || !isRecord(stored)) return stored;
  // A list of structures is stored as a structure of lists.
  const fields = fieldsOf(feature.kind === 'list' ? feature.of : feature);
  return Object.fromEntries(Object.entries(stored).map(([name, one]) => [name, plainValue(one, fields.get(name))]));
}
