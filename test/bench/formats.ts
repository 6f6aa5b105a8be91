import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodePoints, encodePoints } from '../../main/db/points-codec.ts';
import { signIn, type TestClient } from '../support/client.ts';
import { below, createRandom } from '../support/random.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { makeFrameFolder } from '../support/tiny-frames.ts';
import { runAnchor } from './support/anchor-process.ts';
import { categoryName, generateCoco, imageName, trainSize } from './support/generate-coco.ts';
import { cvatImageName, cvatLabels, generateCvat } from './support/generate-cvat.ts';
import type { BenchOptions } from './support/options.ts';
import { type Measured, preparePeers, type RunPeer } from './support/peers.ts';
import { asRatio, figure, inMegabytes, inSeconds, median } from './support/statistics.ts';
import { sendFile } from './support/send-file.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const categories = 80;
const pollMs = 25;

const parts: Readonly<Record<string, (options: BenchOptions) => Promise<void>>> = {
  coco: benchCocoPeers,
  cvat: benchCvat,
  upload: benchUpload,
  zip: benchZip,
  points: benchPoints,
};

export async function bench(options: BenchOptions): Promise<void> {
  if (options.part !== null && !Object.hasOwn(parts, options.part)) {
    throw new Error(`There is no part "${options.part}": ${Object.keys(parts).join(', ')}.`);
  }
  for (const [name, run] of Object.entries(parts))
    if (options.part === null || options.part === name) await run(options);
}

interface Peak extends Measured {
  readonly idleBytes: number;
}

interface PeerRow {
  readonly name: string;
  readonly rounds: readonly Measured[];
}

function printBeside(title: string, anchor: PeerRow, own: PeerRow): void {
  const rows = [anchor, own].map(({ name, rounds }) => [
    name,
    inSeconds(medianMs(rounds)),
    asRatio(medianMs(rounds), medianMs(anchor.rounds)),
    inMegabytes(highest(rounds)),
  ]);
  printTable(title, ['', 'median', 'ratio', 'peak memory'], rows);
}

const highest = (rounds: readonly Measured[]) => Math.max(...rounds.map(({ peakBytes }) => peakBytes));
const medianMs = (rounds: readonly Measured[]) => median(rounds.map(({ milliseconds }) => milliseconds));

async function measured(server: RunningServer, work: () => Promise<unknown>): Promise<Peak> {
  const idleBytes = (await server.peakMemoryBytes()) ?? Number.NaN;
  const started = performance.now();
  await work();
  const milliseconds = performance.now() - started;
  return { milliseconds, peakBytes: (await server.peakMemoryBytes()) ?? Number.NaN, idleBytes };
}

interface Prepared {
  readonly taskId: number;
  readonly dataDir: string;
}

/** Creates a data directory with an empty task of `frames` frames, all hard links to one small image. */
async function prepareTask(
  folder: string,
  { entry }: BenchOptions,
  images: number,
  nameOf: (index: number) => string,
  labels: readonly string[],
): Promise<Prepared> {
  const frames = join(folder, 'frames');
  await makeFrameFolder(frames, images, nameOf);
  const dataDir = join(folder, 'template');
  await using server = await startServer({ entry, dataDir });
  const client = await signIn(server);
  const { id } = await client.createTask({ name: 'bench', labels: labels.map((name) => ({ name })) });
  await client.finished(await client.useServerFiles(id, [frames]), 100);
  return { taskId: id, dataDir };
}

async function withServer<Result>(
  { entry }: BenchOptions,
  dataDir: string,
  work: (server: RunningServer, client: TestClient) => Promise<Result>,
): Promise<Result> {
  await using server = await startServer({ entry, dataDir });
  return await work(server, await signIn(server));
}

/**
 * Uses a fresh copy of the template for each import. Measures from the first request, including the upload or
 * hand-over.
 */
