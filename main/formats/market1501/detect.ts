import { type FormatCandidate, isWithinReach, readHead } from '../kit/detection.ts';
import type { Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { findMarketFiles, placeOfImage } from './files.ts';

const name = 'Market-1501 1.0';

/** Images in the folders of Market-1501, or lists of such images. */
export async function detectMarket(source: Source): Promise<FormatCandidate[]> {
  if (source.kind === 'file') return [];
  const files = findMarketFiles(source).filter(({ path }) => isWithinReach(path));
  const image = files.find(({ kind, subset }) => kind === 'image' && subset !== undefined);
  if (image) return [{ name, reason: `${image.path} lies in a folder of Market-1501.`, confidence: 0.95 }];
  for (const { path } of files.filter(({ kind }) => kind === 'list')) {
    const [first = ''] = splitLines(await readHead(source, path, 16 * 1024));
    if (placeOfImage(first.trim()))
      return [{ name, reason: `${path} lists images in folders of Market-1501.`, confidence: 0.95 }];
  }
  return [];
}
