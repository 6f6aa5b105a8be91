import type { FormatCandidate } from '../kit/detection.ts';
import { type Source, stripTopFolder } from '../io/source.ts';
import { findMasks } from './import.ts';

const name = 'Cityscapes 1.0';

/** Masks in a folder gtFine with the endings of Cityscapes. */
export async function detectCityscapes(source: Source): Promise<FormatCandidate[]> {
  if (source.kind === 'file') return [];
  const view = stripTopFolder(source, (path) => /^(gtFine|gtCoarse|imgsFine)\//.test(path));
  const path = findMasks(view)?.files[0]?.path;
  if (path !== undefined)
    return [{ name, reason: `${path} is an image of numbers as Cityscapes has them.`, confidence: 0.95 }];
  const image = view.entries.find((entry) => entry.path.startsWith('imgsFine/leftImg8bit/'))?.path;
  return image === undefined
    ? []
    : [{ name, reason: `${image} lies where Cityscapes has its images.`, confidence: 0.6 }];
}
