import type { Joint } from '../../../preload/contract/skeleton-joints.ts';
import { skeletonLabel } from '../kit/skeletons.ts';
import type { TaskData } from '../kit/task-data.ts';
import type { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { type CocoImages, createCocoImages } from './coco-images.ts';
import { brief, isRecord } from '../kit/records.ts';
import { saysSomething } from '../kit/unread-members.ts';

/** A category of the file, and what became of its annotations. */
export interface CocoLabel {
  readonly name: string;
  /** Why the task refuses objects with this label; set when the first one was refused. */
  refusal: string | undefined;
  readonly carried: { rectangle: number; polygon: number; mask: number; skeleton: number };
  /** Names of its key points, where the file states them and the reader asks for them. */
  readonly keypoints: readonly string[] | undefined;
}

/** Categories and images of one file by their ids: ids may be any number, 0 too, or a text. */
export interface CocoTables {
  readonly labels: Map<unknown, CocoLabel>;
  readonly images: CocoImages;
  /** Records of the two lists that cannot be used: reason by place. */
  readonly problems: Map<string, string>;
  /** Members of images that say something and have no place in a task. */
  readonly unreadOfImages: Set<string>;
}

/** So many images of a file tell whether it is about copies of another size: each costs a look into the store. */
const comparedSizes = 1000;

export interface TableContext {
  /** Compares the sizes that the file states with those of the frames. */
  readonly sizes?: Pick<ReturnType<typeof createSizeWatch>, 'compare'>;
  readonly subset: string;
  /** Path of the file in its source. */
  readonly near?: string;
  readonly task_data: TaskData;
  /** Categories with key points are skeletons. */
  readonly readsKeypoints?: boolean;
}

export function createTables(): CocoTables {
  return { labels: new Map(), images: createCocoImages(), problems: new Map(), unreadOfImages: new Set() };
}

export function cocoLabel(name: string, keypoints?: readonly string[]): CocoLabel {
  return {
    name,
    refusal: undefined,
    carried: { rectangle: 0, polygon: 0, mask: 0, skeleton: 0 },
    keypoints,
  };
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) || typeof value === 'string';
}

/** Larger whole numbers cannot be told apart: two images would become one. */
const idProblem = (value: unknown): string =>
  Number.isInteger(value)
    ? `${String(value)} is above 2^53, where numbers can no longer be told apart: write such ids as texts`
    : `must be a number, but is ${brief(value)}`;

/** Larger numbers are no size of an image. */
const maxSide = 0x7fffffff;

/** The folder and file that an address ends with: `…/val2017/000000397133.jpg`. */
function nameInAddress(address: unknown): string | undefined {
  return typeof address === 'string' ? /[^/?#]+\/[^/?#]+(?=[?#]|$)/.exec(address)?.[0] : undefined;
}

/** Members of an image that are read, or say what its name says. */
const knownOfImages: ReadonlySet<string> = new Set(['id', 'file_name', 'width', 'height', 'coco_url']);
/** So many names are told: files may have any number of them. */
const maxUnread = 20;

function noteUnread(image: Readonly<Record<string, unknown>>, names: Set<string>): void {
  for (const name in image) {
    if (knownOfImages.has(name) || names.size >= maxUnread || names.has(name)) continue;
    if (image[name] !== 0 && saysSomething(image[name])) names.add(name.slice(0, 80));
  }
}

/** The patches of Objects365 lie in folders of another name than its table has; its files are called by numbers. */
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
  for (const [offset, item] of items.entries()) {
    const at = `categories[${firstIndex + offset}]`;
    const id = isRecord(item) ? item['id'] : undefined;
    const stated = isRecord(item) ? item['name'] : undefined;
    const name: unknown = typeof stated === 'string' ? stated.trim() : stated;
    if (!isId(id)) tables.problems.set(`${at}.id`, idProblem(id));
    else if (typeof name !== 'string') tables.problems.set(`${at}.name`, `must be a text, but is ${brief(name)}`);
    else {
      const other = tables.labels.get(id);
      if (other && other.name !== name) {
        const problem = `repeats the id ${String(id)} of "${other.name}": all annotations with it became "${name}"`;
        tables.problems.set(`${at}.id`, problem);
      }
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
    // LVIS has the address of the image in its place.
    const name = image['file_name'] ?? nameInAddress(image['coco_url']);
    if (!isId(id)) tables.problems.set(`images[${index}].id`, idProblem(id));
    else if (typeof name !== 'string')
      tables.problems.set(`images[${index}].file_name`, `must be a text, but is ${brief(name)}`);
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
