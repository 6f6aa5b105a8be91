import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createUploadStore } from '../../main/http/uploads/upload-store.ts';
import { signIn, type TestClient } from '../support/client.ts';
import { below, createRandom } from '../support/random.ts';
import { startServer } from '../support/server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { logPosition, readDiskLog, type Logged } from './disk-log.ts';
import { DiskModel, randomFate, type LabelOutcome, type Remains } from './disk-model.ts';
import { createLedger, madeAt, type AfterCut, type Ledger } from './ledger.ts';
import { compileRecorder, startRecorded } from './recording.ts';
import { generalProblems, type Expected } from './remains-checks.ts';
import { webhookSecret, work } from './the-work.ts';

const cuts = Number(process.env['LIMNER_CUTS'] ?? 300);
/** Number of cuts between two starts of the program on the remaining files. */
const cutsPerStart = 50;
/** Printed with the results. `LIMNER_SEED` repeats the choices of a run. */
const seed = Number(process.env['LIMNER_SEED'] ?? Date.now() % 1_000_000);

const folder = sharedFolder();

interface Recording {
  readonly events: readonly Logged[];
  readonly ledger: Ledger;
  readonly sources: ReadonlyMap<string, Buffer>;
  readonly dataDir: string;
  readonly user: { readonly user: string; readonly password: string };
  readonly readyAt: number;
}

async function record(): Promise<Recording> {
  const [log, dataDir, library] = [join(folder, 'disk.log'), join(folder, 'data'), compileRecorder(folder)];
  mkdirSync(dataDir);
  writeFileSync(log, '');
  const server = await startRecorded({ library, log, dataDir });
  try {
    const readyAt = logPosition(log);
    const ledger = createLedger(() => logPosition(log));
    const sources = new Map<string, Buffer>();
    await work({ client: await signIn(server), ledger, random: createRandom(seed), folder, sources });
    return { events: readDiskLog(log), ledger, sources, dataDir, user: server, readyAt };
  } finally {
    await server.kill9();
  }
}

interface Cut {
  readonly position: number;
  readonly fate: LabelOutcome;
}

/** Half of them at random moments, half at the moment in which an answer was sent. */
function chooseCuts({ events, ledger, readyAt }: Recording, sent: readonly number[]): Cut[] {
  const random = createRandom(seed + 1);
  const during = events.filter(({ end }) => end > readyAt);
  const chosen = Array.from({ length: cuts }, (_, index) => {
    const event = during[below(random, during.length)];
    const promise = ledger.promises[below(random, ledger.promises.length)];
    const position = index % 2 === 0 ? (event?.end ?? 0) : promise ? madeAt(promise, sent) : 0;
    return { position, fate: randomFate(random) };
  });
  return chosen.toSorted((a, b) => a.position - b.position);
}

function writeRemains(remains: Remains, target: string, wanted: (path: string) => boolean): void {
  for (const [path, bytes] of remains) {
    if (!wanted(path)) continue;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), bytes);
  }
}

/** The index of the write-ahead log is shared memory, which SQLite recreates. */
const isSharedMemory = (path: string) => path.endsWith('-shm');

