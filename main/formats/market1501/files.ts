import { isSystemFile, type Source } from '../io/source.ts';
import { isImagePath } from '../kit/yolo-family/dataset-paths.ts';
import { boxFolder, queryFolder } from './names.ts';

/** An image in its folder, or a list of images. */
export interface MarketFile {
  readonly path: string;
  readonly kind: 'image' | 'list';
  /** Undefined for images that are searched for: their folder names no subset. */
  readonly subset: string | undefined;
}

export interface MarketImage {
  readonly subset: string | undefined;
  readonly isQuery: boolean;
  /** Folders below that of the subset, with a slash at the end. */
  readonly folder: string;
  /** Without its extension. */
  readonly name: string;
}

/** What an image's place says: `bounding_box_<subset>/…` or `query/…`, at any depth. */
export function placeOfImage(path: string): MarketImage | undefined {
  const match = new RegExp(`^(?:.*/)?(?:${boxFolder}([^/]+)|${queryFolder})/(.*/)?([^/]+)$`, 's').exec(path);
  if (!match) return undefined;
  const [, subset, folder = '', file = ''] = match;
  const dot = file.lastIndexOf('.');
  return { subset, isQuery: subset === undefined, folder, name: dot > 0 ? file.slice(0, dot) : file };
}

export function findMarketFiles(source: Source): MarketFile[] {
  return source.entries.flatMap(({ path }): MarketFile[] => {
    if (isSystemFile(path)) return [];
    const list = /(?:^|\/)images_([^/]+)\.txt$/.exec(path)?.[1];
    if (list !== undefined) return [{ path, kind: 'list', subset: list }];
    const place = isImagePath(path) ? placeOfImage(path) : undefined;
    return place ? [{ path, kind: 'image', subset: place.subset }] : [];
  });
}
