import type { StoreApi } from 'zustand/vanilla';
import { added, changed, removed } from '../../../../canvas/changes.ts';
import type { LambdaFunction } from '../../../../../preload/contract/schema/functions.ts';
import { shapeTypeSchema, type ShapeType } from '../../../../../preload/contract/schema/annotations.ts';
import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import { call, wasCancelled } from '../../../../api/client.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { startTrack } from '../../../../canvas/tracks/keyframe-edit.ts';
import { withKeyframe } from '../../../../canvas/tracks/track-shapes.ts';
import type { ShapeRecord, TrackKeyframe, TrackRecord } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import { reasonOf, type ModelState } from './model-state.ts';
import type { SessionParts } from '../types.ts';

export function trackable(engine: CanvasEngine, model: LambdaFunction): ShapeRecord[] {
  const types: readonly ShapeType[] = model.supported_shape_types ?? ['rectangle'];
  return engine.selection
    .ids()
    .flatMap((id) => engine.scene.getShape(id) ?? [])
    .filter((shape) => types.includes(shape.type) && !shape.outside && !shape.locked && shape.suggestion !== true);
}

interface TrackingParts extends Pick<SessionParts, 'engine'> {
  readonly job: Pick<Job, 'id' | 'task_id' | 'stop_frame'>;
  readonly state: StoreApi<ModelState>;
}

interface TrackerAnswer {
  /** Null if the object is lost. */
  readonly shapes: readonly ({ readonly type: ShapeType; readonly points: readonly number[] } | null)[];
  readonly states: readonly unknown[];
}

function readAnswer(answer: unknown): TrackerAnswer {
  const shapes: unknown = Reflect.get(Object(answer), 'shapes');
  const states: unknown = Reflect.get(Object(answer), 'states');
  if (!Array.isArray(shapes) || !Array.isArray(states)) throw new Error(text('assist.trackerAnswer'));
  return {
    states,
    shapes: shapes.map((shape: unknown) => {
      const type = shapeTypeSchema.safeParse(Reflect.get(Object(shape), 'type')).data;
      const points: unknown = Reflect.get(Object(shape), 'points');
      if (type === undefined || !Array.isArray(points)) return null;
      const numbers = points.map(Number);
      return numbers.length >= 4 && numbers.every(Number.isFinite) ? { type, points: numbers } : null;
    }),
  };
}

interface KeptStates {
  readonly model: string;
  readonly frame: number;
  readonly states: readonly unknown[];
  readonly tracks: readonly TrackRecord[];
}

interface Followed {
  /** By frame, then by object; null for a lost object. */
  readonly answers: readonly TrackerAnswer['shapes'][];
  readonly states: readonly unknown[] | undefined;
  readonly failure: unknown;
}

export function createTracking({ job, engine, state }: TrackingParts) {
  let running: AbortController | null = null;
  let kept: KeptStates | null = null;

  /** True if the tracker followed these objects up to here and they are unedited since. */
  const goesOn = (model: LambdaFunction, origins: readonly ShapeRecord[]): boolean =>
    kept !== null &&
    kept.model === model.id &&
    kept.frame === engine.scene.frame &&
    kept.tracks.length === origins.length &&
    kept.tracks.every((track, index) => engine.tracks.get(origins[index]?.clientId ?? '') === track);

  /** Extends a track by the results; it is outside from the frame on where the object is lost. */
  const extended = (origin: ShapeRecord, answers: Followed['answers'], index: number) => {
    const before = engine.tracks.get(origin.clientId);
    const start = before ?? {
      ...startTrack({ ...origin, clientId: crypto.randomUUID() }, engine.isMutable),
      source: 'auto' as const,
    };
    let seen: TrackKeyframe = { ...origin, z_order: origin.zOrder, outside: false, attributes: [] };
    const found = answers.flatMap((shapes, step): TrackKeyframe[] => {
      const shape = shapes[index]?.type === origin.type ? shapes[index] : null;
      const wasOutside = seen.outside;
      const { type, points } = shape ?? seen;
      const frame = origin.frame + step + 1;
      seen = {
        frame,
        type,
        points,
        rotation: 0,
        outside: shape === null,
        occluded: false,
        z_order: origin.zOrder,
        attributes: [],
      };
      return wasOutside && seen.outside ? [] : [seen];
    });
    const track = { ...start, keyframes: found.reduce(withKeyframe, [...start.keyframes]) };
    const changes = before === undefined ? [removed(origin), added(track)] : [changed(before, track)];
    return { track, changes };
  };

  const ask = async (
    model: LambdaFunction,
    frame: number,
    fields: object,
    signal: AbortSignal,
  ): Promise<TrackerAnswer> => {
    const body = { task: job.task_id, job: job.id, frame, ...fields };
    return readAnswer(await call('callLambdaFunction', { params: { id: model.id }, body, signal }));
  };
  const follow = async (
    model: LambdaFunction,
    origins: readonly ShapeRecord[],
    last: number,
    signal: AbortSignal,
  ): Promise<Followed> => {
    const first = origins[0]?.frame ?? 0;
    const answers: TrackerAnswer['shapes'][] = [];
    const shapes = origins.map(({ type, points }) => ({ type, points }));
    let states = goesOn(model, origins) ? kept?.states : undefined;
    try {
      states ??= (await ask(model, first, { shapes }, signal)).states;
      for (let frame = first + 1; frame <= last; frame += 1) {
        const answer = await ask(model, frame, { states }, signal);
        states = answer.states;
        answers.push(answer.shapes);
        state.setState({ tracking: { done: answers.length, count: last - first } });
      }
      return { answers, states, failure: null };
    } catch (failure) {
      return { answers, states, failure };
    }
  };

  return {
    /** Follows the selected objects through the next frames. Shapes become tracks. */
    async run(model: LambdaFunction): Promise<void> {
      const origins = trackable(engine, model);
      const first = engine.scene.frame;
      const last = Math.min(job.stop_frame, first + state.getState().trackFrames);
      if (origins.length === 0 || last <= first) return;
      running?.abort();
      const mine = new AbortController();
      running = mine;
      state.setState({ tracking: { done: 0, count: last - first }, note: null });
      const { answers, states, failure } = await follow(model, origins, last, mine.signal);
      running = null;
      state.setState({ tracking: null });
      const done = answers.length;
      const followed = done === 0 ? [] : origins.map((origin, index) => extended(origin, answers, index));
      const label = text('assist.tracked', { count: done });
      engine.execute({ kind: 'track', frame: first, label, changes: followed.flatMap(({ changes }) => changes) });
      if (done > 0) engine.selection.set(followed.map(({ track }) => track.clientId));
      kept =
        states === undefined || done === 0
          ? null
          : { model: model.id, frame: first + done, states, tracks: followed.map(({ track }) => track) };
      const told = text('assist.trackKept', { done, frames: last - first, count: followed.length });
      if (failure === null) state.setState({ note: { kind: 'info', text: told } });
      else if (wasCancelled(failure))
        state.setState({ note: { kind: 'info', text: `${text('assist.stopped')} ${told}` } });
      else {
        const reason = text('assist.detectFailed', { name: model.name, message: reasonOf(failure) });
        state.setState({ note: { kind: 'failure', text: `${reason} ${told}` } });
      }
    },
    /** Stops the run and keeps its results so far. */
    cancel: () => running?.abort(),
  };
}
