import { isSystemFile, type Source } from '../../../formats/io/source.ts';
import { ambiguous, createPathFinder } from '../../../formats/kit/path-finder.ts';
import type { FrameMatch } from '../../../formats/kit/task-data.ts';

/** An image of the archive, and what its place says about it. */
export interface ArchiveImage {
  /** Path in the archive. */
  readonly entry: string;
}

const imageExtension = /\.(?:jpe?g|jfif|png|bmp|gif|tiff?|webp|avif)$/i;
/** Folders of pictures that are no frames: pixel masks, context images. */
const otherPictures =
  /^(?:masks?|labels?|annotations?|segmentation\w*|gt\w*|instances?\w*|semantic\w*|panoptic\w*|related_images)$/i;
/** Folders that say for sure that their pictures are masks: whatever the annotations call their images, these are none. */
const folderOfMasks =
  /^(?:masks?|segmentation(?:class|object)\w*|instances?(?:_\w+)?|semantic(?:_\w+)?|panoptic(?:_\w+)?)$/i;
/** Pictures of an image's pixels that lie beside it, or in a folder of its name: masks where there is that image. */
const nameBesideImage = /^(.*)(?:_seg|_mask|_parts_\d+)\.png$|^(.*)\/instance_\d+_[^/]*\.png$/i;
/** Pictures of masks that lie beside their images, by what formats put behind the image's name. */
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

/** Which subset a folder's name means, or undefined. */
function subsetOfFolder(folder: string, known: ReadonlySet<string>): string | undefined {
  const darknet = /^obj_(.+)_data$/.exec(folder)?.[1];
  if (darknet !== undefined) return darknet;
  return known.has(folder) || usualSubset.test(folder) ? folder : undefined;
}

export type ArchiveImages = ReturnType<typeof createArchiveImages>;

/** The pictures of a dataset archive, found by the names under which its annotations speak of them. */
export function createArchiveImages(source: Source) {
  const pictures = source.entries.filter(({ path }) => imageExtension.test(path) && !isSystemFile(path));
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

  /** Images in folders of images before those in folders of masks, and those of the subset before others. */
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
    /** The image that a name means, by the rules of {@link createPathFinder}. */
    find({ name = '', subset = '', near }: FrameMatch): ArchiveImage | 'ambiguous' | undefined {
      if (name === '') return undefined;
      const found = findPath({ name, near, prefer: (ids) => preferred(ids, subset) });
      if (found === ambiguous) return 'ambiguous';
      return found === undefined ? undefined : images[found];
    },
    /**
     * Images that no annotation speaks of and that are frames all the same: they lie beside images that are, or in a
     * folder that is named as one of images. Each with its subset and its name in it.
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
    /** Subset and name that an image's place gives it; the subset is `default` where no folder tells another. */
    placeOf: (entry: string, subset = 'default') => placeOf(entry, new Set(subset === 'default' ? [] : [subset])),
    /** The context images of a frame's file, as `name in the task` by `path in the archive`. */
    related(entry: string, name: string): [path: string, entry: string][] {
      const from = `${folderOf(entry) === '' ? '' : `${folderOf(entry)}/`}related_images/${baseOf(entry).replaceAll('.', '_')}/`;
      const to = `${folderOf(name) === '' ? '' : `${folderOf(name)}/`}related_images/${baseOf(name).replaceAll('.', '_')}/`;
      return source.entries
        .filter(({ path }) => path.startsWith(from) && imageExtension.test(path))
        .map(({ path }) => [`${to}${path.slice(from.length)}`, path]);
    },
    hasRelated: source.entries.some(({ path }) => parentsOf(path).includes('related_images')),
  };
}

/** Subset and name of an image that only its path describes: `images/train/a/1.jpg` is `a/1.jpg` of `train`. */
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
