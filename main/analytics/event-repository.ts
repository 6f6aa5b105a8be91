import type { ActivityEvent } from '../../preload/contract/schema/activity.ts';
import { Store } from '../db/store.ts';
import { hourMs, hourlyRows, type Facet } from './hourly-row.ts';

/** Version of the volume's file; a greater number belongs to a newer program. */
const schemaVersion = 2;

/**
 * Raw events and hourly sums for each dimension of the page. Both are written in one transaction, so that the page's
 * numbers match the events. 0 and '' stand for no value, because key columns cannot be null.
 */
const schema = `
CREATE TABLE event (
  id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, scope TEXT NOT NULL, obj_name TEXT, obj_id INTEGER, obj_val TEXT,
  source TEXT, count INTEGER, duration INTEGER NOT NULL, project_id INTEGER, task_id INTEGER, job_id INTEGER,
  user_id INTEGER, user_name TEXT, user_email TEXT, org_id INTEGER, org_slug TEXT, payload TEXT
) STRICT;
CREATE INDEX event_time ON event (at_ms);
CREATE TABLE hourly (
  scope TEXT NOT NULL, facet TEXT NOT NULL, hour INTEGER NOT NULL, user_id INTEGER NOT NULL, project_id INTEGER NOT NULL,
  name TEXT NOT NULL, detail TEXT NOT NULL, label_id INTEGER NOT NULL, org_id INTEGER NOT NULL,
  events INTEGER NOT NULL, amount INTEGER NOT NULL, ms INTEGER NOT NULL,
  PRIMARY KEY (scope, facet, hour, user_id, project_id, name, detail, label_id, org_id)
) STRICT, WITHOUT ROWID;`;

/** Sums over all users and projects: few rows, used for the unfiltered page. */
const overall = `
CREATE TABLE overall (
  scope TEXT NOT NULL, facet TEXT NOT NULL, hour INTEGER NOT NULL, name TEXT NOT NULL, detail TEXT NOT NULL,
  label_id INTEGER NOT NULL, org_id INTEGER NOT NULL,
  events INTEGER NOT NULL, amount INTEGER NOT NULL, ms INTEGER NOT NULL,
  PRIMARY KEY (scope, facet, hour, name, detail, label_id, org_id)
) STRICT, WITHOUT ROWID;
INSERT INTO overall
  SELECT scope, facet, hour, name, detail, label_id, org_id, SUM(events), SUM(amount), SUM(ms) FROM hourly
  GROUP BY scope, facet, hour, name, detail, label_id, org_id;`;

/** In the export order of other services of this API, which put `timestamp` after `source`. */
export const eventColumns = [
  'scope',
  'obj_name',
  'obj_id',
  'obj_val',
  'source',
  'count',
  'duration',
  'project_id',
  'task_id',
  'job_id',
  'user_id',
  'user_name',
  'user_email',
  'org_id',
  'org_slug',
  'payload',
] as const satisfies readonly (keyof ActivityEvent)[];

export interface EventPeriod {
  /** Inclusive. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

export interface EventFilter extends EventPeriod {
  readonly userId?: number | undefined;
  /** Null for objects without an organization. */
  readonly organizationId?: number | null;
  readonly projectId?: number | undefined;
  readonly taskId?: number;
  readonly jobId?: number;
}

export type Dimension = 'hour' | 'user_id' | 'project_id' | 'name' | 'detail' | 'label_id';
export type Sum = Readonly<Record<'events' | 'amount' | 'ms', number>> & {
  readonly hour: number;
  readonly user_id: number;
  readonly project_id: number;
  readonly label_id: number;
  readonly name: string;
  readonly detail: string;
};

export type EventRepository = ReturnType<typeof openEvents>;

