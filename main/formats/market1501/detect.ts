import { amongFiles, isWithinReach, readHead } from '../kit/detection.ts';
import { splitLines } from '../io/text-lines.ts';
import { findMarketFiles, placeOfImage } from './files.ts';

/** Images in the folders of Market-1501, or lists of such images. */
export const detectMarket = amongFiles(async (source) => {
  const files = findMarketFiles(source).filter(({ path }) => isWithinReach(path));
  const image = files.find(({ kind, subset }) => kind === 'image' && subset !== undefined);
  if (image) return { reason: `${image.path} lies in a folder of Market-1501.`, confidence: 0.95 };
  for (const { path } of files.filter(({ kind }) => kind === 'list')) {
    const [first = ''] = splitLines(await readHead(source, path, 16 * 1024));
    if (placeOfImage(first.trim()))
      return { reason: `${path} lists images in folders of Market-1501.`, confidence: 0.95 };
  }
  return null;
});
