import { afterAll } from 'vitest';
import { startServer, type RunningServer } from './server.ts';

/** A service in a separate process for all tests of a file or a `describe`. */
export async function useServer(...given: Parameters<typeof startServer>): Promise<RunningServer> {
  const server = await startServer(...given);
  afterAll(() => server.stop());
  return server;
}
