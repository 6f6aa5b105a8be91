import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  createAnnotationFeed,
  type AnnotationChangeNotice,
} from '../../../../../../../main/work/annotations/annotation-feed.ts';
import { AppError } from '../../../../../../../main/platform/errors.ts';
import { labeledDataSchema } from '../../../../../../../preload/contract/schema/annotations.ts';
import { createEditor } from '../../../../../../../renderer/canvas/editor.ts';
import type { ShapeRecord } from '../../../../../../../renderer/canvas/types.ts';
import { createConflictController } from '../../../../../../../renderer/features/workspace/model/remote-changes/conflict-controller.ts';
import {
  followRemoteChanges,
  type Feed,
} from '../../../../../../../renderer/features/workspace/model/remote-changes/follow-remote-changes.ts';
import { createRecordStore } from '../../../../../../../renderer/features/workspace/model/record-store.ts';
import {
  contentOf,
  recordFromShape,
} from '../../../../../../../renderer/features/workspace/model/saving/record-codec.ts';
import { createSaveQueue } from '../../../../../../../renderer/features/workspace/model/saving/save-queue.ts';
import {
  SaveError,
  type ConflictChoice,
  type Edit,
  type SaveBatch,
  type SavedIds,
  type SaveTransport,
} from '../../../../../../../renderer/features/workspace/model/saving/save-types.ts';

const jobId = 1;
// The windows of this test are always visible.
vi.stubGlobal('document', { addEventListener() {}, removeEventListener() {}, visibilityState: 'visible' });
afterAll(() => void vi.unstubAllGlobals());

type Wait = () => Promise<void>;

/** A service with objects and a change feed. Every request waits for its turn before and after its work. */
function service() {
  const made = [1, 2, 3].map((id) => ({ id, type: 'rectangle', frame: 0, label_id: 1, points: [-id, 0, 5, 5] }));
  const shapes = new Map(labeledDataSchema.parse({ shapes: made }).shapes.map((shape) => [shape.id ?? 0, shape]));
  const answers = new Map<string, SavedIds>();
  const writers = new Map<number, string>();
  const lost: string[] = [];
  let news = createAnnotationFeed({ onDisk: () => Promise.resolve() });
  let nextId = 4;
  const dataOf = (edits: readonly Edit[]) =>
    labeledDataSchema.parse({ shapes: edits.map(({ body, serverId }) => ({ ...body, id: serverId })) });

  function apply(batch: SaveBatch, window: string, knows: (id: number, x: number) => boolean): SavedIds {
    const known = answers.get(batch.key);
    if (known !== undefined) return known;
    try {
      if (batch.action !== 'create') news.requireSeen({ window, seen: batch.seen }, jobId, dataOf(batch.edits));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new SaveError({ kind: 'stale', message: '', stopped: false, version: news.version() });
    }
    const ids = batch.edits.map((edit) => {
      const id = batch.action === 'create' ? nextId++ : (edit.serverId ?? -1);
      const now = shapes.get(id);
      if (batch.action !== 'create' && now === undefined) {
        throw new SaveError({ kind: 'refused', message: 'gone', stopped: false });
      }
      const [x = 0] = now?.points ?? [];
      if (now !== undefined && writers.get(id) !== window && !knows(id, x)) lost.push(`${id} at ${x}`);
      if (batch.action === 'delete') shapes.delete(id);
      else shapes.set(id, dataOf([{ ...edit, serverId: id } as Edit]).shapes[0]!);
      writers.set(id, window);
      return id;
    });
    const answer = { shapes: ids, tags: [], tracks: [] };
    answers.set(batch.key, answer);
    const changed = labeledDataSchema.parse({ shapes: batch.edits.map(({ body }, at) => ({ ...body, id: ids[at] })) });
    news.changed({ userId: null, window }, new Map([[jobId, changed]]));
    return answer;
  }
  return {
    shapes,
    lost,
    apply,
    news: () => news,
    restart() {
      news.close();
      news = createAnnotationFeed({ onDisk: () => Promise.resolve() });
    },
  };
}
type Service = ReturnType<typeof service>;