async function importOnce(
  options: BenchOptions,
  { taskId, dataDir }: Prepared,
  { format, file, isHandedOver }: { readonly format: string; readonly file: string; readonly isHandedOver: boolean },
) {
  const copy = `${dataDir}-copy`;
  await rm(copy, { recursive: true, force: true });
  await cp(dataDir, copy, { recursive: true });
  const peak = await withServer(options, copy, (server, client) =>
    measured(server, async () => {
      const upload = isHandedOver
        ? await client.uploadForImport('tasks', taskId, format, { path: file, isHandedOver })
        : await sendFile(client, server.url, { taskId, format, file });
      await client.finished(await client.finishImport(upload), pollMs);
    }),
  );
  return { peak, copy };
}

/** Compares an import that a browser uploads with the same file handed over by its path. */
async function benchUpload(options: BenchOptions): Promise<void> {
  const rounds = options.rounds ?? 3;
  const size = {
    images: Math.max(1, Math.round(trainSize.images * options.scale)),
    annotations: Math.round(trainSize.annotations * options.scale),
  };
  await withWorkspace(async (folder) => {
    const file = join(folder, 'instances.json');
    await generateCoco(file, { ...size, categories });
    const labels = Array.from({ length: categories }, (_, number) => categoryName(number));
    const prepared = await prepareTask(folder, options, size.images, imageName, labels);
    await compareUpload(options, prepared, { format: 'COCO 1.0', file, rounds });
  });
  await withWorkspace(async (folder) => {
    const file = join(folder, 'annotations.xml');
    const { images } = await generateCvat(file, 100e6 * options.scale);
    const prepared = await prepareTask(folder, options, images, cvatImageName, cvatLabels);
    await compareUpload(options, prepared, { format: 'CVAT 1.1', file, rounds });
  });
}

