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
      .summary('look for faults of the data directory and of what Limner needs')
      .description(
        'Looks at the data directory, its disk, store, images and keys, at the running instance, ffmpeg and Docker, and\n' +
          'says what is wrong, how bad it is, and what to do. Writes nothing into the data directory; Limner may run.\n' +
          'Ends with 1 where there is a fault; notes and warnings are no faults.',
      )
      .option('--json', 'print JSON: {"dataDirectory", "level", "findings": [{"area", "level", "what", "remedy"}]}'),
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
  const sentence = faults === 1 ? 'There is 1 fault.' : `There are ${faults} faults.`;
  throw failed(`${sentence} What to do stands below each.`);
}

const indent = ' '.repeat(9);

const linesOf = ({ area, level, what, remedy }: Finding): string[] => [
  `${level.padEnd(indent.length)}${area}: ${what}`,
  ...(remedy ?? '').split('\n').flatMap((line) => (line === '' ? [] : [`${indent}${line}`])),
];
