import { basename, isAbsolute, join } from 'node:path';
import Database from 'better-sqlite3';
import { createFileSecrets } from '../../main/platform/secrets.ts';
import { storeProblems } from '../faults/crash/store-checks.ts';
import type { AfterCut } from './ledger.ts';

type Sources = ReadonlyMap<string, Buffer>;

export interface Expected {
  readonly sources: Sources;
  readonly results: Sources;
  readonly webhookSecret: string;
  readonly dataDir: string;
}

/** Must hold after every cut, independent of answers: the store and all files that its rows name are intact. */
export function generalProblems(state: AfterCut, expected: Expected): string[] {
  return [
    ...storeProblems(state.folder),
    ...frameProblems(state, expected),
    ...assetProblems(state, expected),
    ...requestProblems(state, expected),
    ...secretProblems(state, expected),
    ...outboxProblems(state),
    ...cacheProblems(state, expected),
  ];
}

/** `null` if the bytes are right. */
function wrongBytes(found: Buffer | undefined, wanted: Buffer | undefined): string | null {
  if (!wanted) return 'is not one that the client sent';
  if (!found) return 'is not there';
  if (found.equals(wanted)) return null;
  return found.length === wanted.length ? 'is damaged' : `has ${found.length} of ${wanted.length} bytes`;
}

interface FrameRow {
  readonly task: number;
  readonly kind: string;
  readonly video: string | null;
  readonly name: string;
  readonly file: string | null;
}

function frameProblems({ store, remains }: AfterCut, { sources }: Expected): string[] {
  const rows = store
    .prepare(
      `SELECT task.id AS task, media.kind, media.video, frame.name, frame.file FROM task
       JOIN media ON media.id = task.media_id JOIN frame ON frame.media_id = media.id
       WHERE media.storage = 'local' AND (media.kind = 'images' OR frame.frame = 0)`,
    )
    .all() as FrameRow[];
  return rows.flatMap(({ task, kind, video, name, file }) => {
    const found = kind === 'video' ? (JSON.parse(video ?? '{}') as { file: string; path: string }) : null;
    const below = found?.file ?? file ?? name;
    if (isAbsolute(below)) return [];
    const wrong = wrongBytes(remains.get(`data/${task}/raw/${below}`), sources.get(basename(found?.path ?? name)));
    return wrong === null ? [] : [`The media ${below} of task ${task} ${wrong}.`];
  });
}

function assetProblems({ store, remains }: AfterCut, { sources }: Expected): string[] {
  const rows = store.prepare('SELECT uuid FROM asset').all() as { uuid: string }[];
  const pictures = [...sources.values()];
  return rows.flatMap(({ uuid }) => {
    const found = remains.get(`data/assets/${uuid}`);
    if (found && pictures.some((picture) => picture.equals(found))) return [];
    return [`The picture ${uuid} of a guide ${found ? `is damaged (${found.length} bytes)` : 'is not there'}.`];
  });
}

interface RequestRow {
  readonly id: string;
  readonly status: string;
  readonly parameters: string;
  readonly result_file: string | null;
  /** 1 if the task has its media and only the end of the request is missing. */
  readonly is_made: number | null;
}
interface FileParameters {
  readonly uploads?: readonly { readonly name: string; readonly file?: string; readonly path?: string }[];
  readonly file?: { readonly name: string; readonly path: string };
}

function requestProblems({ store, remains }: AfterCut, { sources, results, dataDir }: Expected): string[] {
  const rows = store
    .prepare(
      `SELECT request.id, request.status, parameters, result_file, request.type = 'create:task' AND media_id IS NOT NULL AS is_made
       FROM request LEFT JOIN task ON task.id = request.task_id`,
    )
    .all() as RequestRow[];
  const inside = (path: string) => path.slice(dataDir.length + 1);
  return rows.flatMap(({ id, status, parameters, result_file: result, is_made: isMade }) => {
    if (status === 'failed') return [`The request ${id} has failed.`];
    if (result !== null) {
      const wrong = wrongBytes(remains.get(inside(result)), results.get(inside(result)));
      return wrong === null ? [] : [`The result of ${id} ${wrong}.`];
    }
    if (status === 'finished' || isMade === 1) return [];
    const { uploads = [], file } = JSON.parse(parameters) as FileParameters;
    return [...uploads, ...(file ? [file] : [])].flatMap((upload) => {
      const path = ('file' in upload ? upload.file : undefined) ?? upload.path ?? '';
      const wrong = wrongBytes(remains.get(inside(path)), sources.get(basename(upload.name)));
      return wrong === null ? [] : [`The upload ${upload.name}, which ${id} waits for, ${wrong}.`];
    });
  });
}

function secretProblems({ store, folder }: AfterCut, { webhookSecret }: Expected): string[] {
  const rows = store.prepare("SELECT secret FROM webhook WHERE secret <> ''").all() as { secret: string }[];
  const secrets = createFileSecrets(join(folder, 'keys', 'secrets.key'));
  return rows.flatMap(({ secret }) => {
    try {
      return secrets.open(secret) === webhookSecret ? [] : ['The secret of a webhook is another one.'];
    } catch (error) {
      return [`The secret of a webhook cannot be opened: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}

/** An issue and its event are in one commit, so the outbox must match the rows. */
function outboxProblems({ store }: AfterCut): string[] {
  const count = (query: string) => (store.prepare(query).get() as { count: number }).count;
  if (count('SELECT count(*) AS count FROM webhook') === 0) return [];
  const issues = count('SELECT count(*) AS count FROM issue');
  const events = count("SELECT count(*) AS count FROM webhook_message WHERE event = 'create:issue'");
  const empty = count(
    `SELECT count(*) AS count FROM webhook_message m
     WHERE state = 'waiting' AND NOT EXISTS (SELECT 1 FROM webhook_payload p WHERE p.id = m.id)`,
  );
  return [
    ...(issues === events ? [] : [`There are ${issues} issues and ${events} events of issues.`]),
    ...(empty === 0 ? [] : [`${empty} events have lost what they say.`]),
  ];
}

/** Files that can be recreated may be missing. They must not be torn, because they are not verified again. */
function cacheProblems({ remains }: AfterCut, { results }: Expected): string[] {
  return [...remains].flatMap(([path, bytes]) => {
    if (!/^data\/\d+\/(cache|video)\//.test(path) || path.endsWith('.part')) return [];
    return results.get(path)?.equals(bytes) ? [] : [`The cached file ${path} is torn.`];
  });
}

/** Content of the events volume after SQLite's recovery: the values that the events contain. */
export function eventValues({ remains, folder }: AfterCut): string[] {
  if (!remains.has('events/events.sqlite')) return [];
  const volume = new Database(join(folder, 'events', 'events.sqlite'));
  try {
    return (volume.prepare('SELECT obj_val FROM event WHERE obj_val IS NOT NULL').all() as { obj_val: string }[]).map(
      (row) => row.obj_val,
    );
  } finally {
    volume.close();
  }
}