interface Told {
  readonly version: string;
  readonly complete?: boolean;
}

const feedOf = (backend: Service, name: string) => (): Feed => {
  const target = new EventTarget();
  let last: string | null = null;
  let stop: (() => void) | null = null;
  const tell = (event: string, data: Partial<AnnotationChangeNotice> & Told): void => {
    if (event === 'change') last = data.version;
    target.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  };
  const connect = (): void => {
    const { version, listen } = backend.news();
    const hear = ({ number, frames, tracks, window }: AnnotationChangeNotice): void => {
      if (window !== name) tell('change', { version: version(number), frames, tracks });
    };
    const onEnd = (): void => {
      target.dispatchEvent(new Event('error'));
      queueMicrotask(connect);
    };
    const listening = listen(jobId, last, hear, onEnd);
    stop = listening.stop;
    tell('hello', { version: version(), complete: listening.isComplete });
    for (const one of listening.missed) hear(one);
  };
  queueMicrotask(connect);
  return Object.assign(target, { readyState: 1, close: () => stop?.() }) as unknown as Feed;
};

/** One window: canvas, records, saving and the change feed, with answers delayed by the schedule. */
function openWindow(backend: Service, name: string, wait: Wait) {
  let made = 0;
  const newId = (): string => `${name}-${(made += 1)}`;
  const editor = createEditor({ newId, onInvalid() {} });
  editor.setLabels(new Map([[1, { name: 'car', color: '#ff0000', type: 'any' }]]));
  const timers: (() => void)[] = [];
  const known = new Set<string>();
  const know = (id: number | undefined, x: number | undefined): void => void known.add(`${id} ${x}`);
  const transport: SaveTransport = {
    async send(batch) {
      await wait();
      const answer = backend.apply(batch, name, (id, x) => known.has(`${id} ${x}`));
      await wait();
      return answer;
    },
    async readNow(edits) {
      await wait();
      const now = edits.flatMap(({ localId, serverId = -1 }) => {
        const shape = backend.shapes.get(serverId);
        return shape === undefined ? [] : [[localId, contentOf(recordFromShape(shape, '')).body] as const];
      });
      await wait();
      return new Map(now);
    },
  };
  let keys = 0;
  const queue = createSaveQueue({
    transport,
    journal: { write() {} },
    newKey: () => `${name}-key-${(keys += 1)}`,
    later(task) {
      timers.push(task);
      return () => void timers.splice(timers.indexOf(task) >>> 0, 1);
    },
  });
  const records = createRecordStore({
    async load() {
      await wait();
      const data = labeledDataSchema.parse({ shapes: structuredClone([...backend.shapes.values()]) });
      await wait();
      return data;
    },
    loadTracks: () => Promise.resolve([]),
    onTracks() {},
    tracksNow: () => [],
    queue,
  });
  const engine = { showChanges: editor.commands.takeIn };
  const feed = feedOf(backend, name);
  const others = followRemoteChanges({
    jobId,
    window: name,
    onReach() {},
    onTaken: queue.saw,
    open: feed,
  });
  others.start((heard) => records.takeIn(heard, 0, engine.showChanges));
  const controller = createConflictController({ queue, records, engine, newId, recheck: others.hear });
  const note = (): void => {
    for (const { serverId, clientId, points } of shapesOf(editor)) {
      know(serverId ?? queue.serverIdOf(clientId), points[0]);
    }
  };
  editor.scene.subscribe(note);
  queue.subscribe(({ conflicts }) => {
    for (const { serverId, theirs } of conflicts) if (theirs && 'points' in theirs) know(serverId, theirs.points[0]);
  });
  editor.events.on('command', (command) => records.apply(command));
  return {
    name,
    editor,
    queue,
    controller,
    others,
    timers,
    newId,
    async open() {
      await others.ready;
      editor.setFrameShapes(await records.open(0), 0);
    },
  };
}
type Window = Awaited<ReturnType<typeof openWindow>>;

