import { isSystemFile, type Source } from '../io/source.ts';
import type { Attribute } from '../kit/task-data.ts';
import { isImagePath } from '../kit/yolo-family/dataset-paths.ts';

export const format = 'Market-1501';
export const personLabel = 'market-1501';
export const queryFolder = 'query';
export const boxFolder = 'bounding_box_';

/** Attributes of a person's image, all stated by its name. */
export const attributeNames = ['query', 'person_id', 'camera_id', 'track_id', 'frame_id', 'bbox_id'] as const;

const pattern = /^(-?\d{1,9})_c(\d{1,9})s(\d{1,9})_(\d{1,9})_(\d{1,9})(.*)$/s;

export interface PersonName {
  /** Text with leading zeros, or -1; not used as a number. */
  readonly person: string;
  /** Counted from 0; names count from 1. */
  readonly camera: number;
  readonly track: number;
  readonly frame: number;
  readonly box: number;
  /** Remainder: the image's own name, if it had one. */
  readonly rest: string;
}

/** Parses the name of an image without folders and extension. */
export function readPersonName(name: string): PersonName | undefined {
  const match = pattern.exec(name);
  if (!match) return undefined;
  const [, person = '', camera, track, frame, box, rest = ''] = match;
  return { person, camera: Number(camera) - 1, track: Number(track), frame: Number(frame), box: Number(box), rest };
}

/**
 * Name of an image: the numbers followed by the task's name, so that the image is found again on import. An underscore
 * separates them if the name starts with a digit.
 */
export function personName({ person, camera, track, frame, box, rest }: PersonName): string {
  const numbers = `${person}_c${camera + 1}s${track}_${String(frame).padStart(6, '0')}_${String(box).padStart(2, '0')}`;
  return `${numbers}${/^[\d_]/.test(rest) ? '_' : ''}${rest}`;
}

/** Candidate names of an image in the task, most likely first. */
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

export interface MarketFile {
  readonly path: string;
  readonly kind: 'image' | 'list';
  /** Undefined for query images: their folder names no subset. */
  readonly subset: string | undefined;
}

interface MarketImage {
  readonly subset: string | undefined;
  readonly isQuery: boolean;
  /** Folders below that of the subset, with a trailing slash. */
  readonly folder: string;
  readonly name: string;
}

/** Parses the path of an image: `bounding_box_<subset>/…` or `query/…`, at any depth. */
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
