import { stopAll } from '../../../../canvas/emitter.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { Command, ObjectRecord, ShapeRecord } from '../../../../canvas/types.ts';
import type { UnnamedShapes } from '../labels/unnamed-shapes.ts';
import type { RecordStore } from '../record-store.ts';
import { collectionOf } from '../saving/record-codec.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import type { DraftController } from './draft-controller.ts';
import type { FoundWork } from './take-over.ts';
import type { AutosavedWork, AutosaveStore } from './autosave-store.ts';

interface KeeperParts {
  readonly store: Pick<AutosaveStore, 'write'>;
  readonly jobId: number;
  readonly owner: string;
  readonly engine: Pick<CanvasEngine, 'history'>;
  readonly queue: Pick<SaveQueue, 'serverIdOf' | 'subscribe'>;
  readonly records: Pick<RecordStore, 'recall'>;
  readonly draft: DraftController;
  readonly unnamed: Pick<UnnamedShapes, 'list' | 'subscribe'>;
  readonly askForNames: (shapes: readonly ShapeRecord[]) => void;
}

/** Delay after the last change; short, because the page may close soon. */
const restMs = 200;
/** Limits of restored undo steps: their number, and their coordinates, of which a mask has many. */
const mostCommands = 1000;
const mostCoordinates = 2_000_000;

const sizeOf = (record: ObjectRecord | null): number => {
  if (record === null) return 0;
  if (record.kind === 'shape') return record.points.length;
  return record.kind === 'track' ? record.keyframes.reduce((sum, { points }) => sum + points.length, 0) : 0;
};
const sizeOfCommand = ({ changes }: Command): number =>
  changes.reduce((sum, { before, after }) => sum + sizeOf(before) + sizeOf(after), 0);

function latest(commands: readonly Command[]): readonly Command[] {
  let room = mostCoordinates;
  const first = commands.findLastIndex((command, index) => {
    room -= sizeOfCommand(command);
    return room < 0 || index < commands.length - mostCommands;
  });
  return commands.slice(first + 1);
}

/** Saves the undo history, drafts and unnamed shapes, so that they survive a reload or crash of the page. */
export function startAutosave(parts: KeeperParts) {
  const { store, jobId, owner, engine, queue, records, draft, unnamed, askForNames } = parts;
  const { history } = engine;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const idsOf = (commands: readonly Command[]): AutosavedWork['ids'] => {
    const objects = commands.flatMap(({ changes }) => changes.flatMap(({ before, after }) => after ?? before ?? []));
    const made = new Map(objects.map((record) => [record.clientId, collectionOf(record)]));
    return [...made].flatMap(([localId, collection]) => {
      const serverId = queue.serverIdOf(localId);
      return serverId === undefined ? [] : { localId, collection, serverId };
    });
  };
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const all = history.list();
    const commands = latest(all.commands);
    const position = Math.max(0, all.position - (all.commands.length - commands.length));
    const shapes = { draft: draft.list(), unnamed: unnamed.list() };
    const work = { jobId, owner, at: Date.now(), position, ids: idsOf(commands), ...shapes };
    // A failed write only means that the work does not survive the page.
    store.write(work, commands).catch(() => undefined);
  };
  const writeSoon = (): void => {
    timer ??= setTimeout(write, restMs);
  };
  const flush = (): void => {
    if (timer !== undefined) write();
  };
  window.addEventListener('pagehide', flush);
  const stops = [history, queue, draft, unnamed].map(({ subscribe }) => subscribe(writeSoon));

  return {
    /** Restores the state of an earlier window. Must run before the first frame loads. */
    resume({ commands, position, ids, draft: shapes, unnamed: nameless = [] }: FoundWork) {
      records.recall(ids);
      draft.restore(shapes);
      askForNames(nameless);
      history.restore(commands, position);
    },
    close() {
      stopAll(stops);
      window.removeEventListener('pagehide', flush);
      flush();
    },
  };
}
