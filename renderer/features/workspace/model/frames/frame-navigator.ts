import { messageOf } from '../../../../api/api-error.ts';
import type { SceneRecord } from '../../../../canvas/types.ts';
import { isSkipped, type FrameNavigator, type SessionParts } from '../types.ts';
import type { FrameLoader, FramePicture } from './frame-loader.ts';
import type { RecordStore } from '../record-store.ts';

/** Nearest of some ascending frames after or before a frame; null if none. */
export function nextOf(frames: readonly number[], frame: number, by: 1 | -1): number | null {
  return (by > 0 ? frames.find((one) => one > frame) : frames.findLast((one) => one < frame)) ?? null;
}

/** Nearest frame that is not among the given ones; null if none. */
export function nextWithout(
  taken: ReadonlySet<number>,
  { frame, first, last }: { readonly frame: number; readonly first: number; readonly last: number },
  by: 1 | -1,
): number | null {
  for (let at = frame + by; at >= first && at <= last; at += by) if (!taken.has(at)) return at;
  return null;
}

interface NavigatorParts extends Pick<SessionParts, 'job' | 'engine' | 'store' | 'metaOf'> {
  readonly frames: FrameLoader;
  readonly records: RecordStore;
  /** Stores and restores the draft of a frame. */
  readonly draft: { leave(frame: number): void; arrive(frame: number): void };
}

const ignore = (): void => {};
const atOnce = (task: () => void): (() => void) => {
  task();
  return ignore;
};
const afterRepaint = (task: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const request = requestAnimationFrame(() => (timer = setTimeout(task)));
  return () => {
    cancelAnimationFrame(request);
    clearTimeout(timer);
  };
};
/** One object, so that a step between ready images renders no notices. */
const readyPicture = { kind: 'ready' } as const;
const isVideoFrame = (picture: FramePicture): picture is VideoFrame => 'allocationSize' in picture;

type Outcome<Value> = { readonly value: Value } | { readonly problem: string };
const outcome = async <Value>(promise: Promise<Value>): Promise<Outcome<Value>> => {
  try {
    return { value: await promise };
  } catch (error) {
    return { problem: messageOf(error) };
  }
};

/** Loads and shows frames. Of several requested at once, only the last is shown. */
export function createFrameNavigator(parts: NavigatorParts): FrameNavigator {
  const { job, engine, store, frames, records, metaOf, draft } = parts;
  const wanted = (): number => store.getState().wantedFrame;
  let turn = 0;
  let stopWatching = ignore;
  let retryDetail = ignore;
  let cancelPrefetch = ignore;
  /** A video's decoder must not pause; for images, the repaint comes first. */
  const soon = job.mode === 'interpolation' ? atOnce : afterRepaint;
  /** The direction of the last step: the next one probably follows it. */
  let direction: 1 | -1 = 1;
  let isSettling = false;
  let shown = job.start_frame;

  /** At the pace of repaints: a held key neither delays this nor builds up a queue. */
  const settle = (): void => {
    if (isSettling) return;
    isSettling = true;
    afterRepaint(() => {
      isSettling = false;
      store.setState({ settledFrame: wanted() });
    });
  };

  const show = (frame: number, picture: Outcome<FramePicture>, shapes: Outcome<readonly SceneRecord[]>): void => {
    const meta = metaOf(frame);
    draft.leave(shown);
    shown = frame;
    const size = { width: meta?.width ?? 0, height: meta?.height ?? 0 };
    stopWatching();
    const tiled = 'value' in picture && 'overview' in picture.value ? picture.value : null;
    retryDetail = tiled?.retry ?? ignore;
    stopWatching = tiled?.watch((detail) => store.setState({ detail })) ?? ignore;
    engine.setImage('value' in picture ? picture.value : null, size);
    engine.setFrameShapes('value' in shapes ? shapes.value : [], frame);
    store.setState({
      frame,
      shown: true,
      ...(tiled === null ? { detail: null } : {}),
      picture: 'value' in picture ? readyPicture : { kind: 'failed', message: picture.problem },
      annotationsFailed: 'value' in shapes ? null : shapes.problem,
    });
    draft.arrive(frame);
    frames.show(frame);
    cancelPrefetch();
    cancelPrefetch = soon(() => {
      frames.prefetchAround(frame, direction, { first: job.start_frame, last: job.stop_frame });
      const next = frames.ready(frame + direction);
      if (next && isVideoFrame(next)) engine.frames.prepareSoon(next);
      records.prefetch(frame, direction, job.start_frame, job.stop_frame);
    });
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
    store.setState({ wantedFrame: frame, ...(ready === undefined ? { picture: { kind: 'loading' } } : {}) });
    settle();
    // Shows both at once to render the page only once.
    if (isDrawn && known !== undefined) return show(frame, { value: ready }, { value: known });
    const [picture, shapes] = await Promise.all([outcome(load(frame)), outcome(records.open(frame))]);
    if (mine === turn) show(frame, picture, shapes);
  };

  const nearest = (from: number, way: number): number | null => {
    for (let frame = from; frame >= job.start_frame && frame <= job.stop_frame; frame += way) {
      if (!isSkipped(store.getState(), frame)) return frame;
    }
    return null;
  };

  return {
    goTo,
    step(by) {
      const target = Math.min(job.stop_frame, Math.max(job.start_frame, wanted() + by));
      return goTo(nearest(target, Math.sign(by)) ?? nearest(target, -Math.sign(by)) ?? wanted());
    },
    toEnd: (end) =>
      end === 'first'
        ? goTo(nearest(job.start_frame, 1) ?? job.start_frame)
        : goTo(nearest(job.stop_frame, -1) ?? job.stop_frame),
    retryDetail: () => retryDetail(),
    reload: () => goTo(wanted()),
  };
}
