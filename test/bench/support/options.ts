import { parseArgs } from 'node:util';
import { existsSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { serverEntries } from '../../support/server.ts';

export interface BenchOptions {
  readonly scale: number;
  /** Rounds of each measurement; null uses the default of the bench. */
  readonly rounds: number | null;
  /** Entry that the server runs from; `built` needs `npm run build`. */
  readonly entry: 'source' | 'built';
  readonly profileDir: string | null;
  /** Runs one part of a bench that has parts; null runs all of them. */
  readonly part: string | null;
  readonly against: string | null;
  /** All sizes of a bench that has a short and a long form. */
  readonly long: boolean;
  /** File for the figures, of benches that write one. */
  readonly json: string | null;
  /** Describes the computer, for published figures. */
  readonly computer: string;
}

export interface ParsedOptions extends BenchOptions {
  readonly names: readonly string[];
  readonly help: boolean;
}

export function parseOptions(args: readonly string[]): ParsedOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      scale: { type: 'string', default: '1' },
      rounds: { type: 'string' },
      source: { type: 'boolean', default: false },
      profile: { type: 'string' },
      part: { type: 'string' },
      against: { type: 'string' },
      long: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const scale = Number(values.scale);
  if (!(scale > 0)) throw new Error('--scale must be a number above 0.');
  const rounds = values.rounds === undefined ? null : Number(values.rounds);
  if (rounds !== null && !(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds must be a whole number.');
  return {
    names: positionals,
    help: values.help,
    scale,
    rounds,
    entry: !values.source && existsSync(serverEntries.built) ? 'built' : 'source',
    profileDir: values.profile ?? null,
    part: values.part ?? null,
    against: values.against === undefined ? null : programOf(values.against),
    long: values.long,
    json: values.json ?? null,
    computer: describeComputer(),
  };
}

function describeComputer(): string {
  const [cpu] = cpus();
  return (
    `Node ${process.versions.node}, ${availableParallelism()} × ${cpu?.model.trim() ?? 'unknown CPU'}, ` +
    `${Math.round(totalmem() / 2 ** 30)} GiB, load ${loadavg()[0]?.toFixed(1)}`
  );
}

function programOf(checkout: string): string {
  const program = join(resolve(checkout), 'out', 'main', 'cli.js');
  if (!existsSync(program))
    throw new Error(`--against: there is no ${program}. Build that checkout first: npm run build.`);
  return program;
}
