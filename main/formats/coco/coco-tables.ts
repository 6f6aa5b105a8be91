import type { Joint } from '../../../preload/geometry/skeleton-joints.ts';
import { skeletonLabel } from '../kit/skeletons.ts';
import type { TaskData } from '../kit/task-data.ts';
import type { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { type CocoImages, createCocoImages } from './coco-images.ts';
import { brief, isRecord } from '../kit/records.ts';
import { saysSomething } from '../kit/unread-members.ts';

/** A category of the file and the outcome of its annotations. */
export interface CocoLabel {
  readonly name: string;
  /** Reason why the task rejects objects with this label; set at the first rejection. */
  refusal: string | undefined;
  readonly included: { rectangle: number; polygon: number; mask: number; skeleton: number };
  /** Names of the keypoints, if the file states them and the reader needs them. */
  readonly keypoints: readonly string[] | undefined;
}

/** Categories and images of one file by id. An id can be any number, including 0, or a string. */
export interface CocoTables {
  readonly labels: Map<unknown, CocoLabel>;
  readonly images: CocoImages;
  /** Reason for each record of the two lists that cannot be used, by place. */
  readonly problems: Map<string, string>;
  /** Members of images that carry data but have no counterpart in a task. */
  readonly unreadOfImages: Set<string>;
}

/** Number of images compared, enough to detect resized copies. Each comparison costs a query. */
const comparedSizes = 1000;

export interface TableContext {
  /** Compares image sizes in the file with those of the frames. */
  readonly sizes?: Pick<ReturnType<typeof createSizeWatch>, 'compare'>;
  readonly subset: string;
  readonly near?: string;
  readonly task_data: TaskData;
  readonly readsKeypoints?: boolean;
}

export function createTables(): CocoTables {
  return { labels: new Map(), images: createCocoImages(), problems: new Map(), unreadOfImages: new Set() };
}

export function cocoLabel(name: string, keypoints?: readonly string[]): CocoLabel {
  return {
    name,
    refusal: undefined,
    included: { rectangle: 0, polygon: 0, mask: 0, skeleton: 0 },
    keypoints,
  };
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) || typeof value === 'string';
}

/** Larger integers are not exact in doubles: two ids could collide. */
const idProblem = (value: unknown): string =>
  Number.isInteger(value)
    ? `${String(value)} is above 2^53, where ids are not exact: write such ids as strings`
    : `must be a number, but is ${brief(value)}`;

/** Larger numbers are not valid image sizes. */
const maxSide = 0x7fffffff;

/** Folder and file name at the end of a URL: `…/val2017/000000397133.jpg`. */
function nameInAddress(address: unknown): string | undefined {
  return typeof address === 'string' ? /[^/?#]+\/[^/?#]+(?=[?#]|$)/.exec(address)?.[0] : undefined;
}

/** Members of an image that are read or that only repeat its name. */
const knownOfImages: ReadonlySet<string> = new Set(['id', 'file_name', 'width', 'height', 'coco_url']);
/** Limit for reported names: a file can have any number of them. */
const maxUnread = 20;

function noteUnread(image: Readonly<Record<string, unknown>>, names: Set<string>): void {
  for (const name in image) {
    if (knownOfImages.has(name) || names.size >= maxUnread || names.has(name)) continue;
    if (image[name] !== 0 && saysSomething(image[name])) names.add(name.slice(0, 80));
  }
}

/**
 * Objects365 archives keep the images in patch folders that the table does not name, so images are found by their
 * numbered names.
 */
const numberedName = /(?:^|\/)(objects365_v\d+_\d+\.\w+)$/;

function frameOf({ task_data, subset, near = '' }: TableContext, name: string): number | null {
  const found = task_data.match_frame({ name, subset, near });
  const numbered = found === null ? numberedName.exec(name)?.[1] : undefined;
  return numbered === undefined ? found : task_data.match_frame({ name: numbered, subset, near, isGuess: true });
}

function sideOf(value: unknown): number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= maxSide ? Number(value) : 0;
}

function readKeypointNames({ keypoints }: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  if (!Array.isArray(keypoints) || keypoints.length === 0) return undefined;
  return keypoints.map((name, index) => (typeof name === 'string' ? name : String(index + 1)));
}

function readJoints({ skeleton }: Readonly<Record<string, unknown>>): Joint[] {
  if (!Array.isArray(skeleton)) return [];
  return skeleton.flatMap((pair: unknown): Joint[] => {
    const [from, to] = Array.isArray(pair) ? (pair as unknown[]) : [];
    return Number.isInteger(from) && Number.isInteger(to) ? [[Number(from), Number(to)]] : [];
  });
}

export function addCategories(
  tables: CocoTables,
  items: readonly unknown[],
  firstIndex: number,
  context: TableContext,
): void {
  const taken = new Map(Array.from(tables.labels, ([id, { name }]) => [name, id]));
  for (const [offset, item] of items.entries()) {
    const at = `categories[${firstIndex + offset}]`;
    const id = isRecord(item) ? item['id'] : undefined;
    const stated = isRecord(item) ? item['name'] : undefined;
    const name: unknown = typeof stated === 'string' ? stated.trim() : stated;
    if (!isId(id)) tables.problems.set(`${at}.id`, idProblem(id));
    else if (typeof name !== 'string') tables.problems.set(`${at}.name`, `must be a string, but is ${brief(name)}`);
    else {
      const other = tables.labels.get(id);
      if (other && other.name !== name) {
        const problem = `repeats the id ${String(id)} of "${other.name}": all annotations with it became "${name}"`;
        tables.problems.set(`${at}.id`, problem);
      }
      const namesake = taken.get(name);
      if (namesake !== undefined && namesake !== id)
        tables.problems.set(`${at}.name`, `is also the name of category ${namesake}: their annotations get one label`);
      taken.set(name, id);
      const keypoints = context.readsKeypoints === true && isRecord(item) ? readKeypointNames(item) : undefined;
      const declared = keypoints && isRecord(item) ? skeletonLabel(name, keypoints, readJoints(item)) : { name };
      context.task_data.declare_label?.(declared);
      tables.labels.set(id, cocoLabel(name, keypoints));
    }
  }
}

export function addImages(
  tables: CocoTables,
  items: readonly unknown[],
  firstIndex: number,
  context: TableContext,
): void {
  const { task_data } = context;
  for (const [offset, item] of items.entries()) {
    const index = firstIndex + offset;
    const image = isRecord(item) ? item : {};
    const id = image['id'];
    // LVIS states the image's URL instead of a file name.
    const name = image['file_name'] ?? nameInAddress(image['coco_url']);
    if (!isId(id)) tables.problems.set(`images[${index}].id`, idProblem(id));
    else if (typeof name !== 'string')
      tables.problems.set(`images[${index}].file_name`, `must be a string, but is ${brief(name)}`);
    else {
      if (tables.images.find(id) >= 0) {
        const problem = `repeats the id ${String(id)} of another image: all annotations with it went to this one`;
        tables.problems.set(`images[${index}].id`, problem);
      }
      noteUnread(image, tables.unreadOfImages);
      const frame = frameOf(context, name);
      const info = frame !== null && index < comparedSizes ? task_data.frame_info(frame) : undefined;
      const stated = { width: sideOf(image['width']), height: sideOf(image['height']) };
      if (info && stated.width > 0 && stated.height > 0) context.sizes?.compare(name, stated, info);
      tables.images.add(id, { index, name, width: sideOf(image['width']), height: sideOf(image['height']), frame });
    }
  }
}
