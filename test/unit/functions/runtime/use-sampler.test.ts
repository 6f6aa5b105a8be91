import { expect, test } from 'vitest';
import type { ContainerUse } from '../../../../main/functions/engines/docker/container-use.ts';
import { createUseSampler } from '../../../../main/functions/runtime/use-sampler.ts';
import type { UseSeen } from '../../../../main/functions/numbers/call-numbers.ts';
import { newFunction } from '../../../../main/functions/records/function-repository.ts';
import { readRecord } from '../../../../main/functions/records/function-record.ts';

const box = { seal: (text: string) => text, open: (text: string) => text };

test('two samples of a container give a CPU rate; a restarted one is counted again', async () => {
  const seen: UseSeen[] = [];
  let now: ContainerUse | null = null;
  const sampler = createUseSampler({ use: async () => now, saw: (use) => void seen.push(use) });
  const document = JSON.stringify({
    metadata: { name: 'model' },
    spec: { runtime: 'python', handler: 'main:handler' },
  });
  const row = { ...newFunction('model', 'default', '2026-01-01T00:00:00.000Z'), id: 1, document };
  const record = readRecord({ ...row, container_id: 'one', state: 'ready', version: 3 }, box);
  const look = async (atMs: number, cpuMs: number): Promise<void> => {
    now = { atMs, cpuNs: cpuMs * 1e6, memoryBytes: 5000 };
    await sampler.look(record, 300);
  };
  await look(1000, 400);
  await look(3000, 3400);
  await look(4000, 100);
  now = null;
  await sampler.look(record, 300);
  await look(9000, 200);
  expect(seen.map(({ cpuCores }) => cpuCores)).toEqual([null, 1.5, null, null]);
  expect(seen[0]).toMatchObject({ functionId: 'model', version: 3, memoryBytes: 5000, gpuMemoryBytes: 300 * 2 ** 20 });
  await sampler.look(readRecord({ ...row, container_id: 'one', state: 'stopped' }, box), null);
  expect(seen).toHaveLength(4);
});
