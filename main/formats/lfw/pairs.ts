import type { Attribute } from '../kit/task-data.ts';

export const format = 'LFW';
export const positivePairs = 'positive_pairs';
export const negativePairs = 'negative_pairs';
/** Placeholder for an image without a person. */
export const nobody = '-';

const digits = 4;

/** `person_0001`, the usual name of a person's image. */
function numberedName(person: string, number: number): string {
  return `${person}_${String(number).padStart(digits, '0')}`;
}

/** Token for a person's image in rows: its number if the name follows the usual pattern, else its name. */
export function tokenOf(person: string, rest: string): string {
  const number = rest.startsWith(`${person}_`) ? rest.slice(person.length + 1) : '';
  return /^\d{1,9}$/.test(number) && numberedName(person, Number(number)) === rest ? String(Number(number)) : rest;
}

/** Candidate image names for a token, most likely first. */
export function namesOfToken(person: string, token: string): string[] {
  const number = /^\s*(\d{1,9})\s*$/.exec(token)?.[1];
  return number === undefined ? [token] : [numberedName(person, Number(number)), token];
}

/** A list of images as an attribute value: separated by commas, or as JSON if a name contains one. */
function pairsText(names: readonly string[]): string {
  const isPlain = names.every((name) => !/[,[\]"']/.test(name) && name === name.trim());
  return isPlain ? names.join(', ') : JSON.stringify(names);
}

function fromJson(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses such a value; also `['a', 'b']`, as other programs write it. */
export function readPairsText(text: string): string[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  if (!trimmed.startsWith('[')) return trimmed.split(',').map((name) => name.trim());
  const quoted = (): string[] =>
    Array.from(trimmed.matchAll(/'([^']*)'|"([^"]*)"/g), (match) => match[1] ?? match[2] ?? '');
  return fromJson(trimmed) ?? quoted();
}

export function pairAttributes(positive: readonly string[], negative: readonly string[]): Attribute[] {
  return [
    ...(positive.length > 0 ? [{ name: positivePairs, value: pairsText(positive) }] : []),
    ...(negative.length > 0 ? [{ name: negativePairs, value: pairsText(negative) }] : []),
  ];
}
