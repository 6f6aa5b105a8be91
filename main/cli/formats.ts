import type { Command } from 'commander';
import type { FormatOptionField, FormatOptions } from '../../preload/contract/schema/formats.ts';
import { dataDirectoryPaths, defaultDataDirectory } from '../platform/paths.ts';
import type { CliContext } from './context.ts';

interface FormatRow {
  readonly name: string;
  readonly ext: string;
}

interface FormatsOptions {
  readonly json?: boolean;
  readonly options?: boolean;
  readonly dataDir?: string;
}

export function addFormatsCommand(program: Command, context: CliContext): void {
  program
    .command('formats')
    .summary('list import and export formats')
    .description(
      'Lists the importers and exporters by their names for --format, including your own plug-ins, ' +
        'and the plug-ins that cannot be used, with the reason.',
    )
    .option('--options', 'also list the options of each format')
    .option('--json', 'print JSON')
    .option('--data-dir <dir>', `data directory whose plug-ins are listed (default: ${defaultDataDirectory()})`)
    .action((options: FormatsOptions) => listFormats(options, context));
}

async function listFormats(options: FormatsOptions, context: CliContext): Promise<void> {
  // Loaded only for this command: no other command needs the formats in this thread.
  const { createInstalledFormats } = await import('../formats/installed-formats.ts');
  const { root } = dataDirectoryPaths(options.dataDir ?? defaultDataDirectory());
  const formats = createInstalledFormats({ dataDirectory: root, workerUrl: context.application.workerUrl });
  await formats.refresh();
  const { importers, exporters, broken } = await formats.list();
  if (options.json) {
    const described = options.options ? { options: await formats.described() } : {};
    context.print(JSON.stringify({ importers, exporters, broken, ...described }, null, 2));
    return;
  }
  for (const line of formatLines(importers, exporters)) context.print(line);
  if (options.options) for (const line of optionLines(await formats.described())) context.print(line);
  if (broken.length > 0) context.print('\nPlug-ins that cannot be used:');
  for (const { file, reason } of broken) context.print(`  ${file}\n    ${reason}`);
}

function optionLines({ importers, exporters }: FormatOptions): string[] {
  const valuesOf = (option: FormatOptionField): string => {
    if (option.kind === 'choice')
      return option.choices
        .map(({ value }) => value)
        .filter((value) => value !== '')
        .join(' | ');
    if (option.kind === 'number') return `${option.minimum} to ${option.maximum}`;
    return option.kind === 'boolean' ? `true | false (${option.default})` : 'text';
  };
  const linesOf = (verb: string, formats: FormatOptions['importers']): string[] =>
    formats.flatMap(({ name, options }) =>
      options.length === 0
        ? []
        : [
            `${name}, ${verb}`,
            ...options.map(
              (option) =>
                `  ${option.name}=${valuesOf(option)}\n    ${option.title}${option.description ? `. ${option.description}` : ''}`,
            ),
          ],
    );
  return [
    '',
    'Options of formats (--option name=value):',
    ...linesOf('import', importers),
    ...linesOf('export', exporters),
  ];
}

function formatLines(importers: readonly FormatRow[], exporters: readonly FormatRow[]): string[] {
  const names = [...new Set([...importers, ...exporters].map(({ name }) => name))].sort((a, b) =>
    a.localeCompare(b, 'en'),
  );
  const extension = (rows: readonly FormatRow[], name: string): string =>
    rows
      .find((row) => row.name === name)
      ?.ext.replaceAll(' ', '')
      .replaceAll(',', ', ') ?? '–';
  const width = Math.max(...names.map((name) => name.length));
  const row = (name: string, imported: string, exported: string): string =>
    `${name.padEnd(width)}  ${imported.padEnd(10)}  ${exported}`;
  return [
    row('Format', 'import', 'export'),
    ...names.map((name) => row(name, extension(importers, name), extension(exporters, name))),
  ];
}
