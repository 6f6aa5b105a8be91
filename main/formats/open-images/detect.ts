import type { FormatCandidate } from '../kit/detection.ts';
import type { Source } from '../io/source.ts';
import { findOpenImages } from './files.ts';

const name = 'Open Images V6 1.0';

/** CSV files with the names of Open Images. */
export async function detectOpenImages(source: Source): Promise<FormatCandidate[]> {
  if (source.kind === 'file') return [];
  const { labels, boxes, masks, hasImageLists, classes } = findOpenImages(source);
  const first = [...boxes, ...labels, ...masks][0]?.path;
  if (first !== undefined) return [{ name, reason: `${first} is called as a file of Open Images.`, confidence: 0.95 }];
  if (!hasImageLists || !classes) return [];
  return [{ name, reason: `It has lists of images and ${classes.path}.`, confidence: 0.9 }];
}
