import type { RunLengths } from '../../../preload/geometry/run-length.ts';

/** `rotated` boxes are given as four corners in `keypoints`. The other kinds are COCO's. */
export type EvaluationKind = 'bbox' | 'rotated' | 'segm' | 'keypoints';

/** One truth or result, as in a COCO file. Pixels; the box is x, y, width, height. */
export interface CocoObject {
  /** Indexes into the images and categories of the set, in the order of their ids. */
  readonly image: number;
  readonly category: number;
  readonly box: readonly number[];
  readonly area: number;
  /** Results only. */
  readonly score?: number;
  /** Truths only: a crowd, or an object that counts neither as hit nor as miss. */
  readonly isCrowd?: boolean;
  readonly isIgnored?: boolean;
  /** Truths only. pycocotools marks matches with the truth's id, so id 0 looks unmatched. */
  readonly hasIdZero?: boolean;
  /** Depends on the kind: the mask; x, y, visibility per point; or x, y per corner. */
  readonly segmentation?: () => RunLengths;
  readonly keypoints?: readonly number[];
}

/** Objects in columns, 55 bytes each plus masks or points. Read image by image. */
export function createCocoObjects() {
  let capacity = 1024;
  let count = 0;
  let image = new Int32Array(capacity);
  let category = new Int32Array(capacity);
  let area = new Float64Array(capacity);
  let score = new Float64Array(capacity);
  let box = new Float64Array(capacity * 4);
  let flags = new Uint8Array(capacity);
  const segmentations: (CocoObject['segmentation'] | undefined)[] = [];
  const keypoints: (readonly number[] | undefined)[] = [];

  const grow = (): void => {
    capacity *= 2;
    const larger = <Column extends Float64Array | Int32Array | Uint8Array>(next: Column, old: Column): Column => {
      next.set(old);
      return next;
    };
    image = larger(new Int32Array(capacity), image);
    category = larger(new Int32Array(capacity), category);
    area = larger(new Float64Array(capacity), area);
    score = larger(new Float64Array(capacity), score);
    box = larger(new Float64Array(capacity * 4), box);
    flags = larger(new Uint8Array(capacity), flags);
  };

  return {
    get count() {
      return count;
    },
    add(object: CocoObject): void {
      if (count === capacity) grow();
      image[count] = object.image;
      category[count] = object.category;
      area[count] = object.area;
      score[count] = object.score ?? 0;
      for (let side = 0; side < 4; side += 1) box[count * 4 + side] = object.box[side] ?? 0;
      flags[count] =
        (object.isCrowd === true ? 1 : 0) | (object.isIgnored === true ? 2 : 0) | (object.hasIdZero === true ? 4 : 0);
      if (object.segmentation !== undefined) segmentations[count] = object.segmentation;
      if (object.keypoints !== undefined) keypoints[count] = object.keypoints;
      count += 1;
    },
    image: (index: number): number => image[index]!,
    category: (index: number): number => category[index]!,
    area: (index: number): number => area[index]!,
    score: (index: number): number => score[index]!,
    /** x, y, width and height of all objects. */
    get boxes() {
      return box;
    },
    /** 1: crowd; 2: ignored; 4: id 0. */
    flags: (index: number): number => flags[index]!,
    isCrowd: (index: number): boolean => (flags[index]! & 1) !== 0,
    mask: (index: number): RunLengths => segmentations[index]?.() ?? { height: 0, width: 0, counts: [] },
    keypoints: (index: number): readonly number[] => keypoints[index] ?? [],
    /** Indexes ordered by image, then descending score, then insertion; and where each image starts. */
    byImage(images: number): { readonly order: Uint32Array; readonly starts: Uint32Array } {
      const starts = new Uint32Array(images + 1);
      for (let index = 0; index < count; index += 1) starts[image[index]! + 1]! += 1;
      for (let at = 0; at < images; at += 1) starts[at + 1]! += starts[at]!;
      const [order, next] = [new Uint32Array(count), starts.slice()];
      for (let index = 0; index < count; index += 1) {
        const at = image[index]!;
        order[next[at]!] = index;
        next[at]! += 1;
      }
      for (let at = 0; at < images; at += 1)
        order.subarray(starts[at]!, starts[at + 1]!).sort((a, b) => score[b]! - score[a]! || a - b);
      return { order, starts };
    },
  };
}

export type CocoObjects = ReturnType<typeof createCocoObjects>;

export interface CocoSet {
  readonly kind: EvaluationKind;
  readonly images: number;
  readonly categories: readonly { readonly id: number; readonly name: string }[];
  readonly truths: CocoObjects;
  readonly results: CocoObjects;
}
