import { amongFiles, readHead } from '../kit/detection.ts';
import type { Detection } from '../kit/plugin.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { foreignFolders, noLabel, usualSubsets } from '../kit/label-folders.ts';
import { isImagePath } from '../kit/yolo-family/dataset-paths.ts';
import { findLabelledImages, findLists, labelsFile, readListLine } from './files.ts';

/** Lists beside a list of labels. */
async function detectLists(source: Source): Promise<Detection | null> {
  const found = findLists(source);
  const [first] = found?.lists ?? [];
  if (!found || !first) return null;
  const lines = splitLines(await readHead(found.view, first.path, 16 * 1024)).slice(0, 20);
  const isList = lines.every((line) => typeof readListLine(line) !== 'string');
  return isList
    ? { reason: `${first.path} lists images with numbers of the labels in ${labelsFile}.`, confidence: 0.95 }
    : null;
}

/** Images in folders, and nothing else: the folders may be labels, or anything. */
function detectFolders(source: Source): Detection | null {
  const files = source.entries.filter(({ path }) => !isSystemFile(path));
  if (files.length === 0 || !files.every(({ path }) => isImagePath(path))) return null;
  const images = findLabelledImages(source, (folder) => usualSubsets.has(folder));
  const isDeep = images.some((image) => image.kind === 'image' && image.rest.includes('/'));
  const labels = new Set(images.flatMap((image) => (image.kind === 'image' ? [image.label] : [])));
  const isForeign = (label: string): boolean =>
    usualSubsets.has(label) || foreignFolders.has(label) || /^(?:bounding_box_|query$|img\d|gtFine$)/.test(label);
  // Where some have no label, the others' folders are labels, and may hold folders of their own.
  const isOwn = labels.has(noLabel);
  if (images.length < files.length || [...labels].some(isForeign)) return null;
  if (!isOwn && (isDeep || labels.size < 2)) return null;
  const reason = `It has nothing but images, in ${labels.size} folders such as ${[...labels][0]} that may be their labels.`;
  return { reason, confidence: isOwn ? 0.9 : 0.6 };
}

export const detectImageNet = amongFiles(async (source) => (await detectLists(source)) ?? detectFolders(source));
