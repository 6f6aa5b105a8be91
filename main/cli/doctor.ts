import type { Command } from 'commander';
import { defaultDataDirectory } from '../platform/paths.ts';
import { addConnectionOptions, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { worst, type Finding } from './doctor/finding.ts';
import { failed } from './exit-codes.ts';

interface DoctorOptions extends ConnectionOptions {
  readonly json?: boolean;
}

export function addDoctorCommand(program: Command, context: CliContext): void {
  addConnectionOptions(
    program
      .command('doctor')
      .summary('check the data directory and everything that Limner needs')
      .description(
        'Checks the data directory, its disk, store, images and keys, the running instance, ffmpeg and Docker.\n' +
          'Prints each problem with its severity and a suggested action. Does not write into the data directory; Limner may be running.\n' +
          'Exits with code 1 if there is a fault; notes and warnings are not faults.',
      )
      .option(
        '--json',
        'print JSON: {"dataDirectory", "level", "findings": [{"area", "level", "message", "suggestion"}]}',
      ),
  ).action((options: DoctorOptions) => doctor(options, context));
}

async function doctor({ dataDir, json }: DoctorOptions, { print }: CliContext): Promise<void> {
  const dataDirectory = dataDir ?? defaultDataDirectory();
  // Loaded only for this command: the others need neither the store nor Docker Engine in this process.
  const { examine } = await import('./doctor/examine.ts');
  const findings = await examine(dataDirectory);
  if (json) print(JSON.stringify({ dataDirectory, level: worst(findings), findings }, null, 2));
  else for (const line of findings.flatMap(linesOf)) print(line);
  const faults = findings.filter(({ level }) => level === 'fault').length;
  if (faults === 0) return;
  const sentence = faults === 1 ? '1 fault found.' : `${faults} faults found.`;
  throw failed(`${sentence} See the suggested action below each.`);
}

const indent = ' '.repeat(9);

const linesOf = ({ area, level, message, suggestion }: Finding): string[] => [
  `${level.padEnd(indent.length)}${area}: ${message}`,
  ...(suggestion ?? '').split('\n').flatMap((line) => (line === '' ? [] : [`${indent}${line}`])),
];
