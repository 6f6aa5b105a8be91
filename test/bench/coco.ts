import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn, type TestClient } from '../support/client.ts';
import { startServer, type RunningServer, type ServerOptions } from '../support/server.ts';
import { runAnchor } from './support/anchor-process.ts';
import { prepareCoco, type CocoWorkspace } from './support/coco-workspace.ts';
import { trainSize } from './support/generate-coco.ts';
import type { BenchOptions } from './support/options.ts';
import { sameChecksum, type PolygonChecksum } from './support/polygon-checksum.ts';
import { asRatio, figure, inMegabytes, inMilliseconds, inSeconds, median, percentile } from './support/statistics.ts';
import { startSteadyProbe, type Latencies } from './support/steady-probe.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const defaultRounds = 3;
const idleMs = 2000;
const format = 'COCO 1.0';
const pollMs = 25;

interface Whole {
  readonly milliseconds: number;
  readonly processorMs: number;
  readonly peakBytes: number;
}

interface Round {
  readonly uploadMs: number;
  readonly milliseconds: number;
  readonly peakBytes: number | null;
  readonly idleBytes: number | null;
  /** CPU time of the process, including the probes that run in parallel. */
  readonly processorMs: number | null;
  readonly idle: Answers;
  readonly busy: Answers;
}

interface Answers {
  readonly reads: Latencies;
  readonly edits: Latencies;
}

/** Imports and exports a file of the size of COCO's train2017 through the API of a running server. */
export async function bench(options: BenchOptions): Promise<void> {
  const { scale } = options;
  const size = {
    images: Math.max(1, Math.round(trainSize.images * scale)),
    annotations: Math.round(trainSize.annotations * scale),
  };
  await withWorkspace(async (folder) => {
    const workspace = await prepareCoco(folder, size, options);
    const counts = `${size.images.toLocaleString('en-US')} images, ${size.annotations.toLocaleString('en-US')} annotations`;
    console.log(`\nCOCO file of ${counts}, ${inMegabytes(workspace.fileBytes)}`);
    printNote(`The task with its frames, files used in place, was created in ${inSeconds(workspace.createTaskMs)}.`);
    const imports: Round[] = [];
    const parses: Whole[] = [];
    const rounds = options.rounds ?? defaultRounds;
    let dataDir = '';
    for (let round = 0; round < rounds; round += 1) {
      parses.push(await runAnchor<Whole>('bare-parse.ts', [workspace.file]));
      if (dataDir !== '') await rm(dataDir, { recursive: true });
      dataDir = await workspace.copyDataDir(`import-${round}`);
      imports.push(await importOnce(workspace, dataDir, options));
    }
    printRounds('Import', imports, parses, 'anchor: JSON.parse(readFileSync(file))', size.annotations);
    const exports = await benchExport(workspace, dataDir, options);
    printRounds(
      'Export, annotations only',
      exports.own,
      exports.bare,
      'anchor: JSON.stringify(data)',
      size.annotations,
    );
    printNote(`The archive has ${inMegabytes(exports.archiveBytes)}.`);
    await checkRoundTrip(workspace, dataDir, exports.archive, options);
  });
}

