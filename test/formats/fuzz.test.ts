import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInMemoryTaskData, type InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { RegisteredImporter } from '../../main/formats/kit/plugin.ts';
import { createFormatRegistry } from '../../main/formats/registry.ts';
import { createFormatReport } from '../../main/formats/kit/report.ts';
import { AppError } from '../../main/platform/errors.ts';
import { craftZip } from '../support/craft-zip.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { createRandom, pick, type Random } from '../support/random.ts';
import { fuzzLabels, fuzzTask, picturesOf, type Seed, seedsFor } from './support/fuzz-seeds.ts';
import { mutate, mutateArchive } from './support/mutate.ts';

/** Number of mutated inputs per importer: `LIMNER_FUZZ=10000` is the full run, `LIMNER_FUZZ_SEED` sets the seed. */
const inputs = Number(process.env['LIMNER_FUZZ'] ?? 30);
const seed = Number(process.env['LIMNER_FUZZ_SEED'] ?? 20_261_120);
const only = process.env['LIMNER_FUZZ_AT'];
/** All inputs are small, so a longer run is a hang. */
const hangMs = 20_000;

const frames = [
  ...fuzzTask.frames,
  ...['1', '2', 'a', 'b', 'img1', '000001', 'frame_000000'].map((name) => ({
    name: `${name}.jpg`,
    width: 10,
    height: 6,
  })),
].map((frame, number) => ({ ...frame, frame: number }));
const framesWith = (pictures: readonly string[]) => [
  ...frames,
  ...pictures.map((name, index) => ({ name, frame: frames.length + index, width: 10, height: 6 })),
];
const labels = [
  ...fuzzLabels,
  ...['a', 'b', 'c', 'label_0', 'label_1', 'label_2', 'person', 'cat', 'background'].map((name) => ({ name })),
];

const folder = sharedFolder();
const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

function writeInput(files: ReadonlyMap<string, Buffer>, random: Random): { path: string; name: string } {
  const entries = [...files].map(([name, content]) => ({ name, content }));
  const [single] = entries;
  if (entries.length === 1 && single && random() < 0.5) {
    const extension = /\.\w+$/.exec(single.name)?.[0] ?? '';
    const path = join(folder, `input${extension}`);
    writeFileSync(path, single.content);
    return { path, name: single.name };
  }
  const archive = craftZip({ entries });
  const path = join(folder, 'input.zip');
  writeFileSync(path, random() < 0.05 ? mutateArchive(archive, random) : archive);
  return { path, name: 'input.zip' };
}

/** Outcomes of many inputs: the numbers show if the faults reach the inside of an importer. */
interface Tally {
  objects: number;
  refused: number;
  withBadRecords: number;
}
const newTally = (): Tally => ({ objects: 0, refused: 0, withBadRecords: 0 });

/** Null, or the problem: an import must end with a report or a message, and its added objects must be valid. */
async function tryInput(
  importer: RegisteredImporter,
  task: InMemoryTaskDataOptions,
  seeds: readonly Seed[],
  index: number,
  tally: Tally,
): Promise<string | null> {
  const random = createRandom(seed + index * 7919);
  const origin = pick(random, seeds);
  return tryFiles(importer, task, origin.origin, mutate(origin, random), random, tally);
}

async function tryFiles(
  importer: RegisteredImporter,
  task: InMemoryTaskDataOptions,
  origin: string,
  files: ReadonlyMap<string, Buffer>,
  random: Random,
  tally: Tally,
): Promise<string | null> {
  const file = writeInput(files, random);
  const report = createFormatReport();
  const target = createInMemoryTaskData({ ...task, report });
  const controller = new AbortController();
  const run = importer.run(file, target, {
    report,
    signal: controller.signal,
    progress: () => undefined,
    conv_mask_to_poly: random() < 0.5,
  });
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<string>((resolve) => (timer = setTimeout(() => resolve(`hangs (${origin})`), hangMs)));
  try {
    return await Promise.race([run.then(() => problemOf(target, report)), hang]);
  } catch (error) {
    tally.refused += 1;
    if (error instanceof AppError && error.code !== 'internal' && error.message.length > 10) return null;
    return `${origin}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  } finally {
    tally.objects += target.shapes.length + target.tags.length + target.tracks.length;
    if (report.summary().invalidCount > 0) tally.withBadRecords += 1;
    clearTimeout(timer);
    controller.abort();
  }
}

/** Added objects are validated on insertion. Every invalid record has a position and a reason. */
function problemOf(
  target: ReturnType<typeof createInMemoryTaskData>,
  report: ReturnType<typeof createFormatReport>,
): string | null {
  const { included, invalid } = report.summary();
  const counted = included.reduce((sum, { count }) => sum + count, 0);
  const added = target.shapes.length + target.tags.length + target.tracks.length;
  if (added > 0 && counted === 0) return `${added} objects were added and none was reported`;
  const silent = invalid.find(({ reason, file }) => reason === '' || file === '');
  return silent ? `a bad record without file or reason: ${JSON.stringify(silent)}` : null;
}

describe('importers of mutated files', () => {
  const { importers } = createFormatRegistry();

  it.each(importers.map((importer) => [importer.display_name, importer] as const))(
    `%s: ${inputs} inputs of seed ${seed}`,
    async (name, importer) => {
      const seeds = await seedsFor(name);
      const good = newTally();
      const task = { frames: framesWith(picturesOf(seeds)), labels };
      for (const { origin, files } of seeds) await tryFiles(importer, task, origin, files, () => 0.99, good);
      expect(good.objects, 'the good inputs give objects').toBeGreaterThan(0);
      const indices = only === undefined ? Array.from({ length: inputs }, (_, index) => index) : [Number(only)];
      const found: string[] = [];
      const tally = newTally();
      for (const index of indices) {
        const problem = await tryInput(importer, task, seeds, index, tally);
        if (problem !== null) found.push(`LIMNER_FUZZ_SEED=${seed} LIMNER_FUZZ_AT=${index} ${problem}`);
        if (found.length >= 5) break;
      }
      if (process.env['LIMNER_FUZZ'] !== undefined) console.info(`${name}: ${inputs} inputs, ${JSON.stringify(tally)}`);
      expect(found).toEqual([]);
      expect(unhandled).toEqual([]);
    },
    Math.max(90_000, inputs * 200),
  );
});
