import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../support/client.ts';
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
  readonly peakBytes: number;
}

interface Round {
  readonly uploadMs: number;
  readonly milliseconds: number;
  /** Highest memory of the whole server process, and what it had before the work began. */
  readonly peakBytes: number | null;
  readonly idleBytes: number | null;
  readonly idle: Latencies;
  readonly busy: Latencies;
}

/** Import and export of a file of the size of COCO's train2017, through the API of a running server. */
export async function benchCoco(options: BenchOptions): Promise<void> {
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

async function idleProbe(server: RunningServer, headers: Record<string, string>, path: string): Promise<Latencies> {
  const probe = startSteadyProbe(server.url, headers, path);
  await sleep(idleMs);
  return probe.stop();
}

async function importOnce(workspace: CocoWorkspace, dataDir: string, options: BenchOptions): Promise<Round> {
  const server = await startServer(serverOptions(options, dataDir, 'import'));
  try {
    const client = await signIn(server);
    const headers = { Authorization: client.authorization ?? '' };
    const idle = await idleProbe(server, headers, workspace.probePath);
    const uploadStarted = performance.now();
    const upload = await client.uploadForImport('tasks', workspace.taskId, format, { path: workspace.file });
    const uploadMs = performance.now() - uploadStarted;
    const idleBytes = await server.peakMemoryBytes();
    const probe = startSteadyProbe(server.url, headers, workspace.probePath);
    const started = performance.now();
    await client.finished(await client.finishImport(upload), pollMs);
    const milliseconds = performance.now() - started;
    return {
      uploadMs,
      milliseconds,
      peakBytes: await server.peakMemoryBytes(),
      idleBytes,
      idle,
      busy: await probe.stop(),
    };
  } finally {
    await server.stop();
  }
}

async function benchExport(workspace: CocoWorkspace, dataDir: string, options: BenchOptions) {
  const own: Round[] = [];
  const bare: Whole[] = [];
  const archive = `${dataDir}.zip`;
  for (let round = 0; round < (options.rounds ?? defaultRounds); round += 1) {
    bare.push(await runAnchor<Whole>('bare-stringify.ts', [workspace.file]));
    const server = await startServer(serverOptions(options, dataDir, 'export'));
    try {
      const client = await signIn(server);
      const headers = { Authorization: client.authorization ?? '' };
      const idle = await idleProbe(server, headers, workspace.probePath);
      const idleBytes = await server.peakMemoryBytes();
      const probe = startSteadyProbe(server.url, headers, workspace.probePath);
      const started = performance.now();
      // With a name of its own each time: an earlier result must not be answered again.
      const request = await client.finished(
        await client.startExport('tasks', workspace.taskId, format, false, `round-${round}.zip`),
        pollMs,
      );
      const milliseconds = performance.now() - started;
      const busy = await probe.stop();
      own.push({ uploadMs: 0, milliseconds, peakBytes: await server.peakMemoryBytes(), idleBytes, idle, busy });
      await client.download(request.result_url ?? '', archive);
    } finally {
      await server.stop();
    }
  }
  return { own, bare, archive, archiveBytes: (await stat(archive)).size };
}

/** Rows whose figures are medians of the rounds; latencies are of all rounds together. */
function printRounds(
  what: string,
  own: readonly Round[],
  bare: readonly Whole[],
  anchor: string,
  annotations: number,
): void {
  const ownMs = median(own.map((round) => round.milliseconds));
  const bareMs = median(bare.map((round) => round.milliseconds));
  const peak = (values: readonly (number | null)[]) => inMegabytes(Math.max(...values.map((value) => value ?? NaN)));
  printTable(
    `${what}: ${own.length} rounds, each beside the anchor in a fresh process`,
    ['', 'median', 'best', 'ratio', 'a second', 'peak memory'],
    [
      [
        anchor,
        inSeconds(bareMs),
        inSeconds(Math.min(...bare.map((one) => one.milliseconds))),
        '1.00 ×',
        '',
        peak(bare.map((one) => one.peakBytes)),
      ],
      [
        'Limner, from the request to its end',
        inSeconds(ownMs),
        inSeconds(Math.min(...own.map((one) => one.milliseconds))),
        asRatio(ownMs, bareMs),
        figure((annotations / ownMs) * 1000),
        peak(own.map((one) => one.peakBytes)),
      ],
    ],
  );
  printNote(`Before the work the server had ${peak(own.map((one) => one.idleBytes))}.`);
  if (own.some((one) => one.uploadMs > 0)) {
    printNote(`The upload before it took ${inSeconds(median(own.map((one) => one.uploadMs)))}.`);
  }
  printLatencies(own);
}

function printLatencies(rounds: readonly Round[]): void {
  const row = (name: string, latencies: readonly Latencies[]) => {
    const all = latencies.flatMap((one) => one.milliseconds);
    const failed = latencies.reduce((sum, one) => sum + one.failed, 0);
    const figures = [median(all), percentile(all, 0.99), Math.max(...all)].map(inMilliseconds);
    return [name, String(all.length), ...figures, String(failed)];
  };
  printTable(
    'The API meanwhile: annotations of a frame, asked for every 10 ms',
    ['', 'answers', 'p50', 'p99', 'max', 'failed'],
    [
      row(
        'idle',
        rounds.map((one) => one.idle),
      ),
      row(
        'busy',
        rounds.map((one) => one.busy),
      ),
    ],
  );
}

/** The export goes back in, and what the store then holds is compared with the file of the beginning. */
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
