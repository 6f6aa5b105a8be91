import type { LabeledData } from '../../../../../preload/contract/schema/annotations.ts';
import type { SceneRecord } from '../../../../canvas/types.ts';
import type { createSettledReading } from './settled-reading.ts';
import type { Edit } from './save-types.ts';

/** Frames per request: the fewer objects they have, the more frames. */
const [fewestAhead, mostAhead] = [4, 64];
/** A response with more objects reduces the frames of the next request. */
const manyObjects = 1000;

export type FrameRecords = Map<string, SceneRecord>;
export type LoadedFrames = Pick<LabeledData, 'shapes' | 'tags'>;

interface FrameReadingOptions {
  /** Loads all frames from the first to the last, both included. */
  readonly load: (first: number, last: number) => Promise<LoadedFrames>;
  readonly settled: ReturnType<typeof createSettledReading>;
  readonly build: (frame: number, data: LoadedFrames) => FrameRecords;
  /** Loaded frames; results are added here. */
  readonly frames: Map<number, FrameRecords>;
}

/** Reads the records of the requested frame and prefetches frames in the direction of navigation. */
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
      // The caller may not await it.
      promise.catch(() => undefined);
      own.set(frame, promise);
      loading.set(frame, promise);
    }
  }

  return {
    loading: loading as ReadonlyMap<number, Promise<FrameRecords>>,
    async read(frame: number): Promise<FrameRecords> {
      if (!loading.has(frame)) start(frame, frame);
      return (await loading.get(frame)) ?? new Map();
    },
    drop: (frame: number) => void loading.delete(frame),
    /**
     * Prefetches ahead of `frame` in a direction without waiting: many frames per request, well before the loaded ones
     * end.
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

/** Groups objects by frame, including empty frames. */
function byFrame({ shapes, tags }: LoadedFrames, first: number, last: number): ReadonlyMap<number, LoadedFrames> {
  const found = new Map<number, LoadedFrames>();
  for (let frame = first; frame <= last; frame += 1) found.set(frame, { shapes: [], tags: [] });
  for (const shape of shapes) found.get(shape.frame)?.shapes.push(shape);
  for (const tag of tags) found.get(tag.frame)?.tags.push(tag);
  return found;
}
