import { extname } from 'node:path';

const kinds: readonly (readonly [RegExp, string])[] = [
  [/^\.(jpe?g|png|webp|bmp|tiff?|gif)$/i, 'image'],
  [/^\.(mp4|mkv|avi|mov|webm|m4v|mpe?g)$/i, 'video'],
  [/^\.(zip|tar|gz|tgz)$/i, 'archive'],
];

/** CVAT's `mime_type` of a listed file, by its name. */
export const fileKind = (name: string): string =>
  kinds.find(([pattern]) => pattern.test(extname(name)))?.[1] ?? 'unknown';
