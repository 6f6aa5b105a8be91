import type { DataMeta, Job } from '../../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../../api/api-error.ts';
import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import type { FrameSizes } from '../../../canvas/frame-guard.ts';
import type { SceneRecord } from '../../../canvas/types.ts';
import type { AnnotateState } from '../annotate-state.ts';
import type { FrameLoader, FramePicture } from './frame-loader.ts';
import type { RecordStore } from '../record-store.ts';

export interface FrameMeta {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Of images used in place: another picture lies there now, or none. */
  readonly limner_state?: 'replaced' | 'missing' | undefined;
}

/** Names and sizes of a job's frames by task-relative number. */
export function frameMetas(
  job: Pick<Job, 'start_frame' | 'frame_count'>,
  meta: DataMeta,
): (frame: number) => FrameMeta | undefined {
  const frames = meta.frames ?? [];
  // A single description stands for all frames of a video.
  if (frames.length === 1) return () => frames[0];
  const ofJobOnly = frames.length === job.frame_count;
  return (frame) => frames[ofJobOnly ? frame - job.start_frame : frame];
}

/** The frames that a job has, by rising number: a ground-truth job lacks some between its first and its last. */
export function jobFrames(
  { start_frame: first, stop_frame: last }: Pick<Job, 'start_frame' | 'stop_frame'>,
  metaOf: (frame: number) => unknown,
): readonly number[] {
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return all.filter((frame) => metaOf(frame) !== undefined);
}

/** Sizes of a job's images. */
export function frameSizes(job: Pick<Job, 'start_frame' | 'stop_frame'>, metaOf: FrameSizes['sizeOf']): FrameSizes {
  const frames = jobFrames(job, metaOf);
  const sizes = new Set(frames.map((frame) => `${metaOf(frame)?.width} ${metaOf(frame)?.height}`));
  return { sizeOf: metaOf, differing: sizes.size > 1 ? frames : [] };
}

interface NavigatorParts {
  readonly job: Pick<Job, 'start_frame' | 'stop_frame'>;
  readonly engine: CanvasEngine;
  readonly frames: FrameLoader;
  readonly records: RecordStore;
  readonly metaOf: (frame: number) => FrameMeta | undefined;
  readonly update: (change: Partial<AnnotateState>) => void;
  readonly wanted: () => number;
  /** Whether steps pass over a frame. */
  readonly isSkipped: (frame: number) => boolean;
  /** What is half drawn stays with its frame. */
  readonly halfDrawn: { leave(frame: number): void; arrive(frame: number): void };
}

const ignore = (): void => {};
const isVideoFrame = (picture: FramePicture): picture is VideoFrame => 'allocationSize' in picture;

type Outcome<Value> = { readonly value: Value } | { readonly problem: string };
const outcome = async <Value>(promise: Promise<Value>): Promise<Outcome<Value>> => {
  try {
    return { value: await promise };
  } catch (error) {
    return { problem: messageOf(error) };
  }
};

/** Shows one frame after the other; of several wanted at once only the last is shown. */
export function createFrameNavigator(parts: NavigatorParts) {
  const { job, engine, frames, records, metaOf, update, wanted, isSkipped, halfDrawn } = parts;
  let turn = 0;
  let stopWatching = ignore;
  let retryDetail = ignore;
  /** Where somebody went last: a step further is likely next. */
  let direction: 1 | -1 = 1;
  let shown = job.start_frame;

  const show = (frame: number, picture: Outcome<FramePicture>, shapes: Outcome<readonly SceneRecord[]>): void => {
    const meta = metaOf(frame);
    halfDrawn.leave(shown);
    shown = frame;
    const size = { width: meta?.width ?? 0, height: meta?.height ?? 0 };
    stopWatching();
    const tiled = 'value' in picture && 'overview' in picture.value ? picture.value : null;
    retryDetail = tiled?.retry ?? ignore;
    stopWatching = tiled?.watch((detail) => update({ detail })) ?? ignore;
    engine.setImage('value' in picture ? picture.value : null, size);
    engine.setFrameShapes('value' in shapes ? shapes.value : [], frame);
    update({
      frame,
      shown: true,
      ...(tiled === null ? { detail: null } : {}),
      picture: 'value' in picture ? { kind: 'ready' } : { kind: 'failed', message: picture.problem },
      annotationsFailed: 'value' in shapes ? null : shapes.problem,
    });
    halfDrawn.arrive(frame);
    frames.prefetchAround(frame, job.start_frame, job.stop_frame);
    const next = frames.ready(frame + direction);
    if (next && isVideoFrame(next)) engine.frames.prepareSoon(next);
    records.prefetch(frame, direction, job.start_frame, job.stop_frame);
  };

  const load = async (frame: number): Promise<FramePicture> => {
    const picture = await frames.load(frame);
    if (isVideoFrame(picture)) await engine.frames.prepare(picture);
    return picture;
  };

  const goTo = async (target: number): Promise<void> => {
    const frame = Math.min(job.stop_frame, Math.max(job.start_frame, target));
    const mine = (turn += 1);
    if (frame !== shown) direction = frame > shown ? 1 : -1;
    const [ready, known] = [frames.ready(frame), records.ready(frame)];
    const isDrawn = ready !== undefined && (!isVideoFrame(ready) || engine.frames.isConverted(ready));
    update({ wantedFrame: frame, ...(ready === undefined ? { picture: { kind: 'loading' } } : {}) });
    // At once: the page is drawn anew once, not for each of both.
    if (isDrawn && known !== undefined) return show(frame, { value: ready }, { value: known });
    const [picture, shapes] = await Promise.all([outcome(load(frame)), outcome(records.open(frame))]);
    if (mine === turn) show(frame, picture, shapes);
  };

  /** From a frame on, in one direction; null: all of them are skipped. */
  const nearest = (from: number, way: number): number | null => {
    for (let frame = from; frame >= job.start_frame && frame <= job.stop_frame; frame += way) {
      if (!isSkipped(frame)) return frame;
    }
    return null;
  };

  return {
    /** Fulfils when the frame is on screen, or another one was wanted meanwhile. */
    goTo,
    /** Over frames that are skipped; where there is no other one it stays. */
    step(by: number): Promise<void> {
      const target = Math.min(job.stop_frame, Math.max(job.start_frame, wanted() + by));
      return goTo(nearest(target, Math.sign(by)) ?? nearest(target, -Math.sign(by)) ?? wanted());
    },
    /** To the first or the last frame that is not skipped. */
    toEnd: (end: 'first' | 'last'): Promise<void> =>
      end === 'first'
        ? goTo(nearest(job.start_frame, 1) ?? job.start_frame)
        : goTo(nearest(job.stop_frame, -1) ?? job.stop_frame),
    /** Fetches again what did not come of a large picture. */
    retryDetail: () => retryDetail(),
    /** The same frame anew, after its records changed elsewhere. */
    reload: () => goTo(wanted()),
  };
}

export type FrameNavigator = ReturnType<typeof createFrameNavigator>;
