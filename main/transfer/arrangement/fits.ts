import type { SupportTable } from '../../formats/kit/plugin.ts';

/** Whether a format writes the kind; null where it does not say. */
export const fits = (support: SupportTable | undefined, kind: string): boolean | null => {
  if (!support) return null;
  // Keys of the table are kinds.
  const found = support[kind as keyof SupportTable];
  return found !== undefined && found !== 'import';
};