function serverOptions({ entry, profileDir }: BenchOptions, dataDir: string, what: string): ServerOptions {
  if (profileDir === null) return { entry, dataDir };
  return { entry, dataDir, nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${join(profileDir, what)}`] };
}

function startProbes(server: RunningServer, client: TestClient, { read, edit }: CocoWorkspace) {
  const headers = { Authorization: client.authorization ?? '' };
  const reads = startSteadyProbe(server.url, headers, read);
  const edits = startSteadyProbe(server.url, headers, edit);
  return { stop: async (): Promise<Answers> => ({ reads: await reads.stop(), edits: await edits.stop() }) };
}

async function measure(
  server: RunningServer,
  client: TestClient,
  workspace: CocoWorkspace,
  work: () => Promise<void>,
): Promise<Omit<Round, 'uploadMs'>> {
  // A freshly started service compiles code on first use. The startup bench measures that.
  const warm = startProbes(server, client, workspace);
  await sleep(idleMs);
  await warm.stop();
  const quiet = startProbes(server, client, workspace);
  await sleep(idleMs);
  const idle = await quiet.stop();
  const idleBytes = await server.peakMemoryBytes();
  const processorBefore = await server.processorMs();
  const probes = startProbes(server, client, workspace);
  const started = performance.now();
  await work();
  const milliseconds = performance.now() - started;
  const busy = await probes.stop();
  const processorAfter = await server.processorMs();
  const processorMs = processorAfter === null || processorBefore === null ? null : processorAfter - processorBefore;
  return { milliseconds, processorMs, peakBytes: await server.peakMemoryBytes(), idleBytes, idle, busy };
}

async function importOnce(workspace: CocoWorkspace, dataDir: string, options: BenchOptions): Promise<Round> {
  await using server = await startServer(serverOptions(options, dataDir, 'import'));
  const client = await signIn(server);
  const started = performance.now();
  const upload = await client.uploadForImport('tasks', workspace.taskId, format, { path: workspace.file });
  const uploadMs = performance.now() - started;
  const measured = await measure(server, client, workspace, async () => {
    await client.finished(await client.finishImport(upload), pollMs);
  });
  return { ...measured, uploadMs };
}

async function benchExport(workspace: CocoWorkspace, dataDir: string, options: BenchOptions) {
  const own: Round[] = [];
  const bare: Whole[] = [];
  const archive = `${dataDir}.zip`;
  for (let round = 0; round < (options.rounds ?? defaultRounds); round += 1) {
    bare.push(await runAnchor<Whole>('bare-stringify.ts', [workspace.file]));
    await using server = await startServer(serverOptions(options, dataDir, 'export'));
    const client = await signIn(server);
    let url = '';
    const measured = await measure(server, client, workspace, async () => {
      // A different name each round, so that no cached result is returned.
      const id = await client.startExport('tasks', workspace.taskId, format, false, `round-${round}.zip`);
      url = (await client.finished(id, pollMs)).result_url ?? '';
    });
    own.push({ ...measured, uploadMs: 0 });
    await client.download(url, archive);
  }
  return { own, bare, archive, archiveBytes: (await stat(archive)).size };
}

/** Figures are medians of the rounds, memory is the maximum, latencies cover all rounds. */
function printRounds(what: string, own: readonly Round[], bare: readonly Whole[], anchor: string, annotations: number) {
  const times = (rounds: readonly { milliseconds: number }[]) => rounds.map((round) => round.milliseconds);
  const processor = (rounds: readonly { processorMs: number | null }[]) =>
    median(rounds.map((round) => round.processorMs ?? Number.NaN));
  const peak = (values: readonly (number | null)[]) => inMegabytes(Math.max(...values.map((value) => value ?? NaN)));
  const row = (name: string, rounds: readonly (Whole | Round)[], rate: string) => [
    name,
    inSeconds(median(times(rounds))),
    inSeconds(Math.min(...times(rounds))),
    asRatio(median(times(rounds)), median(times(bare))),
    inSeconds(processor(rounds)),
    rate,
    peak(rounds.map((one) => one.peakBytes)),
  ];
  printTable(
    `${what}: ${own.length} rounds, each beside the anchor in a fresh process`,
    ['', 'median', 'best', 'ratio', 'processor', 'a second', 'peak memory'],
    [
      row(anchor, bare, ''),
      row('Limner, from the request to its end', own, figure((annotations / median(times(own))) * 1000)),
    ],
  );
  printNote(`Before the work the server had ${peak(own.map((one) => one.idleBytes))}.`);
  if (own.some((one) => one.uploadMs > 0)) {
    printNote(`The upload before it took ${inSeconds(median(own.map((one) => one.uploadMs)))}.`);
  }
  printAnswers(own);
}

function printAnswers(rounds: readonly Round[]): void {
  const row = (name: string, latencies: readonly Latencies[]) => {
    const all = latencies.flatMap((one) => one.milliseconds);
    const failed = latencies.reduce((sum, one) => sum + one.failed, 0);
    const figures = [median(all), percentile(all, 0.99), Math.max(...all)].map(inMilliseconds);
    return [name, String(all.length), ...figures, String(failed)];
  };
  printTable(
    'The API meanwhile: a frame is read every 10 ms, a shape is changed every 50 ms',
    ['', 'answers', 'p50', 'p99', 'max', 'failed'],
    [
      row(
        'read, before the work',
        rounds.map((one) => one.idle.reads),
      ),
      row(
        'read, during the work',
        rounds.map((one) => one.busy.reads),
      ),
      row(
        'changed, before the work',
        rounds.map((one) => one.idle.edits),
      ),
      row(
        'changed, during the work',
        rounds.map((one) => one.busy.edits),
      ),
    ],
  );
}

/** Imports the export again and compares the store with the original file. */
async function checkRoundTrip(
  workspace: CocoWorkspace,
  dataDir: string,
  archive: string,
  options: BenchOptions,
): Promise<void> {
  const stored = () =>
    runAnchor<PolygonChecksum>('checksum-store.ts', [join(dataDir, 'db', 'limner.sqlite'), String(workspace.taskId)]);
  const original = await runAnchor<PolygonChecksum>('checksum-file.ts', [workspace.file]);
  const imported = await stored();
  const server = await startServer({ entry: options.entry, dataDir });
  try {
    const client = await signIn(server);
    await client.importAnnotations('tasks', workspace.taskId, format, { path: archive });
  } finally {
    await server.stop();
  }
  const again = await stored();
  const verdict = (checksum: PolygonChecksum) =>
    sameChecksum(checksum, original) ? 'equal' : `DIFFERENT (${JSON.stringify(checksum)})`;
  printTable(
    'Every coordinate, with the names of image and label, compared by a checksum',
    ['', 'polygons', 'against the file'],
    [
      ['in the file', original.count.toLocaleString('en-US'), ''],
      ['in the store after the import', imported.count.toLocaleString('en-US'), verdict(imported)],
      ['in the store after export and import', again.count.toLocaleString('en-US'), verdict(again)],
    ],
  );
}
