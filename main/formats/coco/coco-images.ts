import type { ImageSize } from '../kit/task-data.ts';

/** An image that matches no frame of the task; its name is saved for the report. */
export interface UnmatchedImage {
  readonly index: number;
  readonly name: string;
  reported: boolean;
}

export interface NewCocoImage {
  readonly index: number;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly frame: number | null;
}

/**
 * Images of a file by id. Annotations look up a hundred thousand images in random order. Flat arrays stay in the CPU
 * cache; a map of objects would cause several cache misses per lookup.
 */
export interface CocoImages {
  add(id: unknown, image: NewCocoImage): void;
  /** Index of the image with this id, or -1. */
  find(id: unknown): number;
  /** Frame of the task, or -1. */
  frame(place: number): number;
  /** Size stated by the file; 0 if missing. */
  size(place: number): ImageSize;
  unmatched(place: number): UnmatchedImage | undefined;
  readonly count: number;
  readonly unmatchedCount: number;
  addAll(other: CocoImages): void;
  readonly entries: Iterable<readonly [id: unknown, image: NewCocoImage]>;
}

/** Integer ids below this are indexed by an array (at most 16 MB), others by a map. */
const maxDenseId = 4_000_000;
const fieldsPerImage = 4;

function grown(values: Int32Array, length: number): Int32Array {
  if (length <= values.length) return values;
  const larger = new Int32Array(Math.max(length, values.length * 2));
  larger.set(values);
  return larger;
}

export function createCocoImages(): CocoImages {
  // Frame, width, height and index of each image; below, the image's index + 1 for each dense id.
  let fields: Int32Array = new Int32Array(1024 * fieldsPerImage);
  let placeOfId: Int32Array = new Int32Array(4096);
  const otherIds = new Map<unknown, number>();
  const ids: unknown[] = [];
  const unmatched = new Map<number, UnmatchedImage>();

  const isDense = (id: unknown): id is number => Number.isInteger(id) && Number(id) >= 0 && Number(id) < maxDenseId;
  const field = (place: number, offset: number): number => fields[place * fieldsPerImage + offset] ?? 0;

  const images: CocoImages = {
    add(id, { index, name, width, height, frame }) {
      const place = ids.push(id) - 1;
      fields = grown(fields, (place + 1) * fieldsPerImage);
      fields.set([frame ?? -1, width, height, index], place * fieldsPerImage);
      if (frame === null) unmatched.set(place, { index, name, reported: false });
      if (isDense(id)) {
        placeOfId = grown(placeOfId, id + 1);
        placeOfId[id] = place + 1;
      } else otherIds.set(id, place);
    },
    find(id) {
      if (isDense(id)) return (placeOfId[id] ?? 0) - 1;
      return otherIds.get(id) ?? -1;
    },
    frame: (place) => field(place, 0),
    size: (place) => ({ width: field(place, 1), height: field(place, 2) }),
    unmatched: (place) => unmatched.get(place),
    get count() {
      return ids.length;
    },
    get unmatchedCount() {
      return unmatched.size;
    },
    addAll(other) {
      for (const [id, image] of other.entries) images.add(id, image);
    },
    get entries() {
      return ids.map((id, place) => {
        const frame = field(place, 0);
        const image: NewCocoImage = {
          index: field(place, 3),
          name: unmatched.get(place)?.name ?? '',
          width: field(place, 1),
          height: field(place, 2),
          frame: frame < 0 ? null : frame,
        };
        return [id, image] as const;
      });
    },
  };
  return images;
}