async function compareUpload(
  options: BenchOptions,
  prepared: Prepared,
  { format, file, rounds }: { readonly format: string; readonly file: string; readonly rounds: number },
): Promise<void> {
  const [byPath, sent]: [Peak[], Peak[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    byPath.push((await importOnce(options, prepared, { format, file, isHandedOver: true })).peak);
    sent.push((await importOnce(options, prepared, { format, file, isHandedOver: false })).peak);
  }
  printBeside(
    `${format}, ${inMegabytes((await stat(file)).size)}: from the first request to the end of the import`,
    { name: 'anchor: handed over by its path', rounds: byPath },
    { name: 'sent, as a browser does', rounds: sent },
  );
  printNote('Goal: at most 1.10 ×.');
}

async function exportOnce(options: BenchOptions, dataDir: string, taskId: number, format: string): Promise<Peak> {
  return withServer(options, dataDir, (server, client) =>
    measured(server, async () => client.finished(await client.startExport('tasks', taskId, format), pollMs)),
  );
}

function printPeers(title: string, own: readonly Measured[], peers: readonly PeerRow[]): void {
  const row = ({ name, rounds }: PeerRow, isOwn = false) => [
    name,
    inSeconds(medianMs(rounds)),
    isOwn ? '' : asRatio(medianMs(rounds), medianMs(own)),
    inMegabytes(highest(rounds)),
    isOwn ? '' : asRatio(highest(rounds), highest(own)),
  ];
  printTable(
    title,
    ['', 'median', 'of Limner', 'peak memory', 'of Limner'],
    [row({ name: 'Limner, whole server', rounds: own }, true), ...peers.map((peer) => row(peer))],
  );
}

/** P1, P2 and P3: Limner, pycocotools and datumaro read and write the same COCO file, one after another. */
async function benchCocoPeers(options: BenchOptions): Promise<void> {
  const peers = await preparePeers();
  const rounds = options.rounds ?? 1;
  const sizes = [0.1, 1].map((share) => ({
    images: Math.max(1, Math.round(trainSize.images * options.scale * share)),
    annotations: Math.round(trainSize.annotations * options.scale * share),
  }));
  const peaks: Peak[] = [];
  for (const [index, size] of sizes.entries()) {
    await withWorkspace(async (folder) => {
      const dataset = join(folder, 'dataset', 'annotations');
      await mkdir(dataset, { recursive: true });
      await mkdir(join(folder, 'dataset', 'images', 'train'), { recursive: true });
      const file = join(dataset, 'instances_train.json');
      await generateCoco(file, { ...size, categories });
      const labels = Array.from({ length: categories }, (_, number) => categoryName(number));
      const prepared = await prepareTask(folder, options, size.images, imageName, labels);
      const title = `${size.annotations.toLocaleString('en-US')} annotations, ${inMegabytes((await stat(file)).size)}`;
      const isLarge = index === sizes.length - 1;
      peaks.push(await compareCoco(options, { folder, file, prepared, title, rounds, peers: isLarge ? peers : null }));
    });
  }
  const [small, large] = peaks;
  if (!small || !large) return;
  printNote(
    `Peak memory of an import: ${inMegabytes(large.peakBytes)} at ${sizes[1]?.annotations.toLocaleString('en-US')}, ` +
      `${inMegabytes(small.peakBytes)} at ${sizes[0]?.annotations.toLocaleString('en-US')}: ${asRatio(large.peakBytes, small.peakBytes)} (goal: at most 1.25 ×).`,
  );
}

interface CocoComparison {
  readonly folder: string;
  readonly file: string;
  readonly prepared: Prepared;
  readonly title: string;
  readonly rounds: number;
  /** Null measures only Limner. */
  readonly peers: RunPeer | null;
}

async function compareCoco(options: BenchOptions, comparison: CocoComparison): Promise<Peak> {
  const { folder, file, prepared, title, rounds, peers } = comparison;
  const [imports, sent, exports]: [Peak[], Peak[], Peak[]] = [[], [], []];
  const [pycocotools, loaded, written]: [Measured[], Measured[], Measured[]] = [[], [], []];
  for (let round = 0; round < (peers ? rounds : 1); round += 1) {
    const { peak, copy } = await importOnce(options, prepared, { format: 'COCO 1.0', file, isHandedOver: true });
    imports.push(peak);
    if (!peers) break;
    pycocotools.push(await peers<Measured>('load_pycocotools.py', [file]));
    const target = join(folder, `datumaro-${round}`);
    const both = await peers<{ loaded: Measured; written: Measured }>('convert_datumaro.py', [
      join(folder, 'dataset'),
      'coco_instances',
      target,
    ]);
    loaded.push(both.loaded);
    written.push(both.written);
    exports.push(await exportOnce(options, copy, prepared.taskId, 'COCO 1.0'));
    sent.push((await importOnce(options, prepared, { format: 'COCO 1.0', file, isHandedOver: false })).peak);
  }
  if (peers) {
    printPeers(`COCO import, the file handed over, durable and indexed: ${title}`, imports, [
      { name: 'pycocotools, loaded only', rounds: pycocotools },
      { name: 'datumaro, into memory', rounds: loaded },
      { name: 'Limner, the file sent to it', rounds: sent },
    ]);
    printPeers('COCO export', exports, [{ name: 'datumaro, from memory', rounds: written }]);
  }
  return imports[0] ?? { milliseconds: Number.NaN, peakBytes: Number.NaN, idleBytes: Number.NaN };
}

/** P4: 100 MB of CVAT XML, compared with a pass that only parses. */
async function benchCvat(options: BenchOptions): Promise<void> {
  const rounds = options.rounds ?? 3;
  await withWorkspace(async (folder) => {
    const file = join(folder, 'annotations.xml');
    const { images, shapes } = await generateCvat(file, 100e6 * options.scale);
    const prepared = await prepareTask(folder, options, images, cvatImageName, cvatLabels);
    const [own, bare]: [Peak[], Measured[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await runAnchor<Measured>('bare-saxes.ts', [file]));
      own.push((await importOnce(options, prepared, { format: 'CVAT 1.1', file, isHandedOver: true })).peak);
    }
    const title = `CVAT XML import: ${shapes.toLocaleString('en-US')} shapes, ${inMegabytes((await stat(file)).size)}`;
    const anchor = { name: 'anchor: saxes alone, nothing kept', rounds: bare };
    printBeside(title, anchor, { name: 'Limner, durable and indexed', rounds: own });
    printNote('Goal: at most 2.3 ×, with the hand-over.');
  });
}

/** P5: 10,000 small files in one archive, compared with Python's zipfile. */
async function benchZip(options: BenchOptions): Promise<void> {
  const peers = await preparePeers();
  const rounds = options.rounds ?? 5;
  const count = Math.round(10_000 * options.scale);
  await withWorkspace(async (folder) => {
    const random = createRandom(3);
    const line = () => [below(random, 80), ...Array.from({ length: 4 }, () => random().toFixed(6))].join(' ');
    const files = Array.from({ length: count }, (_, index) => [
      `labels/train/${String(index).padStart(12, '0')}.txt`,
      `${Array.from({ length: 10 + below(random, 26) }, line).join('\n')}\n`,
    ]);
    const list = join(folder, 'files.json');
    await writeFile(list, JSON.stringify(files));
    const [own, python]: [Measured[], Measured[]] = [[], []];
    const archive = join(folder, 'own.zip');
    for (let round = 0; round < rounds; round += 1) {
      python.push(await peers<Measured>('zip_files.py', [list, join(folder, 'python.zip')]));
      own.push(await runAnchor<Measured>('own-zip.ts', [list, archive]));
    }
    const check = await peers<{ entries: number; damaged: string | null }>('test_archive.py', [archive]);
    const sizes = await Promise.all(
      ['python.zip', 'own.zip'].map(async (name) => (await stat(join(folder, name))).size),
    );
    const row = (name: string, of: readonly Measured[], size = 0) => [
      name,
      figure((count / medianMs(of)) * 1000),
      asRatio(medianMs(python), medianMs(of)),
      inMegabytes(highest(of)),
      inMegabytes(size),
    ];
    printTable(
      `Archive of ${count.toLocaleString('en-US')} small files, ${rounds} rounds`,
      ['', 'files a second', 'speed', 'peak memory', 'archive'],
      [row("anchor: Python's zipfile, level 6", python, sizes[0]), row('Limner', own, sizes[1])],
    );
    printNote(`Python reads ${check.entries} entries of Limner's archive, ${check.damaged ?? 'none'} of them damaged.`);
  });
}

/** P6: points in the store's encoding, compared with their JSON text. */
async function benchPoints(options: BenchOptions): Promise<void> {
  await withWorkspace(async (folder) => {
    const file = join(folder, 'instances.json');
    const annotations = Math.round(100_000 * options.scale);
    await generateCoco(file, { images: Math.max(1, Math.round(annotations / 8)), annotations, categories });
    await rename(file, `${file}.read`);
    const { annotations: records } = JSON.parse(await readFile(`${file}.read`, 'utf8')) as {
      annotations: { segmentation: number[][] }[];
    };
    const rows = records.flatMap(({ segmentation }) => segmentation);
    const started = performance.now();
    const blobs = rows.map((points) => encodePoints(points));
    const encodeMs = performance.now() - started;
    const texts = rows.reduce((sum, points) => sum + JSON.stringify(points).length, 0);
    const bytes = blobs.reduce((sum, { length }) => sum + length, 0);
    const decodeStarted = performance.now();
    const decoded = blobs.map((blob) => decodePoints(blob));
    const decodeMs = performance.now() - decodeStarted;
    const different = rows.filter(
      (points, index) => !points.every((value, at) => Object.is(value, decoded[index]?.[at])),
    );
    printTable(
      `Points of ${rows.length.toLocaleString('en-US')} polygons`,
      ['', 'bytes a row', 'of JSON text', 'encoded a second', 'decoded a second'],
      [
        ['JSON text', figure(texts / rows.length), asRatio(texts, texts), '', ''],
        [
          'stored',
          figure(bytes / rows.length),
          asRatio(bytes, texts),
          figure((rows.length / encodeMs) * 1000),
          figure((rows.length / decodeMs) * 1000),
        ],
      ],
    );
    printNote(
      `${different.length} rows came back with another number. Goal: at most 0.40 × of the text, none different.`,
    );
  });
}
