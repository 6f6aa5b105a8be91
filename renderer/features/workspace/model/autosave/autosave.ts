import { stopAll } from '../../../../canvas/emitter.ts';
import type { Command, ObjectRecord } from '../../../../canvas/types.ts';
import type { JobLabels } from '../labels/job-labels.ts';
import type { RecordStore } from '../record-store.ts';
import { collectionOf } from '../saving/record-codec.ts';
import type { JobSaving } from '../saving/job-saving.ts';
import type { SessionParts } from '../types.ts';
import type { DraftController } from './draft-controller.ts';
import type { FoundWork } from './take-over.ts';
import type { AutosavedWork, AutosaveStore } from './autosave-store.ts';

/** Storage of undo histories and drafts, and the work of the job's last window. */
export interface KeptWork {
  readonly store: AutosaveStore;
  readonly found: FoundWork | null;
}

interface AutosaveParts extends Pick<SessionParts, 'job' | 'engine'> {
  readonly kept: KeptWork;
  readonly saving: Pick<JobSaving, 'window' | 'queue'>;
  readonly records: Pick<RecordStore, 'recall'>;
  readonly draft: DraftController;
  readonly labels: Pick<JobLabels, 'unnamed' | 'drawing'>;
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

/**
 * Saves the undo history, drafts and unnamed shapes, so that they survive a reload or crash of the page, and restores
 * those of an earlier window. Must start before the first frame loads.
 */
export function startAutosave({ kept, job, saving, engine, records, draft, labels }: AutosaveParts) {
  const { queue, window: owner } = saving;
  const { unnamed, drawing } = labels;
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
    const work = { jobId: job.id, owner, at: Date.now(), position, ids: idsOf(commands), ...shapes };
    // A failed write only means that the work does not survive the page.
    kept.store.write(work, commands).catch(() => undefined);
  };
  const writeSoon = (): void => {
    timer ??= setTimeout(write, restMs);
  };
  const resume = ({ commands, position, ids, draft: shapes, unnamed: nameless = [] }: FoundWork): void => {
    records.recall(ids);
    draft.restore(shapes);
    drawing.restore(nameless);
    history.restore(commands, position);
  };
  const flush = (): void => {
    if (timer !== undefined) write();
  };
  window.addEventListener('pagehide', flush);
  const stops = [history, queue, draft, unnamed].map(({ subscribe }) => subscribe(writeSoon));
  if (kept.found !== null) resume(kept.found);

  return {
    close() {
      stopAll(stops);
      window.removeEventListener('pagehide', flush);
      flush();
    },
  };
}
