import { isImagePath, type Source } from '../../../formats/io/source.ts';
import { ambiguous, createPathFinder } from '../../../formats/kit/path-finder.ts';
import type { FrameMatch } from '../../../formats/kit/task-data.ts';

/** An image of the archive, with the information in its path. */
export interface ArchiveImage {
  readonly entry: string;
}

/** Folders of images that are not frames: pixel masks, context images. */
const otherPictures =
  /^(?:masks?|labels?|annotations?|segmentation\w*|gt\w*|instances?\w*|semantic\w*|panoptic\w*|related_images)$/i;
/** Folders that only contain masks, whatever image names the annotations state. */
const folderOfMasks =
  /^(?:masks?|segmentation(?:class|object)\w*|instances?(?:_\w+)?|semantic(?:_\w+)?|panoptic(?:_\w+)?)$/i;
/** Files beside an image, or in a folder named like it, which are masks if that image exists. */
const nameBesideImage = /^(.*)(?:_seg|_mask|_parts_\d+)\.png$|^(.*)\/instance_\d+_[^/]*\.png$/i;
/** Suffixes of mask files that are stored beside their images. */
const nameOfMask = /(?:_GT|_gtFine_\w+|_labelIds|_labelTrainIds|_instanceIds)\.(?:bmp|png)$/i;

const isMask = (path: string): boolean =>
  nameOfMask.test(path) || parentsOf(path).some((folder) => folderOfMasks.test(folder));
const folderOfImages = /^(?:images?|imgs?|img\d|jpegimages|data|frames|obj_.+_data)$/i;
const usualSubset = /^(?:train|training|val|valid|validation|test|testing|trainval|default)$/i;

const parentsOf = (path: string): string[] => path.split('/').slice(0, -1);
const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const withoutExtension = (path: string): string => path.replace(/\.[A-Za-z0-9]{1,5}$/, '');
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const someOr = <Item>(some: readonly Item[], all: readonly Item[]): readonly Item[] => (some.length > 0 ? some : all);

/** Subset for a folder name, or undefined. */
function subsetOfFolder(folder: string, known: ReadonlySet<string>): string | undefined {
  const darknet = /^obj_(.+)_data$/.exec(folder)?.[1];
  if (darknet !== undefined) return darknet;
  return known.has(folder) || usualSubset.test(folder) ? folder : undefined;
}

export type ArchiveImages = ReturnType<typeof createArchiveImages>;

/** Images of a dataset archive, found by the names in its annotations. */
export function createArchiveImages(source: Source) {
  const pictures = source.entries.filter(({ path }) => isImagePath(path));
  const stems = new Set(pictures.map(({ path }) => withoutExtension(path)));
  const isBesideImage = (path: string): boolean => {
    const [, beside, folder] = nameBesideImage.exec(path) ?? [];
    return stems.has(beside ?? folder ?? '');
  };
  const images: ArchiveImage[] = pictures
    .filter(({ path }) => !parentsOf(path).includes('related_images') && !isMask(path) && !isBesideImage(path))
    .map(({ path }) => ({ entry: path }));
  const findPath = createPathFinder({
    *paths() {
      for (const [id, { entry }] of images.entries()) yield [entry, id];
    },
    isTree: true,
  });

  /** Prefers images in image folders to those in mask folders, then those of the subset. */
  function preferred(ids: readonly number[], subset: string): readonly number[] {
    const foldersOf = (id: number): string[] => parentsOf(images[id]?.entry ?? '');
    const isFrame = (id: number): boolean => !foldersOf(id).some((folder) => otherPictures.test(folder));
    const isOfSubset = (id: number): boolean =>
      foldersOf(id).some((folder) => folder === subset || folder === `obj_${subset}_data`);
    const frames = someOr(ids.filter(isFrame), ids);
    return someOr(frames.filter(isOfSubset), frames);
  }

  return {
    count: images.length,
    /** Finds the image for a name by the rules of {@link createPathFinder}. */
    find({ name = '', subset = '', near }: FrameMatch): ArchiveImage | 'ambiguous' | undefined {
      if (name === '') return undefined;
      const found = findPath({ name, near, prefer: (ids) => preferred(ids, subset) });
      if (found === ambiguous) return 'ambiguous';
      return found === undefined ? undefined : images[found];
    },
    /**
     * Images that no annotation names but that are frames: they are beside annotated images, or in an image folder.
     * Returns each with its subset and name.
     */
    others(
      claimed: ReadonlySet<string>,
      subsets: ReadonlySet<string>,
    ): { entry: string; name: string; subset: string }[] {
      const claimedFolders = new Set([...claimed].map(folderOf));
      const isFrame = ({ entry }: ArchiveImage): boolean => {
        if (claimed.has(entry)) return false;
        const folders = parentsOf(entry);
        if (folders.some((folder) => otherPictures.test(folder))) return false;
        if (claimed.size === 0 || claimedFolders.has(folderOf(entry))) return true;
        return folders.some((folder) => folderOfImages.test(folder) || subsetOfFolder(folder, subsets) !== undefined);
      };
      return images.filter(isFrame).map(({ entry }) => ({ entry, ...placeOf(entry, subsets) }));
    },
    /** Subset and name from the path of an image; subset `default` if no folder names one. */
    placeOf: (entry: string, subset = 'default') => placeOf(entry, new Set(subset === 'default' ? [] : [subset])),
    /** Context images of a frame's file as `[path in the task, path in the archive]`. */
    related(entry: string, name: string): [path: string, entry: string][] {
      const from = `${folderOf(entry) === '' ? '' : `${folderOf(entry)}/`}related_images/${baseOf(entry).replaceAll('.', '_')}/`;
      const to = `${folderOf(name) === '' ? '' : `${folderOf(name)}/`}related_images/${baseOf(name).replaceAll('.', '_')}/`;
      return source.entries
        .filter(({ path }) => path.startsWith(from) && isImagePath(path))
        .map(({ path }) => [`${to}${path.slice(from.length)}`, path]);
    },
    hasRelated: source.entries.some(({ path }) => parentsOf(path).includes('related_images')),
  };
}

/** Subset and name from the path alone: `images/train/a/1.jpg` is `a/1.jpg` of `train`. */
function placeOf(entry: string, subsets: ReadonlySet<string>): { name: string; subset: string } {
  const parts = entry.split('/');
  const folders = parts.slice(0, -1);
  const of = folders.map((folder) => subsetOfFolder(folder, subsets));
  const at = of.findLastIndex((subset) => subset !== undefined);
  const images = folders.findLastIndex((folder) => folderOfImages.test(folder));
  const [only] = subsets;
  return {
    name: parts.slice(Math.max(at, images) + 1).join('/'),
    subset: of[at] ?? (subsets.size === 1 && only !== undefined ? only : 'default'),
  };
}
