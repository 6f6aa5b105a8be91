import { keep } from '../saved-switches.ts';

/** Frequent texts: built-in ones, then the last ones of this user. */
const storeKey = 'limner.quickIssues';
const keptCount = 3;
const longest = 40;

/** The last short texts, newest first, without duplicates and built-in ones. */
export function withLast(last: readonly string[], message: string, standard: readonly string[]): readonly string[] {
  const text = message.trim();
  if (text === '' || text.length > longest || text.includes('\n') || standard.includes(text)) return last;
  return [text, ...last.filter((one) => one !== text)].slice(0, keptCount);
}

export function lastIssues(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(globalThis.localStorage?.getItem(storeKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string').slice(0, keptCount) : [];
  } catch {
    return [];
  }
}

export const keepLastIssues = (last: readonly string[]): void => keep(storeKey, JSON.stringify(last));
