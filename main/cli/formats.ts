import type { Command } from 'commander';
import type { CliContext } from './context.ts';

interface FormatRow {
  readonly name: string;
  readonly ext: string;
}

export function addFormatsCommand(program: Command, context: CliContext): void {
  program
    .command('formats')
    .summary('list the formats that can be imported and exported')
    .description('Lists the importers and exporters by the names that --format takes.')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      // Loaded only for this command: the others need none of the formats in this thread.
      const { listFormats } = await import('../formats/registry.ts');
      const formats = listFormats();
      if (options.json) {
        context.print(JSON.stringify(formats, null, 2));
        return;
      }
      for (const line of formatLines(formats.importers, formats.exporters)) context.print(line);
    });
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
