import { useState } from 'react';
import type { Arranging } from './use-arrangement.ts';

/** Subsets of the data as they are: what is counted of a choice names fewer, and of a split others. */
export function useKnownSubsets({ arrangement, preview }: Arranging): string[] {
  const [known, setKnown] = useState<readonly string[]>([]);
  const isWhole = arrangement.split === undefined && arrangement.subsets === undefined;
  const found = preview.data?.subsets.map(({ name }) => name) ?? [];
  const isNews = isWhole && !preview.isPlaceholderData && found.some((name) => !known.includes(name));
  if (isNews) setKnown([...new Set([...known, ...found])]);
  return [...known];
}
