import type { ActivityEvent } from '../../../preload/contract/schema/activity.ts';
import { heardBy, type ChangeActor, type Changes, type Id, type Look, type Sight } from '../../db/changes.ts';
import type { JobRepository } from '../../work/jobs/job-repository.ts';
import type { EventMaker, Fields } from './event-maker.ts';

/** Told by every change of an object: no news. */
const dates: ReadonlySet<string> = new Set(['updated_date']);

interface Parts<Kind extends string> extends EventMaker {
  readonly looks: Readonly<Record<Kind, Look>>;
  readonly jobs: Pick<JobRepository, 'get'>;
}

/**
 * Events of what happens in the house, heard where it is told to others already, so that no service knows of it. While
 * analytics is off nothing is looked at.
 */
export function createChangeNotes<Kind extends string>({ isOn, add, event, looks, jobs }: Parts<Kind>) {
  const numbered = (id: Id): number | null => (typeof id === 'number' ? id : null);
  function placeOf(kind: Kind, id: Id, { place }: Sight): Fields {
    const job = kind === 'job' ? jobs.get(Number(id)) : undefined;
    return {
      project_id: place.projectId,
      org_id: place.organizationId,
      task_id: kind === 'task' ? numbered(id) : (job?.task_id ?? null),
      job_id: kind === 'job' ? numbered(id) : null,
    };
  }
  const nameOf = ({ columns }: Sight): string | null => {
    const name = columns['name'] ?? columns['slug'] ?? columns['message'];
    return typeof name === 'string' ? name.slice(0, 128) : null;
  };
  /** Transactions end before anything else runs. What one took back shows itself: nothing is as it was told. */
  const afterwards = (isSo: () => boolean, events: readonly ActivityEvent[]): void =>
    queueMicrotask(() => {
      if (events.length > 0 && isSo()) add(events);
    });

  function updated({ userId }: ChangeActor, kind: Kind, id: Id, before: Sight, after: Sight): void {
    const changed = Object.entries(after.columns).filter(
      ([name, value]) => !dates.has(name) && JSON.stringify(value) !== JSON.stringify(before.columns[name]),
    );
    const place = placeOf(kind, id, after);
    const events = changed.map(([name, value]) =>
      event(`update:${kind}`, userId, {
        ...place,
        obj_name: name,
        obj_val: text(value),
        payload: JSON.stringify({ old_value: before.columns[name] ?? null }),
      }),
    );
    const isSo = () => {
      const now = looks[kind](id);
      return now === undefined || changed.every(([name, value]) => text(now.columns[name]) === text(value));
    };
    afterwards(isSo, events);
  }

  function told(action: 'create' | 'delete', actor: ChangeActor, kind: Kind, ids: readonly Id[]): void {
    for (const id of ids) {
      const sight = looks[kind](id);
      if (!sight) continue;
      if (action === 'delete') {
        // Kinds of parts are those of the same table of looks.
        for (const [part, partIds] of sight.parts?.() ?? []) told('delete', actor, part as Kind, partIds);
      }
      const fields = { ...placeOf(kind, id, sight), obj_id: numbered(id), obj_name: nameOf(sight) };
      const isSo = () => (looks[kind](id) === undefined) === (action === 'delete');
      afterwards(isSo, [event(`${action}:${kind}`, actor.userId, fields)]);
    }
  }

  return {
    /** The same changes, heard here too. */
    hearing: (changes: Changes<Kind>): Changes<Kind> => heardBy({ isOn, looks, told, updated }, changes),
  };
}

const text = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? null)).slice(0, 4096);
