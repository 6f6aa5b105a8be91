import { amongFiles } from '../kit/detection.ts';
import { findOpenImages } from './files.ts';

/** CSV files with the names of Open Images. */
export const detectOpenImages = amongFiles((source) => {
  const { labels, boxes, masks, hasImageLists, classes } = findOpenImages(source);
  const first = [...boxes, ...labels, ...masks][0]?.path;
  if (first !== undefined) return { reason: `${first} is called as a file of Open Images.`, confidence: 0.95 };
  if (!hasImageLists || !classes) return null;
  return { reason: `It has lists of images and ${classes.path}.`, confidence: 0.9 };
});
