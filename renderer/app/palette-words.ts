import type { PaletteItem } from '../ui/command-palette.tsx';

/** The words of a query, without the sign that chooses a kind. */
export const wordsOf = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .replace(/^\s*[>#]/, '')
    .split(/\s+/)
    .filter(Boolean);

export function fits({ label, description = '' }: PaletteItem, words: readonly string[]): boolean {
  const text = `${label} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