/** The events volume: a separate SQLite file, so that it can be deleted without a trace. */
export function openEvents(file: string) {
  const database = new Store(file, { cacheMiB: 16 });
  prepare(database);
  const insert = database.query(
    `INSERT INTO event (at_ms, ${eventColumns.join(', ')}) VALUES (?, ${eventColumns.map(() => '?').join(', ')})`,
  );
  const add = database.query(
    `INSERT INTO hourly (scope, facet, hour, user_id, project_id, name, detail, label_id, org_id, events, amount, ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
     ON CONFLICT DO UPDATE SET events = events + 1, amount = amount + excluded.amount, ms = ms + excluded.ms`,
  );
  const addOverall = database.query(
    `INSERT INTO overall (scope, facet, hour, name, detail, label_id, org_id, events, amount, ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
     ON CONFLICT DO UPDATE SET events = events + 1, amount = amount + excluded.amount, ms = ms + excluded.ms`,
  );
  const pages = () =>
    Number(database.pragma('page_count', { simple: true })) -
    Number(database.pragma('freelist_count', { simple: true }));
  const removeEvents = database.query(
    'DELETE FROM event WHERE id IN (SELECT id FROM event WHERE at_ms < +? LIMIT 20000)',
  );
  const removeSums = ['hourly', 'overall'].map((table) => database.query(`DELETE FROM ${table} WHERE hour < +?`));

  return {
    /** Inserts all events or none. They are on disk when this returns. */
    insert(events: readonly ActivityEvent[]): void {
      database.write(() => {
        for (const event of events) {
          insert.run(Date.parse(event.timestamp), ...eventColumns.map((column) => event[column] ?? null));
          for (const row of hourlyRows(event)) {
            add.run(...row);
            const [scope, facet, hour, _user, _project, ...rest] = row;
            addOverall.run(scope, facet, hour, ...rest);
          }
        }
      });
    },
    *read(filter: EventFilter): Generator<ActivityEvent> {
      const { where, values } = conditions(filter, 'at_ms', [filter.fromMs, filter.toMs]);
      const rows = database.query(
        `SELECT at_ms, ${eventColumns.join(', ')} FROM event WHERE ${where} ORDER BY at_ms, id`,
      );
      for (const row of rows.iterate(...values) as IterableIterator<Record<string, unknown>>) {
        yield { ...row, timestamp: asTimestamp(Number(row['at_ms'])) } as unknown as ActivityEvent;
      }
    },
    /** Sums over the hours of a period, for each existing combination of the dimensions. */
    sums(scopes: readonly string[], by: readonly Dimension[], filter: EventFilter): Sum[] {
      const hours = [Math.floor(filter.fromMs / hourMs), Math.ceil(filter.toMs / hourMs)];
      const { where, values } = conditions(filter, 'hour', hours);
      const isOfOne = filter.userId !== undefined || filter.projectId !== undefined;
      const table = isOfOne || by.includes('user_id') || by.includes('project_id') ? 'hourly' : 'overall';
      const sums = 'SUM(events) AS events, SUM(amount) AS amount, SUM(ms) AS ms';
      const group = by.length === 0 ? '' : `GROUP BY ${by.join(', ')}`;
      return database
        .query(
          `SELECT ${[...by, sums].join(', ')} FROM ${table}
           WHERE scope IN (${scopes.map(() => '?').join(', ')}) AND facet = +? AND ${where} ${group}`,
        )
        .all(...scopes, facetOf(by), ...values) as Sum[];
    },
    extent() {
      const { first, last } = database.query('SELECT MIN(at_ms) AS first, MAX(at_ms) AS last FROM event').get() as {
        first: number | null;
        last: number | null;
      };
      const { events } = database
        .query("SELECT COALESCE(SUM(events), 0) AS events FROM overall WHERE facet = ''")
        .get() as {
        events: number;
      };
      const pageBytes = Number(database.pragma('page_size', { simple: true }));
      return { first, last, events, bytes: pages() * pageBytes };
    },
    /**
     * Deletes the next batch of older events, and their sums after the last batch. Returns true while events remain.
     */
    removeBefore(ms: number): boolean {
      if (removeEvents.run(ms).changes > 0) return true;
      for (const remove of removeSums) remove.run(Math.floor(ms / hourMs));
      return false;
    },
    close: () => database.close(),
  };
}

function prepare(database: Store): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version === schemaVersion) return;
  if (version > schemaVersion) {
    database.close();
    throw new Error('The events volume was created by a newer version of Limner. Nothing was changed.');
  }
  database.write(() => {
    if (version === 0) database.exec(schema);
    database.exec(overall);
    database.pragma(`user_version = ${schemaVersion}`);
  });
}

function facetOf(by: readonly Dimension[]): Facet {
  if (by.includes('name')) return 'name';
  if (by.includes('label_id')) return 'label';
  return by.includes('detail') ? 'detail' : '';
}

function conditions(filter: EventFilter, time: string, [from, to]: readonly number[]) {
  const { userId, organizationId, projectId, taskId, jobId } = filter;
  const isSum = time === 'hour';
  const wanted: readonly (readonly [string, number | null | undefined])[] = [
    ['user_id', userId],
    ['project_id', projectId],
    ['task_id', taskId],
    ['job_id', jobId],
  ];
  const given = wanted.filter(([, value]) => value !== undefined);
  const nowhere = isSum ? 'org_id = 0' : 'org_id IS NULL';
  const organization = organizationId === undefined ? [] : [organizationId === null ? nowhere : 'org_id = +?'];
  return {
    where: [`${time} >= +? AND ${time} < +?`, ...given.map(([name]) => `${name} = +?`), ...organization].join(' AND '),
    values: [from, to, ...given.map(([, value]) => value), ...(organizationId == null ? [] : [organizationId])],
  };
}

/** Microseconds, as in CVAT. */
const asTimestamp = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
