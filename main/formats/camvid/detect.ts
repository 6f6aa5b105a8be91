import { amongFiles, readHead } from '../kit/detection.ts';
import { stripTopFolder } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { labelColorsFile } from '../kit/mask-files/label-file.ts';
import { resolvePath } from '../kit/yolo-family/dataset-paths.ts';
import { isListPath, readListLine } from './import.ts';

const sampledFiles = 10;
const sampledLines = 200;

/** Lists at the top whose lines name an image and a mask that is there. */
export const detectCamvid = amongFiles(async (source) => {
  const view = stripTopFolder(source, isListPath);
  const lists = view.entries.map(({ path }) => path).filter(isListPath);
  for (const path of lists.slice(0, sampledFiles)) {
    const lines = splitLines(await readHead(view, path, 64 * 1024)).slice(0, sampledLines);
    for (const line of lines) {
      const item = readListLine(line);
      const mask = item && item.mask !== '' ? resolvePath(item.mask, [''], (one) => view.has(one)) : undefined;
      if (mask !== undefined) return { reason: `${path} names images and masks such as ${mask}.`, confidence: 0.95 };
    }
  }
  if (lists.length === 0 || !view.has(labelColorsFile)) return null;
  return { reason: `It has ${labelColorsFile} and lists of images.`, confidence: 0.5 };
});
