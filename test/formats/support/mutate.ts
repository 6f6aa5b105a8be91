import { below, pick, type Random } from '../../support/random.ts';
import type { Seed } from './fuzz-seeds.ts';

type Files = Map<string, Buffer>;

/** Replacements for numbers: limits of number types, invalid numbers, and lookalikes. */
const oddNumbers = [
  '-1',
  '0',
  '-0',
  'NaN',
  'nan',
  'Infinity',
  '-inf',
  '1e309',
  '1e-320',
  '2147483648',
  '4294967296',
  '9007199254740993',
  '99999999999999999999999',
  '0x10',
  '1e3',
  '1,5',
  '.5',
  '5.',
  '--1',
  '1 2',
  '',
  'null',
  'true',
  '"7"',
  '[]',
  '٣',
];
const oddTexts = [
  '',
  '\u0000',
  '../../etc/passwd',
  '/abs',
  'C:\\x',
  '__proto__',
  'constructor',
  'toString',
  'a'.repeat(5000),
  '😀',
  '\u202e',
  '\ud800',
  '<![CDATA[x]]>',
  '&amp;',
  '&unknown;',
  '<!DOCTYPE a [<!ENTITY x "y">]>',
  '"',
  "'",
  '\\',
  '\r\n',
  '\ufeff',
  '%s%n',
  '-->',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ';',
  '\t',
];

type Mutation = (bytes: Buffer, random: Random) => Buffer;

const at = (bytes: Buffer, random: Random) => below(random, bytes.length + 1);
const cut = (bytes: Buffer, start: number, end: number, middle: Uint8Array = Buffer.alloc(0)) =>
  Buffer.concat([bytes.subarray(0, start), middle, bytes.subarray(end)]);

/** Replaces one random match in the text; undefined if nothing matches. */
function replaceOne(bytes: Buffer, random: Random, pattern: RegExp, by: () => string): Buffer {
  const text = bytes.toString('utf8');
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return bytes;
  const { 0: whole, index } = pick(random, found);
  return Buffer.from(`${text.slice(0, index)}${by()}${text.slice(index + whole.length)}`);
}

const inJson: Mutation = (bytes, random) => {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return bytes;
  }
  const places: [container: Record<string, unknown>, key: string][] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || places.length > 5000) return;
    for (const key of Object.keys(node)) {
      // Array indices are treated like object keys.
      places.push([node as Record<string, unknown>, key]);
      walk((node as Record<string, unknown>)[key]);
    }
  };
  walk(value);
  if (places.length === 0) return bytes;
  const [container, key] = pick(random, places);
  const replacements: (() => unknown)[] = [
    () => null,
    () => [],
    () => ({}),
    () => -1,
    () => 1e308,
    () => 0.5,
    () => 'text',
    () => '',
    () => true,
    () => [[[[]]]],
    () => Number(pick(random, ['9007199254740993', '2147483648', '-2147483649'])),
    () => ({ size: [1e9, 1e9], counts: [1, 2] }),
    () => ({ size: [4, 4], counts: 'ÿÿÿÿ' }),
    () => [container[key], container[key]],
    () => pick(random, places)[0],
    () => pick(random, oddTexts),
  ];
  if (random() < 0.15) delete container[key];
  else container[key] = pick(random, replacements)();
  try {
    return Buffer.from(JSON.stringify(value));
  } catch {
    // The node would contain itself.
    return bytes;
  }
};

const mutations: readonly Mutation[] = [
  inJson,
  inJson,
  (bytes, random) => replaceOne(bytes, random, /-?\d+(?:\.\d+)?/g, () => pick(random, oddNumbers)),
  (bytes, random) => replaceOne(bytes, random, /-?\d+(?:\.\d+)?/g, () => pick(random, oddNumbers)),
  (bytes, random) => replaceOne(bytes, random, /[\p{L}_]+/gu, () => pick(random, oddTexts)),
  (bytes, random) => replaceOne(bytes, random, /"[^"\n]*"/g, () => `"${pick(random, oddTexts)}"`),
  (bytes, random) => replaceOne(bytes, random, /<[^>]*>/g, () => ''),
  (bytes, random) =>
    replaceOne(bytes, random, /<[^>]*>/g, () => pick(random, ['<x>', '</x>', '<box/>', '<', '>', '<track id="0">'])),
  (bytes, random) =>
    replaceOne(bytes, random, /[^\n]*\n/g, () => pick(random, ['', '\n', '\n\n\n', `${pick(random, oddTexts)}\n`])),
  (bytes, random) => {
    const place = at(bytes, random);
    return cut(bytes, place, place, Buffer.from(pick(random, oddTexts)));
  },
  (bytes, random) => {
    const changed = Buffer.from(bytes);
    for (let count = 1 + below(random, 4); count > 0; count -= 1) {
      changed[below(random, Math.max(1, changed.length))] = below(random, 256);
    }
    return changed;
  },
  (bytes, random) => bytes.subarray(0, at(bytes, random)),
  (bytes, random) => {
    const start = at(bytes, random);
    return cut(bytes, start, Math.min(bytes.length, start + below(random, 200)));
  },
  (bytes, random) => {
    const start = at(bytes, random);
    const piece = bytes.subarray(start, start + below(random, 200));
    const place = at(bytes, random);
    return cut(bytes, place, place, piece);
  },
  (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]),
  (bytes) => Buffer.from(bytes.toString('utf8').replaceAll('\n', '\r\n')),
  (bytes) => Buffer.from(bytes.toString('utf8'), 'utf16le'),
  () => Buffer.alloc(0),
];

function mutateNames(files: Files, random: Random): void {
  const names = [...files.keys()];
  const name = pick(random, names);
  const content = files.get(name) ?? Buffer.alloc(0);
  const kind = below(random, 6);
  if (kind === 0) files.delete(name);
  else if (kind === 1) files.set(pick(random, names), content);
  else {
    if (kind < 4) files.delete(name);
    const other = replaceOne(Buffer.from(name), random, /[\p{L}\d_]+/gu, () =>
      pick(random, ['train', 'x', 'ü', '0', '999999', 'annotations', 'default', '__proto__']),
    ).toString();
    files.set(kind === 4 ? `top/${name}` : other, content);
  }
}

/** An input with one to four faults. The same seed and numbers give the same result. */
export function mutate({ files: good }: Seed, random: Random): Files {
  const files: Files = new Map(good);
  for (let count = 1 + below(random, 4); count > 0; count -= 1) {
    if (files.size === 0) break;
    if (random() < 0.08) {
      mutateNames(files, random);
      continue;
    }
    const name = pick(random, [...files.keys()]);
    files.set(name, pick(random, mutations)(files.get(name) ?? Buffer.alloc(0), random));
  }
  return files;
}

export function mutateArchive(archive: Buffer, random: Random): Buffer {
  const changed = Buffer.from(archive);
  for (let count = 1 + below(random, 3); count > 0; count -= 1) {
    changed[below(random, Math.max(1, changed.length))] = below(random, 256);
  }
  return random() < 0.2 ? changed.subarray(0, at(changed, random)) : changed;
}
