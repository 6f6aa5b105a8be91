import type { z } from 'zod';
import type { modelImageSchema } from '../../../../preload/contract/schema/functions.ts';

type Image = z.output<typeof modelImageSchema>;

/** Names of the Engine's images, each once; those that Limner made for a function are no choice. */
export function imageChoices(images: readonly Image[], first: readonly string[] = []): string[] {
  const names = images.flatMap((image) => image.names).filter((name) => !name.startsWith('limner-function/'));
  return [...new Set([...first, ...names.toSorted()])];
}
