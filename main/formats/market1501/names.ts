import { isSystemFile, type Source } from '../io/source.ts';
import type { Attribute } from '../kit/task-data.ts';
import { isImagePath } from '../kit/yolo-family/dataset-paths.ts';

export const format = 'Market-1501';
export const personLabel = 'market-1501';
export const queryFolder = 'query';
export const boxFolder = 'bounding_box_';

/** The attributes of a person's image, which its name tells. */
export const attributeNames = ['query', 'person_id', 'camera_id', 'track_id', 'frame_id', 'bbox_id'] as const;

const pattern = /^(-?\d{1,9})_c(\d{1,9})s(\d{1,9})_(\d{1,9})_(\d{1,9})(.*)$/s;

export interface PersonName {
  /** With zeros in front, or -1: not a number to reckon with. */
  readonly person: string;
  /** Counted from 0; names count from 1. */
  readonly camera: number;
  readonly track: number;
  readonly frame: number;
  readonly box: number;
  /** What stands behind: the image's own name, where it had one. */
  readonly rest: string;
}

/** Reads the name of an image, without folders and extension. */
export function readPersonName(name: string): PersonName | undefined {
  const match = pattern.exec(name);
  if (!match) return undefined;
  const [, person = '', camera, track, frame, box, rest = ''] = match;
  return { person, camera: Number(camera) - 1, track: Number(track), frame: Number(frame), box: Number(box), rest };
}

/**
 * The name of an image: that of the task follows the numbers, so that the image is found again. A line divides them
 * where the name begins with a digit.
 */
export function personName({ person, camera, track, frame, box, rest }: PersonName): string {
  const numbers = `${person}_c${camera + 1}s${track}_${String(frame).padStart(6, '0')}_${String(box).padStart(2, '0')}`;
  return `${numbers}${/^[\d_]/.test(rest) ? '_' : ''}${rest}`;
}

/** Names that the task may have for an image, the likeliest first. */
export function imageNames(folder: string, name: string, person: PersonName | undefined): string[] {
  const inFolder = (base: string): string => `${folder}${base}.jpg`;
  const rest = person?.rest ?? '';
  if (rest === '') return [inFolder(name)];
  return [inFolder(rest.startsWith('_') ? rest.slice(1) : rest), inFolder(rest), inFolder(name)];
}

export function attributesOf({ person, camera, track, frame, box }: PersonName, isQuery: boolean): Attribute[] {
  const values = [isQuery, person, camera, track, frame, box];
  return attributeNames.map((name, index) => ({ name, value: String(values[index]) }));
}

/** An image in its folder, or a list of images. */
export interface MarketFile {
  readonly path: string;
  readonly kind: 'image' | 'list';
  /** Undefined for images that are searched for: their folder names no subset. */
  readonly subset: string | undefined;
}

interface MarketImage {
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
