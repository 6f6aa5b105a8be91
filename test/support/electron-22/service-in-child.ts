import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Instance, InstanceOptions } from '../../../main/cli/instance.ts';

/** Replaces the service in the main process: the native modules of the program do not exist for Electron 22. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { LIMNER_TEST_NODE: node = '', LIMNER_TEST_CLI: cli = '' } = process.env;
  const port = (name: string, value: number | null): string[] => (value === null ? [] : [name, String(value)]);
  const args = [
    cli,
    'serve',
    '--no-open',
    '--data-dir',
    options.dataDirectory,
    ...port('--port', options.port),
    ...port('--dashboard-port', options.dashboardPort ?? 0),
  ];
  const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => Promise.reject(new Error('The service ended.'))),
  ])) as [string];
  const ready = JSON.parse(line) as Pick<Instance, 'url' | 'dashboardUrl' | 'launchUrl' | 'user'>;
  return {
    ...ready,
    dataDirectory: options.dataDirectory,
    authorization: '',
    runningFunctions: () => [],
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
