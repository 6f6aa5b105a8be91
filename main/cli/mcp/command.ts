import type { Command } from 'commander';
import { addConnectionOptions, withClient, type ConnectionOptions } from '../connection.ts';
import { note, type CliContext } from '../context.ts';

interface McpOptions extends ConnectionOptions {
  readonly write?: boolean;
}

export function addMcpCommand(program: Command, context: CliContext): void {
  const command = program
    .command('mcp')
    .summary('serve the workbench to an assistant by the Model Context Protocol')
    .description(
      'Serves the Model Context Protocol on standard input and output, for a program that acts for you.\n' +
        'It can read everything that you can. Only with --write, it can also create projects, tasks and labels, import ' +
        'predictions, export, evaluate, and suggest objects. Suggestions become annotations only when a person accepts ' +
        'them. It can neither change nor delete annotations.',
    )
    .option('--write', 'also offer the tools that create something')
    .addHelpText(
      'after',
      '\nConfiguration of a client:\n  {"mcpServers": {"limner": {"command": "limner", "args": ["mcp", "--write"]}}}\n',
    );
  addConnectionOptions(command).action((options: McpOptions) =>
    // Standard output carries the protocol, so that everything for people goes to standard error.
    withClient({ ...context, print: (line) => note(context, line) }, options, async (client) => {
      const { serveMcp } = await import('./server.ts');
      await serveMcp(client, context, options.write === true);
    }),
  );
}
