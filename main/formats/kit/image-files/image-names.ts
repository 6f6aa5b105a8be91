import { posix } from 'node:path';
import { withoutExtension } from '../dataset-items.ts';

/**
 * Names of the image that an annotation file is about, the likeliest first: as the file states it, seen from its
 * folder and alone, and as the file itself is called.
 */
export function imageNames(path: string, stated: unknown): string[] {
  const stem = withoutExtension(path);
  // An extension keeps a name of digits from being taken for a frame number; any image extension matches any other.
  const own = [`${stem}.jpg`];
  if (typeof stated !== 'string' || stated.trim() === '') return own;
  const clean = stated.trim().replaceAll('\\', '/');
  const beside = posix.join(posix.dirname(path), clean).replace(/^(\.\.\/)+/, '');
  return clean.startsWith('/') ? [clean, ...own] : [beside, clean, ...own];
}

/** The subset that a path speaks of: its first folder, where it is in one. */
export function subsetOfPath(path: string): string {
  const slash = path.indexOf('/');
  return slash < 0 ? 'default' : path.slice(0, slash);
}
