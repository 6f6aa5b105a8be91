import { beforeEach, describe, expect, test } from 'vitest';
import { createChanges, type ChangeListener, type DomainChange } from '../../main/db/changes.ts';
import type { Store } from '../../main/db/store.ts';
import { temporaryStore } from '../support/new-store.ts';

type Kind = 'project' | 'task';

const actor = { userId: null, baseUrl: '' };
const place = { projectId: null, organizationId: null, taskId: null, jobId: null };

let database: Store;
/** Snapshots that were read, as `task 3`. */
let reads: string[];
/** Changes that a listener was given, and those that it saw committed. */
let given: string[];
let committed: string[];
let names: Map<number, string>;

beforeEach(() => {
  database = temporaryStore();
  reads = [];
  given = [];
  committed = [];
  names = new Map([
    [1, 'one'],
    [2, 'two'],
  ]);
});

const described = ({ action, kind, id, isPart }: DomainChange<Kind>): string =>
  `${action} ${kind} ${id}${isPart ? ' as a part' : ''}`;

const listener = (wants: ChangeListener<Kind>['wants'] = () => true): ChangeListener<Kind> => ({
  wants,
  record(_, changes) {
    given.push(...changes.map(described));
    return () => committed.push(...changes.map(described));
  },
});

function changesFor(...listeners: ChangeListener<Kind>[]) {
  const read = (kind: Kind) => (id: number | string) => {
    reads.push(`${kind} ${id}`);
    const name = names.get(Number(id));
    const parts = () => (kind === 'project' ? ([['task', [2]]] as const) : []);
    return name === undefined ? undefined : { place: () => place, columns: { name }, present: () => ({ name }), parts };
  };
  const snapshots = { project: read('project'), task: read('task') };
  return createChanges<Kind>({ database, snapshots, listeners, baseUrl: () => '' });
}

const rename = (id: number, name: string) => () => void names.set(id, name);

describe('a domain change', () => {
  test('reads each watched object once before and once after, however many listeners there are', () => {
    const changes = changesFor(listener(), listener(), listener());
    changes.run(actor, { tasks: [1, 1], projects: [2] }, rename(1, 'new'));
    expect(reads).toEqual(['task 1', 'project 2', 'task 1', 'project 2']);
    expect(given).toEqual(['update task 1', 'update task 1', 'update task 1']);
  });

  test('reads nothing that interests no listener', () => {
    const changes = changesFor(
      listener(({ kind, onlyDates }) => kind === 'task' && onlyDates !== true),
      listener(({ isPart }) => isPart),
    );
    changes.run(actor, { tasks: [1], onlyDates: true }, rename(1, 'new'));
    changes.run(actor, { projects: [1] }, rename(1, 'newer'));
    changes.run(actor, {}, () => changes.created(actor, 'project', [1]));
    expect(reads).toEqual([]);
  });

  test('reports parts before the object that is deleted with them', () => {
    const changes = changesFor(listener());
    changes.run(actor, {}, () => changes.deleting(actor, 'project', [1]));
    expect(given).toEqual(['delete task 2 as a part', 'delete project 1']);
  });
});

describe('work after the commit', () => {
  test('waits for the end of the outermost transaction', () => {
    const changes = changesFor(listener());
    changes.run(actor, {}, () => {
      changes.run(actor, { tasks: [1] }, rename(1, 'new'));
      expect([given, committed]).toEqual([['update task 1'], []]);
    });
    expect(committed).toEqual(['update task 1']);
  });

  test('is discarded with the transaction, or with the part of it, that is rolled back', () => {
    const changes = changesFor(listener());
    const failing = (id: number) => () =>
      changes.run(actor, {}, () => {
        changes.run(actor, { tasks: [id] }, rename(id, 'new'));
        throw new Error('undone');
      });
    expect(failing(1)).toThrow('undone');
    changes.run(actor, { projects: [1] }, () => {
      expect(failing(2)).toThrow('undone');
      names.set(1, 'kept');
    });
    expect(committed).toEqual(['update project 1']);
  });

  test('belongs to a transaction that something else began', () => {
    const changes = changesFor(listener());
    const failing = () =>
      database.write(() => {
        changes.run(actor, { tasks: [1] }, rename(1, 'new'));
        throw new Error('undone');
      });
    expect(failing).toThrow('undone');
    database.write(() => changes.run(actor, { tasks: [2] }, rename(2, 'new')));
    expect(committed).toEqual(['update task 2']);
  });
});