const shapesOf = ({ scene }: Window['editor']): ShapeRecord[] =>
  scene.all().filter((record): record is ShapeRecord => record.kind === 'shape');

type Step = readonly [
  what: 'make' | 'move' | 'delete' | 'undo' | 'redo' | 'send' | 'choose' | 'turn' | 'restart',
  number,
  number,
];

const stepArbitrary = fc.tuple(
  fc.constantFrom<Step[0][]>(
    'make',
    'move',
    'move',
    'move',
    'delete',
    'undo',
    'redo',
    'send',
    'send',
    'choose',
    'turn',
    'turn',
    'restart',
  ),
  fc.nat(1),
  fc.nat(5),
);
const choices: readonly ConflictChoice[] = ['mine', 'theirs', 'both'];

let stamp = 0;
function run([what, at, pick]: Step, windows: readonly Window[], backend: Service): void {
  const window = windows[at]!;
  const { editor, queue, controller, timers } = window;
  const shapes = shapesOf(editor);
  const shape = shapes[pick % Math.max(1, shapes.length)];
  const at10 = (): number[] => [(stamp += 1), 0, stamp + 5, 5];
  if (what === 'make') {
    const after = recordFromShape(
      labeledDataSchema.parse({ shapes: [{ type: 'rectangle', frame: 0, label_id: 1, points: at10() }] }).shapes[0]!,
      window.newId(),
    );
    editor.commands.execute({ kind: 'create', changes: [{ clientId: after.clientId, before: null, after }] });
  } else if (what === 'move' && shape) editor.commands.update([shape.clientId], { points: at10() }, 'move');
  else if (what === 'delete' && shape) editor.commands.remove([shape.clientId]);
  else if (what === 'undo') editor.undo();
  else if (what === 'redo') editor.redo();
  else if (what === 'send') timers.shift()?.();
  else if (what === 'choose') {
    const conflict = queue.status().conflicts[0];
    if (conflict !== undefined) controller.choose(conflict, choices[pick % 3]!);
  } else if (what === 'restart') backend.restart();
}

describe('two windows on one job', () => {
  it('end with the state of the service after any events; no unseen change is overwritten', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(stepArbitrary, { minLength: 4, maxLength: 40 }),
        async (schedule, steps) => {
          const backend = service();
          const wait = (): Promise<void> => schedule.schedule(Promise.resolve()).then(() => undefined);
          const windows = ['a', 'b'].map((name) => openWindow(backend, name, wait));
          const idle = async (): Promise<void> => {
            while (schedule.count() > 0) await schedule.waitOne();
            for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
          };
          const opening = Promise.all(windows.map((window) => window.open()));
          await idle();
          await idle();
          await opening;
          for (const step of steps) {
            run(step, windows, backend);
            if (step[0] === 'turn' && schedule.count() > 0) await schedule.waitOne();
            for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
          }
          for (let round = 0; round < 60; round += 1) {
            for (const [at] of windows.entries())
              for (const what of ['send', 'choose'] as const) run([what, at, round], windows, backend);
            await idle();
          }
          const stored = [...backend.shapes].map(([id, { points }]) => `${id} at ${points[0]}`).toSorted();
          for (const { name, editor, queue } of windows) {
            const shown = shapesOf(editor).map(
              ({ clientId, points }) => `${queue.serverIdOf(clientId)} at ${points[0]}`,
            );
            expect({ name, status: queue.status().state, shown: shown.toSorted() }).toEqual({
              name,
              status: 'saved',
              shown: stored,
            });
          }
          expect(backend.lost).toEqual([]);
          for (const { others, queue } of windows) {
            others.close();
            queue.close();
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
