import { expect, test } from 'vitest';
import { parseConfigurationDocument } from '../../../../main/functions/configuration/parse-configuration.ts';
import { planResources, requireWorkers, type FunctionBudget } from '../../../../main/functions/policy/resource-plan.ts';

const capacity = { cpuCores: 2, memoryBytes: 8 * 2 ** 30 };
const plan = (limits: object, budget?: FunctionBudget) =>
  planResources(
    parseConfigurationDocument({ metadata: { name: 'f' }, spec: { resources: { limits } } }).configuration,
    budget === undefined ? capacity : { ...capacity, budget },
  );

test('every function has a limit on CPUs and memory', () => {
  expect(plan({})).toEqual({
    cpuCores: 2,
    memoryBytes: 6 * 2 ** 30,
    workers: 1,
    pids: 256 + 128 + 16,
    temporaryBytes: 2 ** 30,
    sharedMemoryBytes: null,
    warnings: [],
  });
});

test('limits within the available resources are kept', () => {
  expect(plan({ cpu: '1500m', memory: '512Mi' })).toMatchObject({ cpuCores: 1.5, memoryBytes: 2 ** 29, warnings: [] });
});

test('limits beyond the available resources are reduced, with a warning', () => {
  const { cpuCores, memoryBytes, warnings } = plan({ cpu: 16, memory: '64Gi' });
  expect(cpuCores).toBe(2);
  expect(memoryBytes).toBeLessThan(capacity.memoryBytes);
  expect(warnings).toEqual([
    '16 CPU cores are requested; the Engine has 2.',
    '64 GiB of memory are requested; the Engine has 7.6 GiB.',
  ]);
});

test('a function gets at most the limits of the settings, with a warning', () => {
  const budget = { cpuCores: 1, memoryBytes: 2 ** 30 };
  expect(plan({}, budget)).toMatchObject({ cpuCores: 1, memoryBytes: 2 ** 30, warnings: [] });
  expect(plan({ cpu: 2, memory: '4Gi' }, budget)).toMatchObject({
    cpuCores: 1,
    memoryBytes: 2 ** 30,
    warnings: [
      '2 CPU cores are requested; the settings allow a function 1.',
      '4 GiB of memory are requested; the settings allow a function 1 GiB.',
    ],
  });
  expect(plan({ cpu: 2 }, { cpuCores: null, memoryBytes: null })).toEqual(plan({ cpu: 2 }));
});

const configured = (spec: object) => parseConfigurationDocument({ metadata: { name: 'f' }, spec }).configuration;
const attributes = (value: object) => configured({ platform: { attributes: value } });
const workers = (count: number, limits: object = {}) =>
  configured({ triggers: { http: { kind: 'http', numWorkers: count } }, resources: { limits } });

test('processes and threads follow the workers and the cores, unless the configuration sets them', () => {
  expect(planResources(workers(2), { ...capacity, cpuCores: 64 }).pids).toBe(256 + 2 * (128 + 64 * 8));
  expect(planResources(attributes({ pidsLimit: 4096 }), capacity).pids).toBe(4096);
  for (const pidsLimit of [1, 0, 1_000_000, 'many']) {
    expect(() => attributes({ pidsLimit })).toThrow(/Expected an integer from 32 to 16384/);
  }
});

test('shared memory and the temporary folder have the requested size, within the memory', () => {
  expect(planResources(attributes({ shmSize: '2Gi', tmpSize: '4Gi' }), capacity)).toMatchObject({
    sharedMemoryBytes: 2 * 2 ** 30,
    temporaryBytes: 4 * 2 ** 30,
    warnings: [],
  });
  expect(planResources(attributes({ shmSize: '1Ti' }), capacity)).toMatchObject({
    sharedMemoryBytes: 6 * 2 ** 30,
    warnings: ['1024 GiB of /dev/shm are requested; the memory limit is 6 GiB.'],
  });
  expect(() => attributes({ shmSize: 'much' })).toThrow(/is not a valid number of bytes/);
});

test('refuses more workers than cores and memory permit, with the numbers', () => {
  expect(() => requireWorkers(workers(16), capacity)).not.toThrow();
  expect(() => requireWorkers(workers(100_000), capacity)).toThrow(
    '"f" requests 100000 workers (numWorkers), each of them a process. The limit here is 16: 8 for each of 2 cores, and 16 MiB of memory for each. Nothing was changed.',
  );
  expect(() => requireWorkers(workers(8, { memory: '64Mi' }), capacity)).toThrow(/limit here is 4/);
});
