export const sortingMethods = ['lexicographical', 'natural', 'predefined', 'random'] as const;
export type SortingMethod = (typeof sortingMethods)[number];

/** Order of Unicode code points, as Python sorts: UTF-16 order differs above U+FFFF. */
function compareCodePoints(first: string, second: string): number {
  const length = Math.min(first.length, second.length);
  for (let index = 0; index < length; index += 1) {
    const a = first.charCodeAt(index);
    const b = second.charCodeAt(index);
    if (a !== b) return surrogatesLast(a) - surrogatesLast(b);
  }
  return first.length - second.length;
}

/** Moves surrogates, which encode code points above U+FFFF, after all other units. */
function surrogatesLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

type NaturalKey = readonly (readonly (string | number)[])[];

const maxExactDigits = 15;

/** Per folder or file name: runs of text (without case) and runs of digits (as numbers). */
function naturalKey(path: string): NaturalKey {
  return path.split('/').map((part) =>
    (part.toLowerCase().match(/\d+|\D+/g) ?? []).map((run) => {
      const isNumber = /^\d/.test(run) && run.replace(/^0+/, '').length <= maxExactDigits;
      return isNumber ? Number(run) : run;
    }),
  );
}

function compareRuns(first: string | number, second: string | number): number {
  if (typeof first === 'number') return typeof second === 'number' ? first - second : -1;
  if (typeof second === 'number') return 1;
  // Numbers of more than 15 digits stay text: the longer one is the larger.
  if (/^\d/.test(first) && /^\d/.test(second)) {
    const a = first.replace(/^0+/, '');
    const b = second.replace(/^0+/, '');
    return a.length - b.length || compareCodePoints(a, b);
  }
  return compareCodePoints(first, second);
}

function compareLists<Item>(
  first: readonly Item[],
  second: readonly Item[],
  compare: (a: Item, b: Item) => number,
): number {
  const length = Math.min(first.length, second.length);
  for (let index = 0; index < length; index += 1) {
    // Both lists have an item at every index below the shorter length.
    const order = compare(first[index] as Item, second[index] as Item);
    if (order !== 0) return order;
  }
  return first.length - second.length;
}

function compareNaturalKeys(first: NaturalKey, second: NaturalKey): number {
  return compareLists(first, second, (a, b) => compareLists(a, b, compareRuns));
}

/** A generator of uniform numbers in [0, 1) that gives the same sequence for the same seed (SplitMix32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = seededRandom(seed);
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    // Both indices are inside the list.
    [result[last], result[other]] = [result[other] as Item, result[last] as Item];
  }
  return result;
}

export interface SortOptions {
  readonly method: SortingMethod;
  /** For `random`: the same seed gives the same order, regardless of the input order. */
  readonly seed?: number | undefined;
}

/**
 * Sorts items by path: `lexicographical` by code point, `natural` as file managers do (2 before 10, without case),
 * `predefined` as given, `random` by seed.
 */
export function sortByPath<Item extends { readonly path: string }>(
  items: readonly Item[],
  options: SortOptions,
): Item[] {
  if (options.method === 'predefined') return [...items];
  if (options.method === 'natural') {
    return items
      .map((item) => ({ item, key: naturalKey(item.path) }))
      .sort((a, b) => compareNaturalKeys(a.key, b.key) || compareCodePoints(a.item.path, b.item.path))
      .map(({ item }) => item);
  }
  const sorted = [...items].sort((a, b) => compareCodePoints(a.path, b.path));
  return options.method === 'random' ? shuffled(sorted, options.seed ?? 0) : sorted;
}
