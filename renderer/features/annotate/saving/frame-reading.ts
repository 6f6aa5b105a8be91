import type { LabeledData } from '../../../../preload/contract/schema/annotations.ts';
import type { SceneRecord } from '../../../canvas/types.ts';
import type { createSettledReading } from './settled-reading.ts';
import type { Edit } from './save-types.ts';

/** Frames that are asked for by one request: more the emptier they are. */
const [fewestAhead, mostAhead] = [4, 64];
/** Objects of such a request from which on the next one is for fewer frames. */
const manyObjects = 1000;

export type FrameRecords = Map<string, SceneRecord>;
export type LoadedFrames = Pick<LabeledData, 'shapes' | 'tags'>;

interface FrameReadingOptions {
  /** Of all frames from the first to the last. */
  readonly load: (first: number, last: number) => Promise<LoadedFrames>;
  readonly settled: ReturnType<typeof createSettledReading>;
  readonly build: (frame: number, data: LoadedFrames) => FrameRecords;
  /** Those that are there; what is read is put into it. */
  readonly frames: Map<number, FrameRecords>;
}

/** Reads the records of frames: of the one that is wanted, and in rows of those that somebody comes to next. */
export function createFrameReading({ load, settled, build, frames }: FrameReadingOptions) {
  const loading = new Map<number, Promise<FrameRecords>>();
  let ahead = fewestAhead;
  const isKnown = (frame: number): boolean => frames.has(frame) || loading.has(frame);

  function start(first: number, last: number): void {
    const own = new Map<number, Promise<FrameRecords>>();
    const isCurrent = (frame: number): boolean => loading.get(frame) === own.get(frame);
    const take = (data: LoadedFrames): ReadonlyMap<number, FrameRecords> => {
      const found = new Map<number, FrameRecords>();
      for (const [frame, objects] of byFrame(data, first, last)) {
        const records = build(frame, objects);
        if (isCurrent(frame)) frames.set(frame, records);
        found.set(frame, records);
      }
      const isMuch = data.shapes.length + data.tags.length > manyObjects;
      if (last > first) ahead = isMuch ? Math.max(fewestAhead, ahead / 2) : Math.min(mostAhead, ahead * 2);
      return found;
    };
    const read = settled.read(() => load(first, last), isEditOf(first, last), take);
    for (let frame = first; frame <= last; frame += 1) {
      const promise = read
        .then((found): FrameRecords => found.get(frame) ?? new Map())
        .finally(() => isCurrent(frame) && loading.delete(frame));
      // Nobody may wait for it.
      promise.catch(() => undefined);
      own.set(frame, promise);
      loading.set(frame, promise);
    }
  }

  return {
    /** On their way. */
    loading: loading as ReadonlyMap<number, Promise<FrameRecords>>,
    async read(frame: number): Promise<FrameRecords> {
      if (!loading.has(frame)) start(frame, frame);
      return (await loading.get(frame)) ?? new Map();
    },
    /** What is on its way is not taken any more. */
    drop: (frame: number) => void loading.delete(frame),
    /**
     * Starts reading what somebody who is at `frame` and goes in that direction comes to, without waiting: many frames
     * by one request, long before the last one that is there is reached.
     */
    prefetch(frame: number, direction: 1 | -1, first: number, last: number): void {
      const isMissing = (near: number): boolean => near >= first && near <= last && !isKnown(near);
      let near = frame + direction;
      while (isKnown(near) && Math.abs(near - frame) <= ahead / 2) near += direction;
      if (isMissing(near)) {
        let far = near;
        while (isMissing(far + direction) && Math.abs(far - near) < ahead - 1) far += direction;
        start(Math.min(near, far), Math.max(near, far));
      }
      const behind = frame - direction;
      if (isMissing(behind)) start(behind, behind);
    },
  };
}

export const isEditOf =
  (first: number, last: number) =>
  (edit: Edit): boolean =>
    edit.collection !== 'tracks' && edit.body.frame >= first && edit.body.frame <= last;

/** Each frame, with what is on it. */
function byFrame({ shapes, tags }: LoadedFrames, first: number, last: number): ReadonlyMap<number, LoadedFrames> {
  const found = new Map<number, LoadedFrames>();
  for (let frame = first; frame <= last; frame += 1) found.set(frame, { shapes: [], tags: [] });
  for (const shape of shapes) found.get(shape.frame)?.shapes.push(shape);
  for (const tag of tags) found.get(tag.frame)?.tags.push(tag);
  return found;
}