async function problemsAfter(
  cut: Cut,
  remains: Remains,
  recording: Recording,
  sent: readonly number[],
  expected: Expected,
) {
  const target = mkdtempSync(join(folder, 'cut-'));
  try {
    writeRemains(remains, target, (path) => /^(db|keys|events|data\/uploads)\//.test(path) && !isSharedMemory(path));
    if (!remains.has('db/limner.sqlite')) return ['The store is not there.'];
    const store = new Database(join(target, 'db', 'limner.sqlite'));
    // Durability of this copy does not matter.
    store.pragma('synchronous = OFF');
    try {
      const state: AfterCut = {
        remains,
        store,
        uploads: createUploadStore(join(target, 'data', 'uploads')),
        folder: target,
      };
      const problems = generalProblems(state, expected);
      for (const promise of recording.ledger.promises) {
        if (madeAt(promise, sent) > cut.position || promise.until <= cut.position) continue;
        problems.push(...(await promise.check(state)).map((problem) => `${promise.what}: ${problem}`));
      }
      return problems;
    } finally {
      store.close();
    }
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/**
 * Starts the program on the remaining files, waits until it finishes interrupted work, and reads every file through it.
 */
async function problemsOfProgram(remains: Remains, recording: Recording): Promise<string[]> {
  // In the same folder, because the store has absolute paths of exports and uploads.
  rmSync(recording.dataDir, { recursive: true, force: true });
  mkdirSync(recording.dataDir);
  writeRemains(remains, recording.dataDir, (path) => !isSharedMemory(path));
  const server = await startServer({ dataDir: recording.dataDir });
  try {
    const client = await signIn({ ...recording.user, url: server.url });
    const problems: string[] = [];
    const { results: requests } = await client.good<{ results: { id: string }[] }>('GET', '/api/requests', {
      query: { page_size: 'all' },
    });
    for (const { id } of requests) {
      const { status, message } = await client.ended(id);
      if (status === 'failed') problems.push(`The request ${id} failed after the restart: ${message}`);
    }
    const { results: tasks } = await client.good<{ results: { id: number; size: number | undefined; mode: string }[] }>(
      'GET',
      '/api/tasks',
      { query: { page_size: 'all' } },
    );
    for (const task of tasks) problems.push(...(await problemsOfTask(client, task, recording.sources)));
    return problems;
  } finally {
    await server.kill9();
  }
}

async function problemsOfTask(
  client: TestClient,
  task: { id: number; size: number | undefined; mode: string },
  sources: ReadonlyMap<string, Buffer>,
): Promise<string[]> {
  // Its files had not arrived.
  if (!task.size) return [];
  const problems: string[] = [];
  const { frames } = await client.meta('tasks', task.id);
  for (const [number, frame] of (frames ?? []).entries()) {
    const { status } = await client.call('GET', `/api/tasks/${task.id}/data/`, {
      query: { type: 'frame', quality: 'compressed', number },
    });
    if (status !== 200) problems.push(`Frame ${number} of task ${task.id} cannot be shown: ${status}.`);
    if (task.mode === 'interpolation') continue;
    const path = `/api/tasks/${task.id}/data/?type=frame&quality=original&number=${number}`;
    const bytes = await client.bytes(path).catch(() => Buffer.alloc(0));
    if (!sources.get(basename(frame.name))?.equals(bytes))
      problems.push(`Frame ${number} of task ${task.id} is damaged.`);
  }
  return problems;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(0)} s`;

it(
  `nothing that was answered is lost by ${cuts} power cuts, neither rows nor files`,
  { timeout: 120_000 + cuts * 2_000 },
  async () => {
    const startedMs = performance.now();
    const recording = await record();
    const recordedMs = performance.now();
    const { events, ledger, sources, dataDir } = recording;
    const sent = events.filter(({ event }) => event.kind === 'sent').map(({ end }) => end);
    const after = new DiskModel();
    for (const { event } of events) after.apply(event);
    const expected: Expected = { sources, results: after.whole(), webhookSecret, dataDir };
    const random = createRandom(seed + 2);
    const model = new DiskModel();
    const found: string[] = [];
    let next = 0;
    let starts = 0;
    let startsMs = 0;
    for (const [index, cut] of chooseCuts(recording, sent).entries()) {
      for (let logged = events[next]; logged && logged.end <= cut.position; logged = events[next]) {
        model.apply(logged.event);
        next += 1;
      }
      const remains = model.afterCut(cut.fate, random);
      const problems = await problemsAfter(cut, remains, recording, sent, expected);
      if (index % cutsPerStart === cutsPerStart - 1) {
        const beganMs = performance.now();
        problems.push(...(await problemsOfProgram(remains, recording)));
        starts += 1;
        startsMs += performance.now() - beganMs;
      }
      const { files, names } = cut.fate;
      found.push(...problems.map((problem) => `cut ${index} (files: ${files}; names: ${names}): ${problem}`));
    }
    const cutsWithLoss = new Set(found.map((problem) => problem.split(' ')[1])).size;
    console.log(
      `${cuts} power cuts in ${events.length} writes, syncs and changes of names, ${ledger.promises.length} answers; the ` +
        `program started after ${starts} of them; seed ${seed}: ${found.length} losses after ${cutsWithLoss} cuts; work ` +
        `${seconds(recordedMs - startedMs)}, starts ${seconds(startsMs)}, all ${seconds(performance.now() - startedMs)}`,
    );
    expect(found.slice(0, 40)).toEqual([]);
  },
);
