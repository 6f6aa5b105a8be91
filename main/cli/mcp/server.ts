import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ApiClient } from '../api-client.ts';
import { note, type CliContext } from '../context.ts';
import { toolsOfContract } from './contract-tools.ts';
import type { Content, Tool } from './tool.ts';
import { toolsOfWork } from './work-tools.ts';

const instructions = `Limner annotates images and video on this computer. Projects have labels and tasks, a task has frames
and jobs, a job is a range of frames. Objects that you suggest wait until a person accepts them.`;

/** Serves the protocol on standard input and output until the input ends or the program is stopped. */
export async function serveMcp(client: ApiClient, context: CliContext, writes: boolean): Promise<void> {
  const tools = [...toolsOfContract, ...toolsOfWork].filter((tool) => writes || !tool.writes);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    context.stopSignal.addEventListener('abort', () => resolve(), { once: true });
  });
  const connection = serveStdio(() => createServer(client, context, tools), {
    onerror: (error) => note(context, `Model Context Protocol: ${error.message}`),
  });
  await ended;
  await connection.close();
}

function createServer(client: ApiClient, context: CliContext, tools: readonly Tool[]): McpServer {
  const { version } = context.application;
  const server = new McpServer({ name: 'limner', title: 'Limner', version }, { instructions });
  for (const { name, about, writes, input, run } of tools) {
    server.registerTool(
      name,
      {
        description: about,
        inputSchema: input,
        annotations: { readOnlyHint: !writes, destructiveHint: false, openWorldHint: false },
      },
      async (values) => {
        const { errorOutput, stopSignal } = context;
        // oxlint-disable-next-line typescript/no-deprecated -- the name for both revisions of the protocol
        const program = server.server.getClientVersion()?.name ?? 'Assistant';
        const given = {
          errorOutput,
          stopSignal,
          cli: { ...context, print: (line: string) => note(context, line) },
          program,
        };
        try {
          return { content: [...(await run(client, values as never, given))] };
        } catch (error) {
          return { isError: true, content: [failure(error)] };
        }
      },
    );
  }
  return server;
}

const failure = (error: unknown): Content => ({
  type: 'text',
  text: error instanceof Error ? error.message : String(error),
});
