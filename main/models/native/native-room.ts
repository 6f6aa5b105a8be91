import type { Database } from '../../db/open.ts';
import type { Clock } from '../../platform/clock.ts';
import { createAgentQueues } from './agent-queues.ts';
import { createNativeProvider } from './native-provider.ts';
import { createNativeRepository } from './native-repository.ts';
import { createNativeModels, createNativeService } from './native-service.ts';

/** Native functions of cvat-cli: as functions that are called, as models that are listed, and for their agents. */
export function createNativeRoom({
  database,
  clock,
  onRemoved,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly onRemoved: (name: string) => void;
}) {
  const parts = { rows: createNativeRepository(database), queues: createAgentQueues(), clock, onRemoved };
  const service = createNativeService(parts);
  return { provider: createNativeProvider(parts), models: createNativeModels({ ...parts, service }), service };
}
