import { stripTopFolder } from '../io/source.ts';
import { amongFiles } from '../kit/detection.ts';
import { findMasks } from './import.ts';

/** Masks in a folder gtFine with the endings of Cityscapes. */
export const detectCityscapes = amongFiles((source) => {
  const view = stripTopFolder(source, (path) => /^(gtFine|gtCoarse|imgsFine)\//.test(path));
  const path = findMasks(view)?.files[0]?.path;
  if (path !== undefined) return { reason: `${path} is an image of numbers as Cityscapes has them.`, confidence: 0.95 };
  const image = view.entries.find((entry) => entry.path.startsWith('imgsFine/leftImg8bit/'))?.path;
  return image === undefined ? null : { reason: `${image} lies where Cityscapes has its images.`, confidence: 0.6 };
});
