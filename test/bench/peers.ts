import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { projectRoot } from '../support/node-executable.ts';
import { serverEntries } from '../support/server.ts';
import { labelStudioProgram } from './support/side-by-side/label-studio-program.ts';
import { limnerProgram } from './support/side-by-side/limner-program.ts';
import { measures, type RowValues } from './support/side-by-side/measures.ts';
import { printPeers } from './support/side-by-side/peers-table.ts';
import { endWithThisProcess } from './support/side-by-side/processes.ts';
import { NotMeasured, type Context, type Program } from './support/side-by-side/program.ts';
import { qtPrograms } from './support/side-by-side/qt-programs.ts';
import { writePeersReport, type PeersFigure, type PeersReport } from './support/side-by-side/peers-report.ts';
import { openScreen } from './support/side-by-side/screen.ts';
import type { BenchOptions } from './support/options.ts';
import { withWorkspace } from './support/workspace.ts';

const defaultRounds = 5;

/**
 * Measures Limner beside labelme, X-AnyLabeling, labelImg and Label Studio on one screen, in turns. Every program is
 * waited for by the same rule: the requested image is painted. With `--against`, another checkout is measured too.
 */
export async function bench(options: BenchOptions): Promise<void> {
  const all = Object.keys(measures).filter((name) => options.long || name !== 'folder-long');
  const parts = options.part === null ? all : options.part.split(',');
  const unknown = parts.filter((name) => !Object.hasOwn(measures, name));
  if (unknown.length > 0)
    throw new Error(`--part: unknown part "${unknown.join('", "')}". Use ${Object.keys(measures).join(', ')}.`);
  const only = process.env['LIMNER_BENCH_PROGRAMS']?.split(',');
  const programs = programsOf(options).filter(({ name }) => only === undefined || only.includes(name));
  endWithThisProcess();
  const figures: PeersFigure[] = [];
  const load: number[] = [];
  const report = (): PeersReport => ({
    computer: options.computer,
    date: new Date().toISOString().slice(0, 10),
    load: [Math.min(...load), Math.max(...load)],
    programs: programs.map(({ name, version }) => ({ name, version })),
    figures,
  });
  await withWorkspace(async (folder) => {
    const screen = await openScreen();
    const context = { screen, folder };
    try {
      for (const program of programs) {
        await program.prepare(context);
        if (parts.includes('start')) await warm(program, context);
      }
      for (const part of parts) {
        const run = await measures[part]!.prepare(folder, options);
        for (let round = 0; round < (options.rounds ?? defaultRounds); round += 1)
          for (const program of programs) {
            if (figures.some((one) => one.program === program.name && one.part === part && one.isFinal)) continue;
            load.push(loadavg()[0] ?? 0);
            console.log(`  ${part}, round ${round + 1}: ${program.name} (load ${load.at(-1)?.toFixed(1)})`);
            figures.push(...(await figuresOf(part, () => run(program, context), program)));
            if (options.json !== null) writePeersReport(options.json, report());
          }
      }
    } finally {
      await screen.close();
    }
  });
  printPeers(report());
}

/** Figures of one round. What a program lacks is not tried again. */
async function figuresOf(
  part: string,
  run: () => Promise<RowValues>,
  { name: program }: Program,
): Promise<PeersFigure[]> {
  try {
    const found = Object.entries(await run());
    return found.map(([row, value]) =>
      typeof value === 'string'
        ? { part, row, program, values: [], reason: value, isFinal: false }
        : { part, row, program, values: value, reason: null, isFinal: false },
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`    ${reason}`);
    return [{ part, row: null, program, values: [], reason, isFinal: error instanceof NotMeasured }];
  }
}

/** Starts a program once, so that the file cache and its own caches are warm. */
async function warm(program: Program, context: Context): Promise<void> {
  const running = await program.start(context);
  try {
    await context.screen.still({ quiet: 1500, timeout: 120_000 });
  } finally {
    await running.stop();
  }
}

const commitOf = (checkout: string): string =>
  execFileSync('git', ['-C', checkout, 'rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();

function programsOf({ against, entry }: BenchOptions): Program[] {
  const before =
    against === null ? [] : [limnerProgram('Limner before', commitOf(resolve(against, '../../..')), against)];
  return [
    ...qtPrograms(),
    labelStudioProgram(),
    ...before,
    limnerProgram('Limner', commitOf(projectRoot), serverEntries[entry]),
  ];
}
