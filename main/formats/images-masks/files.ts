import { withoutExtension } from '../kit/dataset-items.ts';
import { usualSubsets } from '../kit/label-folders.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { isImagePath, pathParts } from '../kit/yolo-family/dataset-paths.ts';

const imageFolders = /^(images?|imgs?|images(Tr|Ts)|photos|pictures|JPEGImages)$/i;
const maskFolders =
  /^(masks?|labels?|labels(Tr|Ts)|annotations?|segmentations?|segmentation_masks|gts?|ground_?truth)$/i;

/** An image of masks, and the image that it is about. */
export interface MaskFile {
  readonly path: string;
  /** Names of the image, the likeliest first. */
  readonly names: readonly string[];
  readonly subset: string;
}

/** What tells a mask's file from its image's: `a_mask.png`, `a-mask.png`, `a_gt.png`; nnU-Net's images end in `_0000`. */
const stemOf = (path: string): string =>
  withoutExtension(path).replace(/[_-](mask|masks|gt|label|segmentation|seg)$/i, '');

function folderAt(path: string, folders: RegExp): number {
  return pathParts(path).findLastIndex((part, index, all) => index < all.length - 1 && folders.test(part));
}

/** The masks of a data set: pictures in a folder that is called as one, beside a folder of images or alone. */
export function findMasks(source: Source): MaskFile[] {
  return source.entries.flatMap(({ path }): MaskFile[] => {
    const at = folderAt(path, maskFolders);
    if (at < 0 || !isImagePath(path) || isSystemFile(path)) return [];
    const parts = pathParts(path);
    const [outer, inner] = [parts[at - 1] ?? '', parts[at + 1] ?? ''];
    const isInside = at + 2 < parts.length && usualSubsets.has(inner);
    const subset = isInside ? inner : usualSubsets.has(outer) ? outer : at + 2 < parts.length ? inner : 'default';
    const all = stemOf(parts.slice(at + 1).join('/'));
    const below = all.slice(all.indexOf('/') + 1);
    const stems = all.includes('/') ? (isInside ? [below, all] : [all, below]) : [all];
    return [{ path, subset, names: stems.flatMap((stem) => [`${stem}.jpg`, `${stem}_0000.jpg`]) }];
  });
}

/** Whether it has a folder of images, too. */
export const hasImages = (source: Source): boolean =>
  source.entries.some(({ path }) => isImagePath(path) && folderAt(path, imageFolders) >= 0);

/** Whether documents lie among the masks: they say what these show, in a format of their own (COCO's, Open Images'). */
export const hasDocuments = (source: Source): boolean =>
  source.entries.some(({ path }) => /\.(json|xml|csv)$/i.test(path) && folderAt(path, maskFolders) >= 0);
