import type { StoreApi } from 'zustand/vanilla';
import type { LambdaFunction } from '../../../../preload/contract/schema/functions.ts';
import { shapeTypeSchema, type ShapeType } from '../../../../preload/contract/schema/annotations.ts';
import type { Job } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { wasCancelled } from '../../../api/transport.ts';
import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import type { RecordChange, ShapeRecord } from '../../../canvas/types.ts';
import { text } from '../../../i18n/index.ts';
import type { ModelState } from './model-state.ts';
import { reasonOf } from './reason.ts';

/** The selected shapes that a tracker can follow. */
export function trackable(engine: CanvasEngine, model: LambdaFunction): ShapeRecord[] {
  const types: readonly ShapeType[] = model.supported_shape_types ?? ['rectangle'];
  return engine.selection
    .ids()
    .flatMap((id) => engine.scene.getShape(id) ?? [])
    .filter((shape) => types.includes(shape.type) && shape.suggestion !== true);
}

interface TrackingParts {
  readonly job: Pick<Job, 'id' | 'task_id' | 'stop_frame'>;
  readonly engine: CanvasEngine;
  readonly state: StoreApi<ModelState>;
}

interface TrackerAnswer {
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

export function createTracking({ job, engine, state }: TrackingParts) {
  let running: AbortController | null = null;

  const ask = async (
    model: LambdaFunction,
    frame: number,
    fields: object,
    signal: AbortSignal,
  ): Promise<TrackerAnswer> => {
    const body = { task: job.task_id, job: job.id, frame, ...fields };
    return readAnswer(await call('callLambdaFunction', { params: { id: model.id }, body, signal }));
  };
  /** Objects made on a frame out of the tracker's answer; one that it has lost is left out. */
  const madeOn = (frame: number, origins: readonly ShapeRecord[], { shapes }: TrackerAnswer): RecordChange[] =>
    origins.flatMap((origin, index) => {
      const found = shapes[index];
      if (found === null || found === undefined) return [];
      const { serverId: _server, elements: _elements, ...rest } = origin;
      const clientId = crypto.randomUUID();
      const after: ShapeRecord = {
        ...rest,
        clientId,
        frame,
        ...found,
        rotation: 0,
        source: 'auto',
        score: 1,
        locked: false,
        hidden: false,
      };
      return [{ clientId, before: null, after }];
    });

  const follow = async (model: LambdaFunction, origins: readonly ShapeRecord[], last: number, signal: AbortSignal) => {
    const first = origins[0]?.frame ?? 0;
    const changes: RecordChange[] = [];
    let done = 0;
    let failure: unknown = null;
    try {
      const shapes = origins.map(({ type, points }) => ({ type, points }));
      let { states } = await ask(model, first, { shapes }, signal);
      for (let frame = first + 1; frame <= last; frame += 1) {
        const answer = await ask(model, frame, { states }, signal);
        states = answer.states;
        changes.push(...madeOn(frame, origins, answer));
        done += 1;
        state.setState({ tracking: { done, count: last - first } });
      }
    } catch (error) {
      failure = error;
    }
    return { changes, done, count: last - first, failure };
  };

  return {
    /** Follows the selected shapes into the next frames: each becomes a plain shape on each of them. */
    async run(model: LambdaFunction): Promise<void> {
      const origins = trackable(engine, model);
      const first = engine.scene.frame;
      const last = Math.min(job.stop_frame, first + state.getState().trackFrames);
      if (origins.length === 0 || last <= first) return;
      running?.abort();
      const mine = new AbortController();
      running = mine;
      state.setState({ tracking: { done: 0, count: last - first }, note: null });
      const { changes, done, count, failure } = await follow(model, origins, last, mine.signal);
      running = null;
      state.setState({ tracking: null });
      const label = text('assist.tracked', { count: done });
      if (changes.length > 0) engine.execute({ kind: 'other', frame: first, label, changes });
      const kept = text('assist.trackKept', { done, count, objects: changes.length });
      if (failure === null) state.setState({ note: { kind: 'info', text: kept } });
      else if (wasCancelled(failure))
        state.setState({ note: { kind: 'info', text: `${text('assist.stopped')} ${kept}` } });
      else {
        const reason = text('assist.detectFailed', { name: model.name, message: reasonOf(failure) });
        state.setState({ note: { kind: 'failure', text: `${reason} ${kept}` } });
      }
    },
    /** Stops; what was found by then is kept. */
    cancel: () => running?.abort(),
  };
}
